// What makes the page livelier. Everything works without it: plain forms, plain links.
"use strict";

const goodarmLive = (() => {
  const AGAIN = [1000, 2000, 5000, 15_000]; // ms until another try
  const body = document.body;
  let tries = 0, isWaiting = false;
  let stream;
  let latest = ""; // the number of the last event that was heard of

  function show(state) {
    const badge = document.getElementById("live");
    if (!badge || badge.textContent === state) return;
    badge.textContent = state;
    badge.className = `live ${state === "live" ? "on" : "off"}`;
  }

  // Bring the page up to date; whether the server has let us in.
  async function renew() {
    const seen = goodarmEntries.seen(), where = location.href;
    const answer = await fetch(location.pathname + location.search, { headers: goodarmEntries.headers() });
    if (answer.status === 401) { show("signed out"); return false; }
    if (!answer.ok) return false;
    const text = await answer.text();
    if (goodarmEntries.isBusy()) return true; // the answer to an entry shows what is new
    if (location.href !== where) return true; // someone has gone to another tab meanwhile
    goodarmRenewing.update(text);
    goodarmEntries.compare(seen);
    await goodarmCharts.refresh();
    return true;
  }

  // The answer to an entry may have been on its way when others made theirs.
  async function catchUp() {
    if (!latest || Number(latest) <= Number(body.dataset.events) || goodarmEntries.isBusy() || !await renew()) return;
    const news = document.getElementById("news");
    if (news) news.textContent = "The study has changed; the page was brought up to date.";
  }

  // Hear of changes that others make; and say so when that is not possible.
  function listen() {
    const source = body.dataset.live;
    if (!source || !window.EventSource) return;
    stream = new EventSource(source);
    stream.onopen = () => { tries = 0; show("live"); goodarmEntries.sendKept(); };
    stream.onmessage = async (message) => {
      latest = String(JSON.parse(message.data).events);
      await catchUp();
    };
    stream.onerror = () => {
      if (stream.readyState === EventSource.CONNECTING) { show("reconnecting"); return; }
      stream.close();
      again();
    };
  }

  // The server has refused the stream: find out why, and try again.
  function again() {
    if (isWaiting) return;
    isWaiting = true;
    if (document.getElementById("live")?.textContent !== "signed out") show("reconnecting");
    setTimeout(async () => {
      isWaiting = false;
      const isIn = await renew().catch(() => false);
      if (isIn) listen(); else again();
    }, AGAIN[Math.min(tries++, AGAIN.length - 1)]);
  }

  // Look again at a simulation until it is finished.
  function poll() {
    const pause = Number(body.dataset.poll);
    if (pause) setTimeout(async () => { await renew().catch(() => false); poll(); }, pause);
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

  function fill() {
    catchUp().catch(() => {});
    goodarmCharts.refresh().catch(() => {});
    load().catch(() => {});
  }

  // The server has taken an entry, so it is there; but does it speak?
  function answered() {
    if (stream?.readyState === EventSource.OPEN) show("live");
  }

  return { renew, listen, poll, fill, show, answered, leave: () => stream?.close() };
})();

goodarmEntries.start(); // before what follows: it sends entries itself

// Links to other tabs, pages and orders: the page stays, and what is typed with it.
let visits = 0; // of the last link that was followed: only its answer is shown
async function goTo(address, isNew) {
  const visit = ++visits;
  const answer = await fetch(address, { headers: goodarmEntries.headers() }).catch(() => null);
  if (visit !== visits) return;
  if (!answer?.ok) { location.href = address; return; }
  const text = await answer.text();
  if (visit !== visits) return;
  goodarmRenewing.update(text);
  if (isNew) history.pushState(null, "", address);
  goodarmLive.fill();
}
addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-swap]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  goTo(link.href, true);
});
addEventListener("submit", (event) => {
  if (!("swap" in event.target.dataset)) return;
  event.preventDefault();
  const asked = new URLSearchParams([...new FormData(event.target)].filter(([, value]) => value));
  goTo(`${event.target.getAttribute("action")}?${asked}`, true);
});
addEventListener("popstate", () => { if (document.body.dataset.live) goTo(location.href, false); });

// One entry, one request: a second click while the first is under way does nothing.
addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented) return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
  setTimeout(() => delete form.dataset.sent, 3000);
});
addEventListener("pagehide", () => goodarmLive.leave());
// A page that comes back from the browser's memory has stopped to listen.
addEventListener("pageshow", (event) => {
  document.querySelectorAll("form[data-sent]").forEach((form) => delete form.dataset.sent);
  if (event.persisted) { goodarmLive.renew(); goodarmLive.listen(); }
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
goodarmLive.listen();
goodarmLive.poll();
goodarmLive.fill();
