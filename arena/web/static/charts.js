// Small plots as SVG: lines over a number, and ratings with their errors.
"use strict";

// A colour for each of many engines, far apart for neighbours and readable on light and dark.
function shadeOf(index) {
  return `hsl(${(215 + index * 137.508) % 360} 62% 50%)`;
}

function niceTicks(low, high, count) {
  const rough = (high - low || 1) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const ticks = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + step * 1e-9; tick += step) ticks.push(+tick.toPrecision(12));
  return ticks;
}

// Draws lines. `series` is a list of { points: [[x, y], ...], style or shade }; `bounds` are dashed levels, `ticks` plain
// ones, pairs of a level and its label both; `ticks`, `low` and `high`, `from` and `to` are made where not given.
function lineChart(host, { series, bounds = [], ticks = null, low = null, high = null, from = null, to = null, xName = "", height = 190, dots = false }) {
  host.replaceChildren();
  const [width, left, right, top, bottom] = [460, 46, 10, 10, 34];
  const all = series.flatMap(({ points }) => points);
  const levels = [...all.map(([, y]) => y), ...bounds.map(([y]) => y)];
  const [minY, maxY] = [low ?? Math.min(...levels), high ?? Math.max(...levels)];
  const lastX = to ?? Math.max(1, ...all.map(([x]) => x));
  const firstX = Math.min(lastX - 1, from ?? Math.min(...all.map(([x]) => x)));
  const atX = (x) => left + ((x - firstX) / (lastX - firstX)) * (width - left - right);
  const atY = (y) => top + (1 - (y - minY) / (maxY - minY || 1)) * (height - top - bottom);
  const svg = drawn(host, "svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img" });
  for (const [y, label] of ticks ?? niceTicks(minY, maxY, 4).map((tick) => [tick, String(tick)])) {
    drawn(svg, "path", { class: y === 0 ? "zero" : "axis", d: `M${left},${atY(y)}H${width - right}` });
    drawn(svg, "text", { x: left - 6, y: atY(y) + 4, "text-anchor": "end" }, label);
  }
  for (const tick of niceTicks(firstX, lastX, 6)) {
    if (Number.isInteger(tick)) drawn(svg, "text", { x: atX(tick), y: height - bottom + 15, "text-anchor": "middle" }, String(tick));
  }
  drawn(svg, "text", { x: width - right, y: height - 4, "text-anchor": "end" }, xName);
  for (const [y, label] of bounds) {
    drawn(svg, "path", { class: "bound", d: `M${left},${atY(y)}H${width - right}` });
    drawn(svg, "text", { class: "name", x: left + 4, y: atY(y) + (y > (minY + maxY) / 2 ? 14 : -5) }, label);
  }
  for (const { points, style = "", shade = "" } of series) {
    const line = drawn(svg, "polyline", { class: `curve ${style}`, points: points.map(([x, y]) => `${atX(x)},${atY(y)}`).join(" ") });
    if (shade) line.style.stroke = shade;
    for (const [x, y] of dots || points.length === 1 ? points : []) {
      const dot = drawn(svg, "circle", { class: style, cx: atX(x), cy: atY(y), r: 2.2 });
      if (shade) dot.style.fill = shade;
    }
  }
  return { svg, atX, xAt: (place) => firstX + ((place - left) / (width - left - right)) * (lastX - firstX), top, bottom: height - bottom };
}

const BOUNDS = "95 % bounds instead of ±: the results are too few or too one-sided for an error";

// Ratings as points with bars of their intervals, best first. Of more than two engines one is the anchor, which has none.
// One-sided results have bounds: a bar, without an end where there is no bound, and a hollow point where there is a score.
function ratingChart(host, ratings) {
  const isKnown = ({ elo, low, high }) => (elo ?? low ?? high) !== null;
  const known = ratings.filter(isKnown).sort((one, other) => rankOf(other) - rankOf(one) || 0);
  const unknown = ratings.filter((rating) => !isKnown(rating)).map(({ name }) => name);
  if (unknown.length) {
    const text = `The results do not determine a rating of ${unknown.join(", ")}`;
    host.append(made("p", { className: "muted", textContent: text }));
  }
  if (!known.length) return;
  const row = 30;
  const [width, left, right] = [460, 150, 96];
  const height = known.length * row + 26;
  const ends = known.flatMap(({ elo, error, low, high }) => [elo - (error ?? 0), elo + (error ?? 0), low ?? 0, high ?? 0]);
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  const atX = (elo) => left + ((elo - least) / (most - least || 1)) * (width - left - right);
  const svg = drawn(host, "svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img" });
  for (const tick of niceTicks(least, most, 3)) {
    drawn(svg, "path", { class: tick === 0 ? "zero" : "axis", d: `M${atX(tick)},4V${height - 22}` });
    drawn(svg, "text", { x: atX(tick), y: height - 6, "text-anchor": "middle" }, String(tick));
  }
  known.forEach((rating, index) => {
    const { name, elo, error } = rating;
    const y = index * row + row / 2 + 2;
    const label = drawn(svg, "text", { class: "name", x: left - 10, y: y + 4, "text-anchor": "end" }, shorten(name, 20));
    drawn(label, "title", {}, name);
    const bounded = error === null && (rating.low !== null || rating.high !== null);
    const [low, high] = error === null ? [rating.low, rating.high] : [elo - error, elo + error];
    if (bounded || error !== null) {
      const [from, to] = [low === null ? left : atX(low), high === null ? width - right : atX(high)];
      const ticks = [[low, from], [high, to]].map(([end, x]) => (end === null ? "" : `M${x},${y - 5}v10`));
      drawn(svg, "path", { class: "curve one", d: `M${from},${y}H${to}${ticks.join("")}` });
    }
    const shown = [drawn(svg, "text", { class: "name", x: width - 2, y: y + 4, "text-anchor": "end" }, rated(rating))];
    if (elo !== null) shown.push(drawn(svg, "circle", { class: bounded ? "one open" : "one", cx: atX(elo), cy: y, r: 5 }));
    if (bounded) for (const element of shown) drawn(element, "title", {}, BOUNDS);
  });
}

// Who has won everything stands before, who has lost everything behind all others.
function rankOf({ elo, low, high }) {
  if (elo !== null) return elo;
  if (low !== null && high !== null) return (low + high) / 2;
  return low !== null ? Infinity : -Infinity;
}

// As the tables have it.
function rated({ elo, error, low, high }) {
  if (error !== null) return `${signed(elo)} ± ${error.toFixed(0)}`;
  if (low !== null && high !== null) return `${signed(low)} to ${signed(high)}`;
  if (low !== null) return `> ${signed(low)}`;
  return high === null ? `${signed(elo)} (anchor)` : `< ${signed(high)}`;
}

function shorten(text, length) {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

function signed(number) {
  return `${number > 0 ? "+" : ""}${number.toFixed(0)}`;
}

function keyOf(entries) {
  const key = made("p", { className: "key" });
  for (const [name, shade] of entries) {
    const entry = made("span", { textContent: name });
    entry.style.setProperty("--shade", shade);
    key.append(entry);
  }
  return key;
}

function made(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

function tableOf(headings, rows) {
  const table = made("table");
  table.append(made("thead", {}, made("tr", {}, ...headings.map((text) => made("th", { textContent: text, scope: "col" })))));
  table.append(made("tbody", {}, ...rows.map((cells) => made("tr", {}, ...cells.map((cell) =>
    cell instanceof Node ? cell : made("td", { textContent: cell }))))));
  return table;
}

function shortTime(ms) {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 10000 ? 2 : 1)} s`;
}
