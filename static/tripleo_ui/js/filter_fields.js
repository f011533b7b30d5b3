// A search box over the fields of a long form.

/** Show only the fields whose name, label or help contains what is typed in the search box. */
export function filterFields(form) {
  const box = form.querySelector("[data-filter]");
  if (!box) return;
  const count = document.getElementById(box.dataset.filter);
  const fields = [...form.querySelectorAll("[data-search]")];
  const folds = [...form.querySelectorAll("details[data-fold]")];
  const wereOpen = new Map(folds.map((fold) => [fold, fold.open]));
  box.closest("[data-script-only]").hidden = false;
  box.addEventListener("input", (event) => {
    event.stopPropagation(); // the search is nothing to save
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    fields.forEach((field) => {
      const hit = words.every((word) => field.dataset.search.includes(word));
      field.hidden = !hit;
      shown += hit;
    });
    folds.forEach((fold) => {
      const hits = fold.querySelector("[data-search]:not([hidden])");
      fold.open = words.length ? Boolean(hits) : wereOpen.get(fold);
    });
    form.querySelectorAll("[data-group]").forEach((group) => {
      group.hidden = words.length > 0 && !group.querySelector("[data-search]:not([hidden])");
    });
    count.textContent = words.length ? count.dataset.text.replace("{n}", shown) : "";
  });
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault();
  });
}
