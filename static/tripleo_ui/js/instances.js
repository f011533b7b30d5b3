// How many instances are selected; the live region may redraw the boxes at any time.
const counter = document.querySelector("[data-chosen]");

function tell() {
  const chosen = document.querySelectorAll('input[name="server"]:checked').length;
  counter.textContent = chosen ? `(${chosen})` : "";
  counter.closest("button").disabled = !chosen;
}

if (counter) {
  document.addEventListener("change", tell);
  new MutationObserver(tell).observe(document.getElementById("live"), { childList: true });
  tell();
}
