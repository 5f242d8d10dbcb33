// Charts by uPlot: the evidence over time, and error curves. Colours come from the style sheet.
"use strict";

const goodarmCharts = (() => {
  const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3]];
  const HUES = [["#1f6f5c", "#4fb79b"], ["#2f6fb3", "#7db4ee"], ["#a0522d", "#e0a070"], ["#7a4d9f", "#c39be6"], ["#8a6d00", "#dcc25c"], ["#b0326b", "#f08ab8"]];
  const WHOLE = [1, 2, 5].flatMap((s) => [0, 1, 2, 3, 4, 5, 6].map((e) => s * 10 ** e)).sort((a, b) => a - b);
  const drawn = new Map();

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const isDark = () => matchMedia("(prefers-color-scheme: dark)").matches;
  const hue = (i) => HUES[i % HUES.length][isDark() ? 1 : 0];
  const number = (u, v) => (v === null || v === undefined ? "–" : Number(v.toPrecision(3)).toString());
  // The same letters that the page writes as codes: invisible ones must not hide in a legend.
  const visible = (name) => name.replace(/[\p{Cc}\p{Cf}]/gu, (c) => "\\u" + c.codePointAt(0).toString(16).padStart(4, "0"));

  function axis(label) {
    return { label, stroke: colour("--soft"), labelSize: 22, grid: { stroke: colour("--line"), width: 1 }, ticks: { stroke: colour("--line") }, font: "12px system-ui", labelFont: "12px system-ui" };
  }

  // The arms worth a colour: the leaders and the last; the others are thin and grey.
  function evidence(data) {
    // W against the paper's boundary, or shares of the way against 1 and −1.
    const values = (arm) => arm.W ?? arm.share;
    const last = (arm) => values(arm)[values(arm).length - 1] ?? 0;
    const level = data.boundary ?? data.t.map(() => 1);
    const order = [...data.arms].sort((a, b) => last(b) - last(a));
    const leaders = new Set([...order.slice(0, 4), ...order.slice(-1)].map((arm) => arm.name));
    if (data.answer) leaders.add(data.answer);
    let i = 0;
    const chosen = data.arms.filter((arm) => leaders.has(arm.name));
    const others = data.arms.filter((arm) => !leaders.has(arm.name));
    const series = [{ label: "trials" }];
    const columns = [data.t];
    for (const arm of others) {
      series.push({ label: visible(arm.name), stroke: colour("--line"), width: 1, points: { show: false }, value: number });
      columns.push(values(arm));
    }
    for (const arm of chosen) {
      const mark = i++;
      series.push({ label: visible(arm.name), stroke: hue(mark), width: arm.name === data.answer ? 3 : 1.7, dash: DASHES[Math.floor(mark / 2) % DASHES.length], points: { show: data.t.length < 3 }, value: number });
      columns.push(values(arm));
    }
    for (const sign of [1, -1]) {
      series.push({ label: sign > 0 ? "named" : "ruled out", stroke: colour("--ink"), dash: [5, 4], width: 1.5, points: { show: false }, value: number });
      columns.push(level.map((b) => sign * b));
    }
    return { columns, series, skip: others.length, y: data.boundary ? "evidence W" : "share of the way", x: "trials" };
  }

  function errors(data) {
    const watched = (data.plan?.algorithms ?? []).filter((a) => Object.keys(a.error_rates_by_budget).length);
    const times = Object.keys(watched[0]?.error_rates_by_budget ?? {}).map(Number);
    const series = [{ label: "trials" }];
    const columns = [times];
    watched.forEach((a, i) => {
      series.push({ label: visible(a.algorithm), stroke: hue(i), dash: DASHES[i % DASHES.length], width: 2, points: { show: true }, value: (u, v) => (v === null || v === undefined ? "–" : (100 * v).toFixed(1) + " %") });
      columns.push(times.map((t) => a.error_rates_by_budget[t]?.value ?? null));
    });
    return { columns, series, skip: 0, y: "share of wrong answers", x: "trials" };
  }

  const KINDS = { evidence, errors };

  function draw(box, data) {
    const picture = KINDS[box.dataset.chart](data);
    drawn.get(box)?.destroy();
    box.replaceChildren();
    if (!picture.columns[0].length) {
      const words = document.createElement("p");
      words.className = "hint";
      words.textContent = "The chart begins with the first outcome.";
      box.append(words);
      return;
    }
    const chart = new uPlot({
      width: Math.max(240, box.clientWidth), height: 320, scales: { x: { time: false } },
      series: picture.series, axes: [{ ...axis(picture.x), incrs: WHOLE }, axis(picture.y)], cursor: { drag: { x: true, y: false } },
    }, picture.columns, box);
    // Grey lines need no entry in the legend.
    box.querySelectorAll(".u-legend .u-series").forEach((row, i) => { row.hidden = i > 0 && i <= picture.skip; });
    box.querySelector("canvas").setAttribute("role", "img");
    box.querySelector("canvas").setAttribute("aria-label", `${picture.y} against ${picture.x}; the numbers are in the table`);
    drawn.set(box, chart);
  }

  async function refresh() {
    for (const box of document.querySelectorAll("[data-chart]")) {
      const answer = await fetch(box.dataset.source, { headers: { Accept: "application/json" } });
      if (answer.ok) { box.data = await answer.json(); draw(box, box.data); }
    }
  }

  const redraw = () => document.querySelectorAll("[data-chart]").forEach((box) => box.data && draw(box, box.data));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  let waiting = 0;
  addEventListener("resize", () => { clearTimeout(waiting); waiting = setTimeout(redraw, 150); });
  return { refresh };
})();
