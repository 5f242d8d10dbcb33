// Entering outcomes on a study's page: each goes to the trial that was seen, and none is lost.
"use strict";

const goodarmEntries = (() => {
  const MOMENT = 3000; // ms after a change in which a click may have been meant for what was there before
  const RENEW_CLAIMS = 20_000;
  const TRY_AGAIN = 4000;
  const body = document.body;
  const find = (id) => document.getElementById(id);
  const trials = () => [...document.querySelectorAll("[data-trial]")];
  const name = (entry) => entry.dataset.entry ?? "";
  let busy = 0; // an entry is on its way, and its answer will replace what is here
  let trying = 0;
  let unsure = false, changedAt = -Infinity; // a trial has gone from under the keys

  // ---- What the page shows, and who has it

  const headers = () => ({ Accept: "text/html", "X-Trials": trials().map((e) => e.dataset.trial).join(), "X-View": body.dataset.view ?? "" });

  async function renewClaims() {
    const shown = trials().map((e) => e.dataset.trial);
    if (!shown.length || busy) return;
    const answer = await fetch(`${body.dataset.at}/claims`, { method: "POST", headers: headers(), body: new URLSearchParams({ trials: shown.join() }) });
    if (answer.ok && (await answer.json()).length) await goodarmLive.renew();
  }

  function letGo() {
    const shown = trials().map((e) => e.dataset.trial);
    if (shown.length) navigator.sendBeacon(`${body.dataset.at}/let-go`, new URLSearchParams({ trial: shown.join(), view: body.dataset.view }));
  }

  // ---- A trial that was here is gone

  const seen = () => trials().map((entry) => ({
    number: entry.dataset.trial, words: name(entry),
    typed: [...entry.querySelectorAll("input[name^=value]")].map((input) => input.value.trim()).find(Boolean),
  }));

  function compare(before) {
    const now = trials(), here = new Set(now.map((entry) => entry.dataset.trial));
    const gone = before.filter((entry) => !here.has(entry.number));
    if (!gone.length) return;
    unsure = now.length > 0;
    changedAt = performance.now();
    const said = gone.map(({ number }) => document.querySelector(`#happened [data-of="${number}"]`)?.textContent
      ?? document.querySelector(`#others [data-of="${number}"]`)?.textContent ?? `trial ${number} is not yours any more`);
    const typed = gone.filter((entry) => entry.typed).map((entry) => ` You had typed ${entry.typed} for ${entry.words}; it was not recorded.`);
    const left = now.length ? `you now have ${name(now[0])}` : "you have no trial now";
    tell("changed", `${said.join(", ")}; ${left}.${typed.join("")}`.replace(/^t(?=rial |he )/, "T"));
  }

  // Whether what was pressed may have been meant for a trial that has just gone; if so, ask again.
  function asksAgain(entry, isKey) {
    if (!unsure || !entry || (!isKey && performance.now() > changedAt + MOMENT)) return false;
    unsure = false;
    tell("changed", `${find("changed").dataset.text ?? ""} Nothing was recorded: press again if you mean ${name(entry)}.`);
    return true;
  }

  function tell(id, text, ...buttons) {
    const bar = find(id);
    if (!bar) return;
    const words = document.createElement("span");
    words.textContent = text;
    bar.dataset.text = text;
    bar.replaceChildren(words, ...buttons);
    bar.hidden = !text;
  }

  // ---- Sending

  const place = () => `goodarm kept ${body.dataset.at}`;
  const kept = () => JSON.parse(sessionStorage.getItem(place()) ?? "[]");

  function keep(entries, why) {
    sessionStorage.setItem(place(), JSON.stringify(entries));
    clearTimeout(trying);
    if (!entries.length) { tell("kept", ""); return; }
    trying = setTimeout(sendKept, TRY_AGAIN);
    const button = (title, work) => Object.assign(document.createElement("button"), { type: "button", textContent: title, onclick: work, className: "quiet" });
    const words = `${why ?? "There is no connection to the server."} Not recorded yet: ${entries.map((entry) => entry.words).join("; ")}. It is kept here and sent as soon as that works.`;
    tell("kept", words, button("Send it now", () => sendKept()), button("Discard it", () => keep([])));
  }

  async function sendKept() {
    if (busy) return;
    for (let entries = kept(); entries.length; entries = kept()) {
      const [entry] = entries;
      if (!await post(entry.action, entry.body, entry.words, true)) return;
      keep(kept().slice(1));
    }
  }

  // Whether the server has answered; what it says is then on the page.
  async function post(action, text, words, again = false) {
    busy += 1;
    let why;
    try {
      const answer = await fetch(action, { method: "POST", headers: headers(), body: new URLSearchParams(text) });
      if (answer.status === 401) { why = "You are signed out: sign in in another tab."; goodarmLive.show("signed out"); }
      else if (answer.status >= 500 || answer.status === 429) why = "The server cannot take it now.";
      else {
        if (answer.redirected) history.replaceState(null, "", answer.url);
        goodarmRenewing.replace(await answer.text());
        unsure = false;
        tell("changed", "");
        goodarmLive.answered();
        setTimeout(goodarmLive.fill); // once nothing is on its way
        return true;
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // anything but the network
      goodarmLive.show("reconnecting");
    } finally {
      busy -= 1;
    }
    if (words && !again) keep([...kept(), { action, body: text, words }], why);
    else if (words) keep(kept(), why);
    else tell("kept", `${why ?? "There is no connection to the server."} Nothing was changed; try again in a moment.`);
    return false;
  }

  const filled = (grid) => [...grid.querySelectorAll("[data-cell]")].filter((cell) => cell.value.trim()).map((cell) => `${name(cell.closest("[data-trial]"))}: ${cell.value.trim()}`).join(", ");

  function submit(event) {
    const form = event.target, button = event.submitter;
    if (event.defaultPrevented || form.method !== "post" || form.enctype !== "application/x-www-form-urlencoded") return;
    event.preventDefault();
    if (busy) return; // one entry, one request: a second click meanwhile does nothing
    if (asksAgain(form.closest("[data-trial]"), false)) return;
    const fields = new FormData(form);
    if (button?.name) fields.append(button.name, button.value);
    const value = form.id === "grid" ? filled(form) : String(fields.get("value") ?? [...fields].filter(([key, text]) => text && /^(count|of|value\d+)$/.test(key)).map(([, v]) => v).join(fields.has("of") ? " of " : ", ")).trim(), isEntry = name(form) && !button?.formAction.endsWith("/let-go");
    post(button?.hasAttribute("formaction") ? button.formAction : form.action, new URLSearchParams(fields).toString(), isEntry ? `${name(form)}: ${value}` : "");
  }

  // A digit records a yes or a no, when nothing is being typed.
  function digit(event) {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
    const entry = event.target.closest("form.trial") ?? document.querySelector("form.trial");
    const button = entry?.querySelector(`[data-digit="${CSS.escape(event.key)}"]`);
    if (button && !busy && !asksAgain(entry, true)) button.click();
  }

  // ---- Several trials in a grid: down with Enter, a column of a spreadsheet at once

  const column = (input) => input.name.split("-")[0];
  const cells = (name) => [...document.querySelectorAll(`#grid [data-cell][name^="${CSS.escape(name)}-"]`)];

  function moveInGrid(event) {
    const grid = event.target.closest?.("#grid");
    if (!grid || event.target.nodeName !== "INPUT") return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); grid.requestSubmit(find("record-all")); return; }
    const step = { Enter: 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || event.isComposing) return;
    event.preventDefault();
    const all = [...grid.querySelectorAll(`input[name^="${CSS.escape(column(event.target))}-"]`)];
    const next = all[all.indexOf(event.target) + step] ?? (step > 0 ? find("record-all") : null);
    next?.focus();
    next?.select?.();
  }

  // Lines of outcomes from here on; a first column of trial numbers says where each belongs.
  function paste(event) {
    if (!event.target.matches?.("#grid [data-cell]")) return;
    const text = event.clipboardData?.getData("text") ?? "", all = cells(column(event.target)), first = all.indexOf(event.target);
    if (first < 0 || !/[\t\n]/.test(text.trim())) return;
    event.preventDefault();
    const lines = text.split(/\r?\n/).map((line) => line.split("\t").map((cell) => cell.trim())).filter((line) => line.some(Boolean));
    const byTrial = new Map(all.map((cell) => [cell.closest("[data-trial]").dataset.trial, cell]));
    const isNumbered = lines.every((line) => line.length > 1 && byTrial.has(line[0])) && new Set(lines.map((line) => line[0])).size === lines.length;
    let done = 0;
    lines.forEach((line, i) => {
      const cell = isNumbered ? byTrial.get(line[0]) : all[first + i], rest = isNumbered ? line.slice(1) : line;
      if (!cell) return;
      const row = cell.closest("[data-trial]"), inputs = [...row.querySelectorAll("[data-cell]")];
      const places = inputs.slice(inputs.indexOf(cell)); // of several measurements, from this one on
      places.slice(0, rest.length).forEach((input, k) => { input.value = rest[k]; });
      const notes = rest.slice(places.length);
      if (notes.some(Boolean)) find(`note-${row.dataset.trial}`).value = notes.join(" ").trim();
      done += 1;
    });
    const left = lines.length - done;
    tell("changed", `${done} ${done === 1 ? "line was" : "lines were"} filled in${left ? `; ${left} did not fit` : ""}. Look at them, then record them.`);
  }

  function start() {
    if (!body.dataset.live) return;
    addEventListener("submit", submit);
    addEventListener("keydown", digit);
    addEventListener("keydown", moveInGrid);
    addEventListener("paste", paste);
    addEventListener("pagehide", letGo);
    addEventListener("online", sendKept);
    setInterval(() => renewClaims().catch(() => {}), RENEW_CLAIMS);
    keep(kept());
  }

  return { start, headers, seen, compare, sendKept, isBusy: () => busy > 0 };
})();
