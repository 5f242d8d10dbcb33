// Drawing a picture as SVG: axes, lines, dots and bars, with names beside their lines, a stretch to
// look at more closely, and files to take away. A picture is a list of shapes first, so that the same
// list becomes an SVG or, dot by dot, a PNG.
"use strict";

const goodarmDrawing = (() => {
  const HEIGHT = 320, TOP = 16, BOTTOM = 44, LEFT = 64, GAP = 15, FONT = 12, FAMILY = "system-ui, sans-serif";
  const look = { ink: "var(--ink)", soft: "var(--soft)", line: "var(--line)", card: "var(--card)", mark: "var(--mark)" };
  const MOST_OF_WIDTH = 0.3, SHORTEST = 24, FINEST = 4;
  const SVG = "http://www.w3.org/2000/svg";

  const number = (v) => (v === null || v === undefined ? "–" : Number(v.toPrecision(4)).toLocaleString("en-US", { maximumFractionDigits: 12 }).replace(/^-/, "−"));

  // Round numbers, about so many, and two of them where that can be.
  function ticks(low, high, whole, many = 5) {
    const raw = (high - low) / many, size = 10 ** Math.floor(Math.log10(raw));
    const at = (step) => {
      const first = Math.ceil(low / step - 1e-9);
      return [...Array(Math.max(0, Math.floor(high / step + 1e-9) - first + 1))].map((_, i) => (first + i) * step);
    };
    const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10].map((s) => s * size).filter((s) => !whole || s >= 1);
    const small = steps.filter((step) => step < raw).reverse(), large = steps.find((step) => step >= raw) ?? 1;
    return [large, ...small].map(at).find((numbers) => numbers.length > 1) ?? at(large);
  }

  const ruler = document.createElement("canvas").getContext("2d");
  ruler.font = `600 ${FONT}px ${FAMILY}`;
  const wide = (text) => ruler.measureText(text).width;

  function short(text, width) {
    if (wide(text) <= width) return text;
    let end = text.length - 1;
    while (end > 1 && wide(`${text.slice(0, end)}…`) > width) end -= 1;
    return `${text.slice(0, end)}…`;
  }

  // Of either side of nothing, how much: nobody needs to know what a negative share is.
  const share = (v) => `${number(Math.abs(100 * v))} %`;
  const way = (v) => (v ? `${share(v)} towards ${v > 0 ? "good" : "ruled out"}` : number(v));

  function extent(picture, from, to) {
    const inside = picture.series.flatMap((s) => s.points).filter(([x, y]) => y !== null && x >= from && x <= to).map(([, y]) => y);
    const all = [...inside, ...picture.levels.map((l) => l.y), ...(picture.bars ? [0, ...picture.bars.map((b) => b.high)] : [])];
    let low = Math.min(...all), high = Math.max(...all);
    if (low === high) { low -= 0.5; high += 0.5; }
    const room = 0.06 * (high - low);
    return picture.bars ? [low, high + 0.25 * (high - low)] : [low - room, high + room];
  }

  // Names beside the ends of their lines, moved apart where they would cover each other.
  function names(ends, top, bottom) {
    ends.sort((a, b) => a.at - b.at);
    ends.forEach((end, i) => { end.y = Math.max(end.at, i ? ends[i - 1].y + GAP : top); });
    for (let i = ends.length - 1, most = bottom; i >= 0; most = ends[i--].y - GAP) ends[i].y = Math.min(ends[i].y, most);
    return ends;
  }

  function dot(kind, x, y, fill) {
    if (kind % 3 === 1) return { kind: "rect", x: x - 3, y: y - 3, width: 6, height: 6, fill };
    if (kind % 3 === 2) return { kind: "lines", points: [[x, y - 4], [x + 4, y + 3], [x - 4, y + 3], [x, y - 4]], stroke: fill, width: 1.6 };
    return { kind: "circle", x, y, r: 3, fill };
  }

  function shapes(picture, width, zoom) {
    const xs = [...picture.series.flatMap((s) => s.points.map(([x]) => x)), ...(picture.bars ?? []).flatMap((b) => [b.from, b.to]), ...(picture.marks ?? []).map((m) => m.x)];
    const labelled = picture.series.filter((s) => !s.quiet && s.dots === undefined);
    const widest = Math.max(0, ...labelled.map((s) => wide(s.name) + 14));
    const right = labelled.length ? Math.min(widest, MOST_OF_WIDTH * width) : 14;
    let [from, to] = zoom ?? [Math.min(...xs), Math.max(...xs)];
    if (from === to) { from -= 0.5; to += 0.5; }
    if (picture.bars) { const room = 0.04 * (to - from); from -= room; to += room; }
    const [low, high] = extent(picture, from, to);
    const area = { left: LEFT, right: width - right, top: TOP, bottom: HEIGHT - BOTTOM };
    const x = (v) => area.left + ((v - from) / (to - from)) * (area.right - area.left);
    const y = (v) => area.bottom - ((v - low) / (high - low)) * (area.bottom - area.top);
    const list = [];
    for (const tick of ticks(low, high, Boolean(picture.bars))) {
      list.push({ kind: "lines", points: [[area.left, y(tick)], [area.right, y(tick)]], stroke: look.line, width: 1 });
      list.push({ kind: "text", x: area.left - 7, y: y(tick) + 4, text: picture.percent ? share(tick) : number(tick), fill: look.soft, anchor: "end" });
    }
    const below = picture.at?.filter((v) => v >= from && v <= to) ?? ticks(from, to, picture.whole, Math.max(2, Math.floor(width / 130)));
    for (const tick of below) {
      list.push({ kind: "lines", points: [[x(tick), area.bottom], [x(tick), area.bottom + 4]], stroke: look.soft, width: 1 });
      list.push({ kind: "text", x: x(tick), y: area.bottom + 17, text: number(tick), fill: look.soft, anchor: "middle" });
    }
    list.push({ kind: "text", x: (area.left + area.right) / 2, y: HEIGHT - 6, text: picture.x, fill: look.soft, anchor: "middle" });
    list.push({ kind: "text", x: 13, y: (area.top + area.bottom) / 2, text: picture.y, fill: look.soft, anchor: "middle", turned: true });
    for (const bar of picture.bars ?? []) list.push({ kind: "rect", x: x(bar.from), y: y(bar.high), width: Math.max(1, x(bar.to) - x(bar.from) - 1), height: y(0) - y(bar.high), fill: bar.colour, name: `${number(bar.from)} to ${number(bar.to)}: ${bar.high}` });
    for (const bar of picture.bars ?? []) if (bar.text && wide(bar.text) < x(bar.to) - x(bar.from) + 20) list.push({ kind: "text", x: x((bar.from + bar.to) / 2), y: y(bar.high) - 5, text: bar.text, fill: look.ink, anchor: "middle", bold: true });
    for (const [i, { x: at, name, dash }] of (picture.marks ?? []).entries()) {
      const isLeft = x(at) > area.right - 60;
      list.push({ kind: "lines", points: [[x(at), area.top], [x(at), area.bottom]], stroke: look.ink, width: 1.5, dash: dash ?? "5 4" });
      list.push({ kind: "text", x: x(at) + (isLeft ? -5 : 5), y: area.top + 4 + i * GAP, text: name, fill: look.ink, anchor: isLeft ? "end" : "start" });
    }
    const isIn = ([at, value]) => value !== null && value !== undefined && at >= from && at <= to;
    const ends = [];
    for (const series of picture.series) {
      const points = series.points.filter(isIn).map(([at, value]) => [x(at), y(value) + (series.shift ?? 0)]);
      if (!points.length) continue;
      if (series.dots !== undefined) list.push(...points.map(([px, py]) => dot(series.dots, px, py, series.colour)));
      else {
        list.push({ kind: "lines", points, stroke: series.colour, width: series.width, dash: series.dash, name: series.name });
        if (series.marked || points.length < 3) list.push(...points.map(([px, py]) => dot(0, px, py, series.colour)));
      }
      if (!series.quiet && series.dots === undefined) ends.push({ at: points[points.length - 1][1], from: points[points.length - 1][0], series });
    }
    for (const level of picture.levels) {
      list.push({ kind: "lines", points: [[area.left, y(level.y)], [area.right, y(level.y)]], stroke: look.ink, width: 1.3, dash: "5 4" });
      list.push({ kind: "text", x: area.left + 5, y: y(level.y) - 5, text: level.name, fill: look.ink, anchor: "start", stroke: look.card });
    }
    for (const end of names(ends, area.top + 4, area.bottom)) {
      list.push({ kind: "lines", points: [[end.from, end.at], [area.right + 6, end.y]], stroke: end.series.colour, width: 0.7 });
      list.push({ kind: "text", x: area.right + 9, y: end.y + 4, text: short(end.series.name, right - 12), title: end.series.name, fill: end.series.colour, bold: true });
    }
    return { list, area, stretch: { from, to }, value: (px) => from + ((px - area.left) / (area.right - area.left)) * (to - from), x };
  }

  const element = (name, attributes) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) if (value !== undefined && value !== "") made.setAttribute(key, value);
    return made;
  };
  const round = (v) => Math.round(v * 100) / 100;

  function asSvg(list, width, label) {
    const svg = element("svg", { xmlns: SVG, width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": label, "font-family": FAMILY, "font-size": FONT });
    for (const s of list) {
      let made;
      if (s.kind === "lines") made = element("polyline", { points: s.points.map((p) => p.map(round).join()).join(" "), fill: "none", stroke: s.stroke, "stroke-width": s.width, "stroke-dasharray": s.dash, "stroke-linejoin": "round" });
      else if (s.kind === "circle") made = element("ellipse", { cx: round(s.x), cy: round(s.y), rx: s.r, ry: s.r, fill: s.fill });
      else if (s.kind === "rect") made = element("rect", { x: round(s.x), y: round(s.y), width: round(s.width), height: round(Math.max(0, s.height)), fill: s.fill });
      else {
        // What a name stands on keeps lines away from it.
        const ground = s.stroke && { stroke: s.stroke, "stroke-width": 4, "stroke-linejoin": "round", "paint-order": "stroke" };
        made = element("text", { ...ground, x: round(s.x), y: round(s.y), fill: s.fill, "text-anchor": s.anchor, "font-weight": s.bold ? 600 : undefined, transform: s.turned ? `rotate(-90 ${round(s.x)} ${round(s.y)})` : undefined });
        made.textContent = s.text;
      }
      if (s.title ?? s.name) made.append(Object.assign(document.createElementNS(SVG, "title"), { textContent: s.title ?? s.name }));
      svg.append(made);
    }
    return svg;
  }

  function asCanvas(list, width, ground) {
    const canvas = Object.assign(document.createElement("canvas"), { width: 2 * width, height: 2 * HEIGHT }), pen = canvas.getContext("2d");
    pen.scale(2, 2);
    pen.fillStyle = ground;
    pen.fillRect(0, 0, width, HEIGHT);
    for (const s of list) {
      pen.save();
      if (s.kind === "lines") {
        Object.assign(pen, { strokeStyle: s.stroke, lineWidth: s.width, lineJoin: "round" });
        pen.setLineDash((s.dash || "").split(" ").filter(Boolean).map(Number));
        pen.beginPath();
        s.points.forEach(([px, py], i) => (i ? pen.lineTo(px, py) : pen.moveTo(px, py)));
        pen.stroke();
      } else if (s.kind === "circle") { pen.fillStyle = s.fill; pen.beginPath(); pen.arc(s.x, s.y, s.r, 0, 7); pen.fill();
      } else if (s.kind === "rect") { pen.fillStyle = s.fill; pen.fillRect(s.x, s.y, s.width, s.height);
      } else {
        Object.assign(pen, { fillStyle: s.fill, font: `${s.bold ? "600 " : ""}${FONT}px ${FAMILY}`, textAlign: { middle: "center", end: "right" }[s.anchor] ?? "left" });
        pen.translate(s.x, s.y);
        if (s.turned) pen.rotate(-Math.PI / 2);
        if (s.stroke) { Object.assign(pen, { strokeStyle: s.stroke, lineWidth: 4, lineJoin: "round" }); pen.strokeText(s.text, 0, 0); }
        pen.fillText(s.text, 0, 0);
      }
      pen.restore();
    }
    return canvas;
  }

  // For a file: the colours of the day, worked out, whatever the page looks like now.
  function forFile(list) {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.colorScheme = "light";
    const plain = (colour) => { probe.style.color = colour; return getComputedStyle(probe).color; };
    const made = list.map((s) => ({ ...s, ...(s.fill && { fill: plain(s.fill) }), ...(s.stroke && { stroke: plain(s.stroke) }) }));
    probe.remove();
    return made;
  }

  function save(blob, name) {
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  const button = (title, work) => Object.assign(document.createElement("button"), { type: "button", className: "quiet", textContent: title, onclick: work });

  function show(box, picture) {
    const width = Math.max(260, box.clientWidth);
    const drawn = shapes(picture, width, box.zoom);
    const label = `${picture.y} against ${picture.x}; the numbers are in the table`;
    const svg = asSvg(drawn.list, width, label);
    const again = () => show(box, picture);
    const name = `${box.id || "chart"}`;
    const tools = document.createElement("p");
    tools.className = "tools";
    if (picture.legend) {
      const legend = document.createElement("span");
      legend.className = "legend";
      picture.series.filter((s) => !s.quiet).forEach((s) => {
        const sample = element("svg", { width: 12, height: 12, "aria-hidden": "true" });
        sample.append(...asSvg([dot(s.dots, 6, 6, s.colour)], 12, "").childNodes);
        const entry = document.createElement("span");
        entry.append(sample, ` ${short(s.name, 150)}`);
        legend.append(entry, " ");
      });
      tools.append(legend);
    }
    const readout = Object.assign(document.createElement("span"), { className: "readout hint", textContent: picture.cut ? "The latest outcomes. " : "" });
    readout.setAttribute("aria-hidden", "true");
    tools.append(readout);
    const { from, to } = drawn.stretch;
    if (!picture.bars && to - from > FINEST) tools.append(button("Latest half", () => { box.zoom = [(from + to) / 2, to]; again(); }));
    if (box.zoom) tools.append(button("Show all of it", () => { box.zoom = undefined; again(); }));
    tools.append(
      button("SVG", () => save(new Blob([new XMLSerializer().serializeToString(asSvg(forFile(drawn.list), width, label))], { type: "image/svg+xml" }), `${name}.svg`)),
      button("PNG", () => asCanvas(forFile(drawn.list), width, "#fff").toBlob((blob) => save(blob, `${name}.png`))),
    );
    box.replaceChildren(svg, tools);
    if (!picture.bars) pointing(box, svg, drawn, picture, readout, again);
  }

  // Drag over a stretch to see it more closely; point at it to read the numbers.
  function pointing(box, svg, drawn, picture, readout, again) {
    const { area } = drawn, at = (event) => Math.min(area.right, Math.max(area.left, event.clientX - svg.getBoundingClientRect().left));
    let start = null;
    const band = element("rect", { y: area.top, height: area.bottom - area.top, fill: look.mark, opacity: 0.18 });
    const nearest = (points, v) => points.reduce((best, p) => (p[1] !== null && Math.abs(p[0] - v) < Math.abs(best[0] - v) ? p : best), [Infinity, null]);
    svg.addEventListener("pointerdown", (event) => { start = at(event); if (event.pointerType === "mouse") event.preventDefault(); });
    svg.addEventListener("pointermove", (event) => {
      if (start !== null) {
        const now = at(event);
        band.setAttribute("x", Math.min(start, now));
        band.setAttribute("width", Math.abs(now - start));
        if (!band.isConnected) svg.append(band);
        return;
      }
      if (picture.series.some((s) => s.dots !== undefined)) return;
      const value = drawn.value(at(event)), shown = picture.series.filter((s) => !s.quiet);
      const [where] = nearest(shown[0]?.points ?? [], value);
      if (Number.isFinite(where)) readout.textContent = `${picture.x} ${number(where)}: ${shown.map((s) => `${short(s.name, 90)} ${(picture.percent ? way : number)(nearest(s.points, where)[1])}`).join(", ")}`;
    });
    const end = (event) => {
      if (start === null) return;
      const [from, to] = [start, at(event)].sort((a, b) => a - b);
      start = null;
      band.remove();
      if (to - from < SHORTEST) return;
      box.zoom = [drawn.value(from), drawn.value(to)];
      again();
    };
    svg.addEventListener("pointerup", end);
    svg.addEventListener("pointerleave", end);
    svg.addEventListener("dblclick", () => { box.zoom = undefined; again(); });
  }

  return { show };
})();
