// Bringing a page up to date in place, so that focus, typed text and open details stay as they are.
"use strict";

const goodarmRenewing = (() => {
  const isTyped = (node) => node.matches("input:not([type=hidden]), textarea, select");

  // What the browser holds, such as a chart, is its own; so is whether details are open.
  function attributes(now, then) {
    const kept = (name) => name === "open" || (name === "value" && isTyped(now) && now.value) || (name === "hidden" && "keep" in now.dataset);
    for (const { name } of [...now.attributes]) if (!then.hasAttribute(name) && !kept(name)) now.removeAttribute(name);
    for (const { name, value } of then.attributes) {
      if (name !== "autofocus" && !kept(name) && now.getAttribute(name) !== value) now.setAttribute(name, value);
    }
  }

  const isSame = (now, then) => now.nodeName === then.nodeName && (now.id ?? "") === (then.id ?? "");

  function become(now, then) {
    if (now.isEqualNode(then)) return;
    if (now.nodeType !== Node.ELEMENT_NODE) { now.nodeValue = then.nodeValue; return; }
    attributes(now, then);
    if (!("keep" in now.dataset) && now.nodeName !== "TEXTAREA") children(now, then);
  }

  function children(now, then) {
    const named = new Map([...now.children].filter((child) => child.id).map((child) => [child.id, child]));
    let next = now.firstChild;
    for (const child of then.childNodes) {
      while (next && "stay" in (next.dataset ?? {}) && next.id !== child.id) next = next.nextSibling;
      const own = child.id ? named.get(child.id) : next && !next.id && isSame(next, child) ? next : null;
      if (!own || !isSame(own, child)) {
        const copy = document.importNode(child, true);
        copy.querySelectorAll?.("[autofocus]").forEach((element) => element.removeAttribute("autofocus"));
        now.insertBefore(copy, next);
        continue;
      }
      if (own === next) next = next.nextSibling; else now.insertBefore(own, next);
      become(own, child);
    }
    while (next) {
      const gone = next;
      next = next.nextSibling;
      if (!("stay" in (gone.dataset ?? {}))) gone.remove();
    }
  }

  const read = (text) => new DOMParser().parseFromString(text, "text/html");

  function common(fresh) {
    document.title = fresh.title;
    for (const name of ["events", "poll", "live", "at", "view"]) {
      if (name in fresh.body.dataset) document.body.dataset[name] = fresh.body.dataset[name]; else delete document.body.dataset[name];
    }
  }

  // As another look at the same address shows it now.
  function update(text) {
    const fresh = read(text);
    common(fresh);
    children(document.querySelector("main"), fresh.querySelector("main"));
  }

  // The answer to what someone has done here: the page begins anew, but for what the browser holds.
  function replace(text) {
    const fresh = read(text), main = document.querySelector("main"), copy = document.importNode(fresh.querySelector("main"), true);
    const kept = [...main.querySelectorAll("[data-keep][id]")];
    common(fresh);
    for (const node of kept) copy.querySelector(`#${CSS.escape(node.id)}`)?.replaceWith(node);
    main.replaceChildren(...copy.childNodes);
    (main.querySelector("[autofocus]") ?? main.querySelector("#error"))?.focus();
    main.querySelector("#error")?.scrollIntoView({ block: "nearest" });
  }

  return { update, replace };
})();
