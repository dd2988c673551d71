// Ticks somebody off without loading the page again. Without this script the button sends the form.
"use strict";

for (const form of document.querySelectorAll("form[data-check-in]")) {
  const count = document.querySelector("[data-here]");
  const settle = (row, button, here) => {
    const cell = button.parentElement;
    const was = row.classList.contains("is-here");
    if (was === here) return;
    row.classList.toggle("is-here", here);
    const expected = !row.hasAttribute("data-aside");
    if (count && expected) count.textContent = String(Number(count.textContent) + (here ? 1 : -1));
    cell.querySelector(".here-mark")?.remove();
    if (here) {
      const mark = document.createElement("span");
      mark.className = "here-mark";
      mark.setAttribute("aria-hidden", "true");
      mark.textContent = "✓";
      cell.prepend(mark);
    }
    const words = here ? form.dataset.sayAway : form.dataset.sayHere;
    const person = button.getAttribute("aria-label").split(": ").slice(1).join(": ");
    button.name = here ? "away" : "here";
    button.className = here ? "plain-button screen-only" : "button";
    button.textContent = words;
    button.setAttribute("aria-label", `${words}: ${person}`);
    // The list stays where it is, under the next finger; and whoever is elsewhere already stays there.
    if (document.activeElement === document.body) button.focus({ preventScroll: true });
  };
  form.addEventListener("submit", async (event) => {
    const button = event.submitter;
    const row = button?.closest("tr");
    if (!row) return;
    event.preventDefault();
    const here = button.name === "here";
    button.disabled = true;
    let kept = false;
    try {
      const answer = await fetch(form.action, {
        method: "POST",
        body: new URLSearchParams({ [button.name]: button.value, quiet: "1" }),
      });
      // Anything but "kept, and nothing to show" is not kept: a session may have run out.
      kept = answer.status === 204;
    } catch {
      kept = false;
    }
    button.disabled = false;
    row.querySelector(".check-in-failed")?.remove();
    if (kept) {
      settle(row, button, here);
      return;
    }
    const failed = document.createElement("span");
    failed.className = "field-problem check-in-failed";
    failed.setAttribute("role", "alert");
    failed.textContent = form.dataset.failed;
    button.parentElement.append(failed);
  });
}
