// Fields of a dialog that are asked for only where another has certain values. The server decides by the same rule
// what it takes; a browser without scripts shows all of them, each with the sentence that says when it counts.

/** Show and hide the fields with a condition as the answers change. */
export function watchConditions(form) {
  const conditional = [...form.querySelectorAll("[data-when]")].map((place) => ({ place, ...JSON.parse(place.dataset.when) }));
  if (!conditional.length) return;
  const refresh = () => {
    // A field may depend on one that depends on another: what changes is looked at again.
    for (let turn = 0; turn < conditional.length && conditional.filter(settle(form)).length; turn += 1);
  };
  form.addEventListener("input", refresh);
  refresh();
}

/** Bring one field up to date; answers whether that changed it. */
function settle(form) {
  return ({ place, field, values }) => {
    const other = form.elements.namedItem(field);
    if (!other) return false; // it is hidden or locked, and so its value does not change
    const value = other.value.trim() || other.dataset.default;
    const unmet = other.closest(".is-unmet") !== null || !values.includes(value);
    return place.classList.contains("is-unmet") !== place.classList.toggle("is-unmet", unmet);
  };
}
