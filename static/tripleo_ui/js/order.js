// The form of an order works without this script. With it, what a person types is saved while they type, previews and
// problems come without leaving the page, so that typed secrets stay, and fields come and go with their conditions.

import { watchConditions } from "./conditions.js";
import { filterFields } from "./filter_fields.js";

const SAVE_AFTER_MS = 700;
const RETRY_AFTER_MS = 5000;
const TIMEOUT_MS = 60000;

class Form {
  constructor(form) {
    this.form = form;
    this.state = form.querySelector("[data-save-state]");
    this.changes = 0;
    this.saved = 0;
    this.timer = 0;
    this.running = null;
    this.left = false;
  }

  start() {
    this.form.addEventListener("input", (event) => this.onInput(event));
    this.form.addEventListener("submit", (event) => this.onSubmit(event));
    this.form.addEventListener("click", (event) => this.onClick(event));
    this.form.querySelectorAll("[data-goes-by-itself]").forEach((select) => {
      const button = document.getElementById(select.dataset.goesByItself);
      button.hidden = true;
      select.addEventListener("change", () => this.form.requestSubmit(button));
    });
    this.form.querySelectorAll("[data-example]").forEach((place) => {
      place.hidden = false;
    });
    window.addEventListener("beforeunload", (event) => {
      if (this.changes !== this.saved && !this.left) event.preventDefault();
    });
    window.addEventListener("pageshow", (event) => {
      if (event.persisted) window.location.reload(); // from the back-forward cache: the draft may be newer
    });
  }

  onInput(event) {
    if (event.target.closest("[data-not-saved]") || event.target.matches("[data-secret]")) return;
    this.changes += 1;
    this.plan(SAVE_AFTER_MS);
  }

  plan(after) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), after);
  }

  async save() {
    if (this.running || this.left || this.changes === this.saved) return;
    this.say("saving");
    await this.send("save");
  }

  /** One button at a time, after the save that may be under way; a double click is one POST. */
  async onSubmit(event) {
    const button = event.submitter;
    if (this.left || button?.getAttribute("aria-disabled") === "true") {
      event.preventDefault();
      return;
    }
    if (!button?.dataset.inPlace) {
      this.left = true;
      return;
    }
    event.preventDefault();
    const label = button.querySelector("[data-label]");
    const words = label.textContent;
    button.setAttribute("aria-disabled", "true");
    label.textContent = button.dataset.busy ?? words;
    clearTimeout(this.timer);
    await this.running;
    await this.send(button.value);
    if (this.left) return;
    button.setAttribute("aria-disabled", "false");
    label.textContent = words;
  }

  send(action) {
    this.running = this.exchange(action).finally(() => {
      this.running = null;
      if (this.changes !== this.saved && this.state.dataset.saveState === "saved") this.plan(SAVE_AFTER_MS);
    });
    return this.running;
  }

  async exchange(action) {
    const sending = this.changes;
    const body = new FormData(this.form);
    body.set("press", action);
    if (action === "save") this.form.querySelectorAll("[data-secret]").forEach((field) => body.delete(field.name));
    try {
      const response = await fetch(this.form.getAttribute("action"), {
        method: "POST",
        body,
        headers: { "X-Requested-With": "XMLHttpRequest", "X-CSRFToken": body.get("csrfmiddlewaretoken") },
        redirect: "manual",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (response.type === "opaqueredirect" || response.status === 401) {
        this.say("signedOut");
        return;
      }
      if (!response.headers.get("Content-Type")?.includes("json")) throw new Error(String(response.status));
      const answer = await response.json();
      if (answer.saved) this.saved = sending;
      this.show(answer, action);
    } catch {
      this.say("failed");
      if (action === "save") this.plan(RETRY_AFTER_MS);
    }
  }

  show(answer, action) {
    if (answer.location) {
      this.left = true;
      window.location.assign(answer.location);
      return;
    }
    this.state.dataset.saveState = answer.saved ? "saved" : "conflict";
    this.state.textContent = answer.message;
    for (const name of ["revision", "order"]) if (answer[name]) this.form.elements[name].value = answer[name];
    this.showErrors(answer.errors);
    if (action === "save") return;
    document.getElementById("order-problems").innerHTML = answer.problems;
    document.getElementById("order-preview").innerHTML = answer.preview;
    const first = document.querySelector("#order-problems > *, #order-preview > *");
    first?.setAttribute("tabindex", "-1");
    first?.focus();
  }

  showErrors(errors) {
    this.form.querySelectorAll("[data-error-for]").forEach((slot) => {
      const words = (errors[slot.dataset.errorFor] || []).join(" ");
      if (slot.textContent === words) return;
      slot.textContent = words;
      slot.closest(".tu-field").classList.toggle("has-error", Boolean(words));
      document.getElementById(slot.dataset.input).setAttribute("aria-invalid", String(Boolean(words)));
      if (words) slot.closest("details")?.setAttribute("open", "");
    });
  }

  say(name) {
    this.state.dataset.saveState = name;
    this.state.textContent = this.state.dataset[name];
  }

  /** A value as the generator would make it. */
  async onClick(event) {
    const place = event.target.closest("[data-example]");
    if (!place || !event.target.closest("button")) return;
    const url = `${this.form.dataset.examples}?field=${encodeURIComponent(place.dataset.example)}`;
    const value = place.querySelector("[role=status]");
    try {
      const response = await fetch(url, { headers: { "X-Requested-With": "XMLHttpRequest" }, redirect: "manual" });
      if (!response.ok) throw new Error(String(response.status));
      value.innerHTML = await response.text();
    } catch {
      value.textContent = this.state.dataset.failed;
    }
  }
}

const form = document.getElementById("order-form");
if (form) {
  new Form(form).start();
  watchConditions(form);
  filterFields(form);
}
