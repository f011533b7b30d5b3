// Words for moments: "3 minutes ago", in the reader's language; the exact local time on hover.
const STEPS = [
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];
const language = document.documentElement.lang || navigator.language;
const words = new Intl.RelativeTimeFormat(language, { numeric: "always", style: "long" });
const exact = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" });

export function sinceWords(moment, now = Date.now()) {
  const seconds = Math.round((moment - now) / 1000);
  const [unit, size] = STEPS.find(([, each]) => Math.abs(seconds) >= each) ?? ["second", 1];
  return words.format(Math.trunc(seconds / size) || -0, unit);
}

export function refreshTimes(root = document) {
  for (const each of root.querySelectorAll("time.tu-moment")) {
    const moment = Date.parse(each.dateTime);
    if (Number.isNaN(moment)) continue;
    each.textContent = sinceWords(Math.min(moment, Date.now()));
    each.title = exact.format(moment);
  }
}

refreshTimes();
setInterval(refreshTimes, 10000);
