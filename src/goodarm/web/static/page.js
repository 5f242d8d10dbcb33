// What makes the page livelier. Everything works without it: plain forms, plain links.
"use strict";

// An entry is on its way, and its answer will replace this page: nothing may change under the keys.
let leaving = false;

// Replace the parts of this page that another copy of it has anew; what is being typed stays.
async function renew() {
  const answer = await fetch(location.pathname + location.search, { headers: { Accept: "text/html" } });
  if (!answer.ok || leaving) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const typing = document.activeElement?.id;
  for (const part of document.querySelectorAll("[data-part]")) {
    const other = fresh.getElementById(part.id);
    if (!other) continue;
    const typed = new Map([...part.querySelectorAll("input[id]")].map((input) => [input.id, input.value]));
    const copy = document.importNode(other, true);
    for (const input of copy.querySelectorAll("input[id]")) {
      if (typed.get(input.id)) input.value = typed.get(input.id);
    }
    // Focus that was set for a fresh page must not be taken from someone who is typing elsewhere.
    copy.querySelectorAll("[autofocus]").forEach((element) => element.removeAttribute("autofocus"));
    part.replaceWith(copy);
  }
  if (typing) document.getElementById(typing)?.focus();
  document.body.dataset.events = fresh.body.dataset.events ?? "";
  if ("poll" in document.body.dataset && !("poll" in fresh.body.dataset)) delete document.body.dataset.poll;
  await goodarmCharts.refresh();
}

// Hear of changes that others make.
function listen() {
  const source = document.body.dataset.live;
  if (!source || !window.EventSource) return;
  const stream = new EventSource(source);
  stream.onmessage = async (message) => {
    const { events } = JSON.parse(message.data);
    if (String(events) === document.body.dataset.events) return;
    await renew();
    const news = document.getElementById("news");
    if (news) news.textContent = "The study has changed; the page was brought up to date.";
  };
  addEventListener("pagehide", () => stream.close());
}

// Look again at a simulation until it is finished.
function poll() {
  const pause = Number(document.body.dataset.poll);
  if (pause) setTimeout(async () => { await renew(); poll(); }, pause);
}

// Fetch parts that take a moment to compute, after the page itself is there.
async function load() {
  for (const box of document.querySelectorAll("[data-load]")) {
    const answer = await fetch(box.dataset.load);
    if (!answer.ok) continue;
    const part = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("part");
    if (part) box.replaceChildren(...document.importNode(part, true).childNodes);
  }
}

// A digit records a yes or a no, when nothing is being typed.
addEventListener("keydown", (event) => {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
  const form = event.target.closest("form") ?? document.querySelector("form.trial");
  form?.querySelector(`[data-digit="${CSS.escape(event.key)}"]`)?.click();
});

// One entry, one request: a second click while the first is under way does nothing.
addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
  leaving = true;
  setTimeout(() => { delete form.dataset.sent; leaving = false; }, 3000);
});
addEventListener("pageshow", () => {
  leaving = false;
  document.querySelectorAll("form[data-sent]").forEach((form) => delete form.dataset.sent);
});

// Put a paragraph on the clipboard, and say so.
addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-copy]");
  if (!button) return;
  const paragraph = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(paragraph.textContent);
    button.nextElementSibling.textContent = "Copied.";
  } catch { // Not allowed here, for instance without HTTPS: mark the text, so that Ctrl-C takes it.
    getSelection().selectAllChildren(paragraph);
    button.nextElementSibling.textContent = "It is marked; press Ctrl-C to copy it.";
  }
});

// The browser itself sets the focus with the first picture it draws; a key may come before that.
if (!document.activeElement || document.activeElement === document.body) document.querySelector("[autofocus]")?.focus();
document.documentElement.classList.add("scripts"); // from here on, keys are heard
listen();
poll();
goodarmCharts.refresh();
load();
