// What the pictures on the page show: evidence over time, outcomes, histograms, error curves.
"use strict";

const goodarmCharts = (() => {
  const DASHES = ["", "8 4", "2 3", "10 3 2 3"];
  const LEADERS = 4, MOST_BINS = 30, LEAST_BINS = 5, MOST_SINGLE = 12, MOST_SHIFTED = 3, LANE = 7;

  // Colours are those of the style sheet, so that day, night and paper each have their own.
  const HUES = 6;
  const colour = (name) => `var(${name})`;
  const hue = (i) => colour(`--hue-${1 + (i % HUES)}`);
  // An option has the same colour in all pictures of a page, and keeps it while the page is open.
  const kept = new Map();
  function huesOf(names) {
    const free = new Set(Array(HUES).keys()), isFree = (i) => free.delete(i);
    const known = names.filter((name) => kept.has(name) && isFree(kept.get(name)));
    for (const name of names) if (!known.includes(name)) {
      const [first = names.indexOf(name)] = free;
      isFree(first);
      kept.set(name, first);
    }
    return new Map(names.map((name) => [name, hue(kept.get(name))]));
  }

  const last = (values) => values.findLast((v) => v !== null && v !== undefined) ?? 0;
  // The same letters that the page writes as codes: invisible ones must not hide in a picture.
  const visible = (name) => name.replace(/[\p{Cc}\p{Cf}]/gu, (c) => "\\u" + c.codePointAt(0).toString(16).padStart(4, "0"));

  // The options worth a colour: the leaders, the last and the answer; the others are thin and grey.
  function evidence(data) {
    const share = (arm) => arm.share ?? arm.W.map((w, i) => (w === null ? null : w / data.boundary[i]));
    const arms = data.arms.map((arm) => ({ name: arm.name, share: share(arm) }));
    const order = [...arms].sort((a, b) => last(b.share) - last(a.share));
    const chosen = new Set([...order.slice(0, LEADERS), ...order.slice(-1)]);
    arms.filter((arm) => arm.name === data.answer).forEach((arm) => chosen.add(arm));
    const line = (arm) => arm.share.map((y, i) => [data.t[i], y]);
    const grey = arms.filter((arm) => !chosen.has(arm)).map((arm) => ({ name: visible(arm.name), points: line(arm), colour: colour("--line"), width: 1, quiet: true }));
    const drawn = order.filter((arm) => chosen.has(arm)), hues = huesOf(drawn.map((arm) => arm.name));
    const coloured = drawn.map((arm, i) => ({
      name: visible(arm.name), points: line(arm), colour: hues.get(arm.name), width: arm.name === data.answer ? 3 : 1.8, dash: DASHES[Math.floor(i / 2) % DASHES.length],
    }));
    return { x: "trials", y: "evidence, as a share of what is needed", whole: true, percent: true, series: [...grey, ...coloured], levels: [{ y: 1, name: "good" }, { y: -1, name: "ruled out" }] };
  }

  function outcomes(data) {
    const counts = new Map();
    data.outcomes.forEach((o) => counts.set(o.arm, (counts.get(o.arm) ?? 0) + 1));
    const most = [...counts].sort((a, b) => b[1] - a[1]).slice(0, HUES).map(([name]) => name);
    const hues = huesOf(most);
    const points = (is) => data.outcomes.filter(is).map((o) => [o.trial, o.value]);
    const isFew = new Set(data.outcomes.map((o) => o.value)).size <= MOST_SHIFTED; // then dots would cover each other
    const shift = (i) => (isFew ? LANE * (i - (most.length - 1) / 2) : 0);
    const series = most.map((name, i) => ({ name: visible(name), points: points((o) => o.arm === name), colour: hues.get(name), dots: i, shift: shift(i) }));
    const rest = points((o) => !most.includes(o.arm));
    if (rest.length) series.unshift({ name: "others", points: rest, colour: colour("--soft"), dots: 0, quiet: true });
    return { x: "trial", y: "outcome", whole: true, series, levels: data.threshold === null ? [] : [{ y: data.threshold, name: "the bar" }], legend: most.length > 1, cut: data.cut };
  }

  // One bar for each value where there are few, such as 0 and 1; otherwise equal bins.
  function histogram(data) {
    const values = data.outcomes.map((o) => o.value), single = [...new Set(values)].sort((a, b) => a - b);
    const low = Math.min(...values), high = Math.max(...values);
    const isSingle = single.length <= MOST_SINGLE && single.every(Number.isInteger);
    let edges;
    if (isSingle) {
      const half = Math.min(0.5, ...single.slice(1).map((v, i) => (v - single[i]) / 2)) * 0.5;
      edges = single.map((v) => [v - half, v + half]);
    } else {
      const bins = low < high ? Math.min(MOST_BINS, Math.max(LEAST_BINS, Math.ceil(Math.sqrt(values.length)))) : 1, step = (high - low) / bins || 1;
      edges = [...Array(bins)].map((_, i) => [low + i * step, i === bins - 1 && bins > 1 ? high : low + (i + 1) * step]);
    }
    const isIn = ([from, to], i) => (v) => v >= from && (i === edges.length - 1 || isSingle ? v <= to : v < to);
    const many = (high) => (isSingle ? `${high} of ${values.length}` : "");
    const bars = edges.map((edge, i) => values.filter(isIn(edge, i)).length).map((high, i) => ({ from: edges[i][0], to: edges[i][1], high, text: many(high), colour: hue(1) }));
    const marks = [...(data.threshold === null ? [] : [{ x: data.threshold, name: "the bar" }]), { x: values.reduce((sum, v) => sum + v, 0) / values.length, name: "average", dash: "2 3" }];
    return { x: "outcome", y: "how many", bars: values.length ? bars : [], at: isSingle ? single : null, series: [], levels: [], marks, cut: data.cut };
  }

  function errors(data) {
    const watched = (data.plan?.algorithms ?? []).filter((a) => Object.keys(a.error_rates_by_budget).length);
    const series = watched.map((a, i) => ({
      name: visible(a.algorithm), colour: hue(i), dash: DASHES[i % DASHES.length], width: 2, marked: true,
      points: Object.entries(a.error_rates_by_budget).map(([t, rate]) => [Number(t), rate?.value ?? null]),
    }));
    return { x: "trials", y: "share of wrong answers", whole: true, series, levels: [] };
  }

  const KINDS = { evidence, outcomes, histogram, errors };

  function draw(box) {
    const picture = KINDS[box.dataset.chart](box.data);
    if (!picture.series.some((s) => s.points.length) && !picture.bars?.length) {
      const words = document.createElement("p");
      words.className = "hint";
      words.textContent = "The chart begins with the first outcome.";
      box.replaceChildren(words);
      return;
    }
    goodarmDrawing.show(box, picture);
  }

  async function refresh() {
    for (const box of document.querySelectorAll("[data-chart]")) {
      const answer = await fetch(box.dataset.source, { headers: { Accept: "application/json" } });
      if (answer.ok) { box.data = await answer.json(); draw(box); }
    }
  }

  const redraw = () => document.querySelectorAll("[data-chart]").forEach((box) => box.data && draw(box));
  let waiting = 0;
  addEventListener("resize", () => { clearTimeout(waiting); waiting = setTimeout(redraw, 150); });
  return { refresh };
})();
