// Light or dark at once, without loading the page anew: what is typed stays.
"use strict";

addEventListener("submit", (event) => {
  const form = event.target, look = event.submitter?.value;
  if (form.id !== "look" || !look) return;
  event.preventDefault();
  document.documentElement.dataset.look = look;
  for (const button of form.querySelectorAll("button")) button.setAttribute("aria-pressed", button.value === look);
  fetch(form.action, { method: "POST", body: new URLSearchParams({ look }), redirect: "manual" }).catch(() => {});
});
