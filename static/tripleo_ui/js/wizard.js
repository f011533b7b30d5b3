// The deployment wizard works without this script. With it, what a person types is saved while they type,
// problems show as they arise, numbers of nodes follow the counts at once, and slow parts load by themselves.

import { filterFields } from "./filter_fields.js";
import { watchNumbers } from "./wizard_numbers.js";

const SAVE_AFTER_MS = 700;
const RETRY_AFTER_MS = 5000;

const form = document.getElementById("wizard-form");

if (form) {
  autosave(form);
  filterFields(form);
  sendTouched(form);
  chooseRoles(form);
  spinButtons(form);
  submitOnce(form);
  watchNumbers(form);
}
loadFragments();

/** Save the form's input a moment after the last change; show what the server says about it. */
function autosave(form) {
  const state = form.querySelector("[data-save-state]");
  let timer = 0;
  let running = null;
  let changes = 0;
  let saved = 0;

  const say = (name) => {
    state.dataset.saveState = name;
    state.textContent = state.dataset[name];
  };

  async function save() {
    if (running || form.dataset.submitted) return;
    const sending = changes;
    takeTurn(form);
    const body = new URLSearchParams(new FormData(form));
    form.querySelectorAll("input[type=password]").forEach((field) => body.delete(field.name));
    running = new AbortController();
    const timeout = setTimeout(() => running.abort(), 20000);
    say("saving");
    try {
      const response = await fetch(form.dataset.autosave, {
        method: "POST",
        body,
        headers: { "X-Requested-With": "XMLHttpRequest", "X-CSRFToken": body.get("csrfmiddlewaretoken") },
        redirect: "manual",
        signal: running.signal,
      });
      if (response.type === "opaqueredirect" || response.status === 401) {
        say("signedOut");
      } else if (response.status === 409) {
        say("conflict");
      } else if (response.ok) {
        saved = sending;
        show(await response.json());
      } else {
        throw new Error(String(response.status));
      }
    } catch {
      say("failed");
      schedule(RETRY_AFTER_MS);
    } finally {
      clearTimeout(timeout);
      running = null;
      if (changes !== sending) schedule(SAVE_AFTER_MS);
    }
  }

  function show(answer) {
    state.dataset.saveState = "saved";
    state.textContent = answer.message;
    replace("wizard-problems", answer.problems);
    replace("wizard-stepper", answer.stepper);
    form.querySelectorAll("[data-error-for]").forEach((slot) => {
      const messages = answer.errors[slot.dataset.errorFor] || [];
      slot.textContent = messages.join(" ");
      slot.closest(".form-group, .wizard-field")?.classList.toggle("has-error", messages.length > 0);
      const input = document.getElementById(slot.dataset.input);
      if (input) input.setAttribute("aria-invalid", String(messages.length > 0));
    });
  }

  function schedule(after) {
    clearTimeout(timer);
    timer = setTimeout(save, after);
  }

  form.addEventListener("input", (event) => {
    if (event.target.closest("[data-not-saved]")) return;
    changes += 1;
    schedule(SAVE_AFTER_MS);
  });
  window.addEventListener("beforeunload", (event) => {
    if (changes !== saved && !form.dataset.submitted) event.preventDefault();
  });
}

/** Number the saves of this page, so that the server can tell a late one from the newest. */
function takeTurn(form) {
  form.elements.turn.value = String(Number(form.elements.turn.value) + 1);
}

/** Put the server's HTML in the place of a region, keeping the focus where it is. */
function replace(id, html) {
  const region = document.getElementById(id);
  if (!region || html === undefined || region.dataset.html === html) return;
  const focused = region.contains(document.activeElement) ? document.activeElement.id : "";
  region.innerHTML = html;
  region.dataset.html = html;
  if (focused) document.getElementById(focused)?.focus();
}

/** Of hundreds of parameters only those that were touched are sent; the server keeps the others as they are. */
function sendTouched(form) {
  if (!form.querySelector("[data-search]")) return;
  const touched = new Set();
  form.addEventListener("input", (event) => touched.add(event.target.name));
  form.addEventListener("formdata", (event) => {
    form.querySelectorAll("[data-search] [name]").forEach(({ name }) => {
      if (!touched.has(name)) event.formData.delete(name);
    });
  });
}

/** A role's services are open while the role is chosen. */
function chooseRoles(form) {
  form.addEventListener("change", (event) => {
    const card = event.target.matches("[data-role-choice]") && event.target.closest("[data-role-card]");
    if (!card) return;
    card.classList.toggle("is-chosen", event.target.checked);
    card.querySelector("details").open = event.target.checked;
  });
}

/** Buttons and arrow keys that count up and down; the field stays a text field, which keeps whatever is typed. */
function spinButtons(form) {
  const step = (input, by) => {
    const now = Number.parseInt(input.value, 10);
    const next = Math.max(Number(input.dataset.min || 0), (Number.isNaN(now) ? 0 : now) + by);
    input.value = String(Math.min(Number(input.dataset.max || Infinity), next));
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };
  form.querySelectorAll("[data-spin]").forEach((button) => {
    button.hidden = false;
    button.addEventListener("click", () => step(document.getElementById(button.dataset.for), Number(button.dataset.spin)));
  });
  form.addEventListener("keydown", (event) => {
    if (!event.target.matches("[data-count]")) return;
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    step(event.target, by);
  });
}

/** A double click is one POST. The button that was pressed keeps its name and value. */
function submitOnce(form) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.submitted) {
      event.preventDefault();
      return;
    }
    form.dataset.submitted = "yes";
    takeTurn(form);
    const button = event.submitter;
    if (button?.dataset.busy) {
      button.setAttribute("aria-disabled", "true");
      button.querySelector("[data-label]").textContent = button.dataset.busy;
    }
  });
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) window.location.reload(); // from the back-forward cache: the draft may be newer
  });
}

/** Load each region that names its source; a failure is shown with a way to try again. */
function loadFragments() {
  document.querySelectorAll("[data-fragment]").forEach((region) => {
    const load = async () => {
      region.setAttribute("aria-busy", "true");
      try {
        const response = await fetch(region.dataset.fragment, {
          headers: { "X-Requested-With": "XMLHttpRequest" },
          redirect: "manual",
        });
        if (!response.ok) throw new Error(String(response.status));
        region.innerHTML = await response.text();
      } catch {
        region.querySelector("[data-failed]").hidden = false;
        region.querySelector("[data-loading]").hidden = true;
      }
      region.setAttribute("aria-busy", "false");
    };
    load();
  });
}
