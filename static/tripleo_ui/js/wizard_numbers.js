// The numbers beside each count: nodes free, needed, missing. The server computes the same on every page and checks
// them again before it deploys.

/**
 * Recompute when a count or a flavor changes.
 *
 * Data comes from the element #wizard-nodes (JSON): {"free": {flavor: nodes}, "owned": {role: nodes}}; the words from
 * the data attributes of each role's cell.
 */
export function watchNumbers(form) {
  const source = document.getElementById("wizard-nodes");
  if (!source) return;
  const nodes = JSON.parse(source.textContent);
  const rows = [...form.querySelectorAll("[data-role-row]")];
  const refresh = () => show(rows, needs(rows, nodes), nodes);
  form.addEventListener("input", (event) => {
    if (event.target.matches("[data-count], [data-flavor]")) refresh();
  });
  refresh();
}

/** What each role takes from the free nodes of its flavor, beyond the nodes that it has already. */
function needs(rows, nodes) {
  return rows.map((row) => {
    const count = /^\s*\d+\s*$/.test(row.querySelector("[data-count]").value)
      ? Number(row.querySelector("[data-count]").value)
      : 0;
    const flavor = row.querySelector("[data-flavor]").value.trim();
    return { flavor, count, wanted: Math.max(0, count - (nodes.owned[row.dataset.roleRow] || 0)) };
  });
}

function show(rows, wants, nodes) {
  const taken = {};
  rows.forEach((row, index) => {
    const { flavor, count, wanted } = wants[index];
    const free = nodes.free[flavor];
    const left = free === undefined ? undefined : Math.max(0, free - (taken[flavor] || 0));
    taken[flavor] = (taken[flavor] || 0) + wanted;
    paint(row.querySelector("[data-numbers]"), { free, left, wanted, count });
  });
  const total = wants.reduce((sum, want) => sum + want.count, 0);
  document.querySelectorAll("[data-total]").forEach((place) => {
    place.textContent = String(total);
  });
}

function paint(cell, { free, left, wanted, count }) {
  const known = free !== undefined;
  const missing = known ? Math.max(0, wanted - left) : 0;
  const state = !known ? "unknown" : missing ? "missing" : count ? "enough" : "none";
  cell.dataset.state = state;
  cell.querySelector("[data-word]").textContent = cell.dataset[state].replace("{n}", missing);
  cell.querySelector("[data-detail]").textContent = known
    ? cell.dataset.detail.replace("{free}", free).replace("{wanted}", wanted)
    : "";
}
