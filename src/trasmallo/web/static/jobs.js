// While a job goes on its progress is looked at every second; who has the focus in the table keeps it.
const PAUSE = 1000;

function focused(box) {
  return box.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
}

async function look() {
  const old = document.getElementById("jobs");
  if (!old?.hasAttribute("data-running")) return;
  try {
    const answer = await fetch(location.href);
    const found = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("jobs");
    if (answer.ok && found) {
      const label = focused(old);
      old.replaceWith(document.adoptNode(found));
      if (label) [...found.querySelectorAll("[aria-label]")].find(one => one.getAttribute("aria-label") === label)?.focus();
    }
  } catch { /* the app is gone for a moment: the next look may find it */ }
  setTimeout(look, PAUSE);
}
setTimeout(look, PAUSE);
