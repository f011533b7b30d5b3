// Keeps a page's live region fresh: one request at a time, first within a second, then every 1 to 5 seconds.
import { refreshTimes, sinceWords } from "./times.js";

const FIRST_MS = 800;
const SHORTEST_MS = 1000;
const LONGEST_MS = 5000;
const TIMEOUT_MS = 20000;

export class Status {
  constructor(region) {
    this.region = region;
    this.etag = region.dataset.statusEtag;
    this.active = region.dataset.statusActive === "1";
    this.delay = SHORTEST_MS;
    this.updated = Date.now();
    this.timer = null;
    this.note = document.querySelector("[data-status-note]");
    this.lost = document.querySelector("[data-status-lost]");
    this.signedOut = document.querySelector("[data-status-signed-out]");
    this.voice = document.querySelector("[data-status-voice]");
  }

  start() {
    document.addEventListener("visibilitychange", () => this.onVisibility());
    setInterval(() => this.tell(), 1000);
    this.tell();
    if (this.active) this.plan(FIRST_MS);
  }

  onVisibility() {
    clearTimeout(this.timer);
    if (this.active && !document.hidden) this.poll();
  }

  plan(delay) {
    clearTimeout(this.timer);
    if (!document.hidden) this.timer = setTimeout(() => this.poll(), delay);
  }

  async poll() {
    if (this.polling) return;
    this.polling = true;
    try {
      this.take(await this.ask());
    } catch {
      this.lost.hidden = false;
      this.delay = LONGEST_MS;
    } finally {
      this.polling = false;
    }
    if (this.active) this.plan(this.delay);
  }

  ask() {
    return fetch(this.region.dataset.statusUrl, {
      headers: { "If-None-Match": this.etag, "X-Requested-With": "XMLHttpRequest" },
      cache: "no-store",
      credentials: "same-origin",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).then(async (response) => ({ response, html: response.status === 200 ? await response.text() : "" }));
  }

  take({ response, html }) {
    if (response.status === 401 || response.status === 403) {
      this.signedOut.hidden = false;
      this.active = false;
      return;
    }
    if (response.status !== 200 && response.status !== 304) throw new Error(`status ${response.status}`);
    this.lost.hidden = true;
    this.updated = Date.now();
    this.active = response.headers.get("X-Status-Active") === "1";
    this.delay = response.status === 200 ? SHORTEST_MS : Math.min(LONGEST_MS, this.delay * 1.5);
    if (response.status === 200) {
      this.etag = response.headers.get("ETag");
      this.draw(html);
    }
    this.tell();
  }

  draw(html) {
    const focused = document.activeElement?.id;
    const open = [...this.region.querySelectorAll("details[id]")].filter((each) => each.open).map((each) => each.id);
    const scrolled = [...this.region.querySelectorAll("[data-keep-scroll]")].map((each) => [each.scrollLeft, each.scrollTop]);
    const ticked = [...this.region.querySelectorAll("input[id]:checked")].map((each) => each.id);
    this.region.innerHTML = html;
    for (const id of ticked) {
      const box = document.getElementById(id);
      if (box && !box.disabled) box.checked = true;
    }
    for (const id of open) this.region.querySelector(`#${CSS.escape(id)}`)?.setAttribute("open", "");
    this.region.querySelectorAll("[data-keep-scroll]").forEach((each, index) => {
      [each.scrollLeft, each.scrollTop] = scrolled[index] ?? [0, 0];
    });
    for (const each of this.region.querySelectorAll("template[data-slot]")) {
      document.getElementById(each.dataset.slot).innerHTML = each.innerHTML;
    }
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    refreshTimes(this.region);
    const spoken = this.region.querySelector("[data-announce]")?.dataset.announce ?? "";
    if (this.voice.textContent !== spoken) this.voice.textContent = spoken;
  }

  tell() {
    const words = this.active ? this.note.dataset.active : this.note.dataset.finished;
    this.note.querySelector("[data-status-words]").textContent = words.replace("{}", sinceWords(this.updated));
    this.note.classList.toggle("is-active", this.active);
  }
}

const region = document.querySelector("[data-status-url]");
if (region) new Status(region).start();
