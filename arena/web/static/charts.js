// Small SVG plots for reports and reviews, and helpers that the other pages use too: elements, tables and formatted numbers.
// `addSvg` comes from board.js.
"use strict";

// Returns the colour of an engine. The golden angle, 137.5 degrees, keeps the hues of neighbours far apart; the lightness
// is readable on light and dark.
function engineColour(index) {
  return `hsl(${(215 + index * 137.508) % 360} 62% 50%)`;
}

// Returns about `count` round numbers from `low` to `high`, in steps of 1, 2 or 5 times a power of ten.
function niceTicks(low, high, count) {
  const rough = (high - low || 1) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const ticks = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + step * 1e-9; tick += step) ticks.push(+tick.toPrecision(12));
  return ticks;
}

// Draws curves and returns the scales of the plot. `series` is a list of { points: [[x, y], ...], and style (a CSS class)
// or colour }. `bounds` (dashed) and `ticks` are horizontal lines: pairs of y and label. `low` and `high` limit y, `from`
// and `to` limit x; limits and ticks that are null are computed from the points, those of y also from the bounds.
function drawLineChart(host, { series, bounds = [], ticks = null, low = null, high = null, from = null, to = null, xName = "", height = 190, dots = false }) {
  host.replaceChildren();
  const [width, left, right, top, bottom] = [460, 46, 10, 10, 34];
  const all = series.flatMap(({ points }) => points);
  const allY = [...all.map(([, y]) => y), ...bounds.map(([y]) => y)];
  const [minY, maxY] = [low ?? Math.min(...allY), high ?? Math.max(...allY)];
  const lastX = to ?? Math.max(1, ...all.map(([x]) => x));
  const firstX = Math.min(lastX - 1, from ?? Math.min(...all.map(([x]) => x)));
  const atX = (x) => left + ((x - firstX) / (lastX - firstX)) * (width - left - right);
  const atY = (y) => top + (1 - (y - minY) / (maxY - minY || 1)) * (height - top - bottom);
  const svg = addSvg(host, "svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img" });
  for (const [y, label] of ticks ?? niceTicks(minY, maxY, 4).map((tick) => [tick, String(tick)])) {
    addSvg(svg, "path", { class: y === 0 ? "zero" : "axis", d: `M${left},${atY(y)}H${width - right}` });
    addSvg(svg, "text", { x: left - 6, y: atY(y) + 4, "text-anchor": "end" }, label);
  }
  for (const tick of niceTicks(firstX, lastX, 6)) {
    if (Number.isInteger(tick)) addSvg(svg, "text", { x: atX(tick), y: height - bottom + 15, "text-anchor": "middle" }, String(tick));
  }
  addSvg(svg, "text", { x: width - right, y: height - 4, "text-anchor": "end" }, xName);
  for (const [y, label] of bounds) {
    addSvg(svg, "path", { class: "bound", d: `M${left},${atY(y)}H${width - right}` });
    addSvg(svg, "text", { class: "name", x: left + 4, y: atY(y) + (y > (minY + maxY) / 2 ? 14 : -5) }, label);
  }
  for (const { points, style = "", colour = "" } of series) {
    const line = addSvg(svg, "polyline", { class: `curve ${style}`, points: points.map(([x, y]) => `${atX(x)},${atY(y)}`).join(" ") });
    if (colour) line.style.stroke = colour;
    for (const [x, y] of dots || points.length === 1 ? points : []) {
      const dot = addSvg(svg, "circle", { class: style, cx: atX(x), cy: atY(y), r: 2.2 });
      if (colour) dot.style.fill = colour;
    }
  }
  return { svg, atX, xAt: (pixels) => firstX + ((pixels - left) / (width - left - right)) * (lastX - firstX), top, bottom: height - bottom };
}

const BOUNDS_NOTE = "95 % bounds instead of ±: the results are too few or too one-sided for a symmetric interval";

// Draws ratings as points with bars for their 95 % intervals, best first. Without anchors ratings are differences, which
// have a sign, and the plot includes 0; an anchor or reference has no interval. One-sided results have bounds instead: the bar runs to the edge of the plot if one bound is
// missing, and the point, if there is an Elo value, is hollow.
function drawRatings(host, ratings, hasAnchors) {
  const isKnown = ({ elo, low, high }) => (elo ?? low ?? high) !== null;
  const known = ratings.filter(isKnown).sort((one, other) => ratingOrder(other) - ratingOrder(one) || 0); // NaN for two infinite keys
  const unknown = ratings.filter((rating) => !isKnown(rating)).map(({ name }) => name);
  if (unknown.length) {
    const text = `The results do not determine a rating of ${unknown.join(", ")}`;
    host.append(makeElement("p", { className: "muted", textContent: text }));
  }
  if (!known.length) return;
  const row = 30;
  const [width, left, right] = [460, 150, 96];
  const height = known.length * row + 26;
  const ends = known.flatMap(({ elo, half_width: half, low, high }) => [low, high, ...(elo === null ? [] : [elo - (half ?? 0), elo + (half ?? 0)])]).filter((end) => end !== null);
  if (!hasAnchors) ends.push(0);
  const [min, max] = [Math.min(...ends), Math.max(...ends)];
  const atX = (elo) => left + ((elo - min) / (max - min || 1)) * (width - left - right);
  const svg = addSvg(host, "svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img" });
  for (const tick of niceTicks(min, max, 3)) {
    addSvg(svg, "path", { class: tick === 0 ? "zero" : "axis", d: `M${atX(tick)},4V${height - 22}` });
    addSvg(svg, "text", { x: atX(tick), y: height - 6, "text-anchor": "middle" }, String(tick));
  }
  known.forEach((rating, index) => {
    const { name, elo, half_width: half } = rating;
    const y = index * row + row / 2 + 2;
    const label = addSvg(svg, "text", { class: "name", x: left - 10, y: y + 4, "text-anchor": "end" }, shorten(name, 20));
    addSvg(label, "title", {}, name);
    const isBounded = half === null && (rating.low !== null || rating.high !== null);
    const [low, high] = half === null ? [rating.low, rating.high] : [elo - half, elo + half];
    if (isBounded || half !== null) {
      const [from, to] = [low === null ? left : atX(low), high === null ? width - right : atX(high)];
      const endTicks = [[low, from], [high, to]].map(([end, x]) => (end === null ? "" : `M${x},${y - 5}v10`));
      addSvg(svg, "path", { class: "curve one", d: `M${from},${y}H${to}${endTicks.join("")}` });
    }
    const drawn = [addSvg(svg, "text", { class: "name", x: width - 2, y: y + 4, "text-anchor": "end" }, formatRating(rating, hasAnchors ? formatPlain : formatSigned))];
    if (elo !== null) drawn.push(addSvg(svg, "circle", { class: isBounded ? "one open" : "one", cx: atX(elo), cy: y, r: 5 }));
    if (isBounded) for (const element of drawn) addSvg(element, "title", {}, BOUNDS_NOTE);
  });
}

// Returns the sort key of a rating: engines that won everything come first, those that lost everything come last.
function ratingOrder({ elo, low, high }) {
  if (elo !== null) return elo;
  if (low !== null && high !== null) return (low + high) / 2;
  return low !== null ? Infinity : -Infinity;
}

// Formats a rating, such as "+12 ± 5", "-20 to +35" or "at least -20". `half_width` is that of the 95 % interval; `low`
// and `high` are bounds instead of it, null for an open end. The rating of an anchor is given, as in "2300 (anchor)"; an
// engine that is alone in its reference is "0 (reference)". `format` formats a number of Elo.
function formatRating({ elo, half_width: half, low, high, is_anchor: isAnchor }, format) {
  if (half !== null) return `${format(elo)} ± ${half.toFixed(0)}`;
  if (low !== null && high !== null) return `${format(low)} to ${format(high)}`;
  if (low !== null) return `at least ${format(low)}`;
  return high === null ? `${formatPlain(elo)} (${isAnchor ? "anchor" : "reference"})` : `at most ${format(high)}`;
}

// Cuts a text to a length, with "…" at the end if something is missing.
function shorten(text, length) {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

function formatPlain(number) {
  return number.toFixed(0);
}

function formatSigned(number) {
  return `${number > 0 ? "+" : ""}${number.toFixed(0)}`;
}

// Returns the legend of a chart; `entries` are pairs of name and colour.
function makeLegend(entries) {
  const legend = makeElement("p", { className: "legend" });
  for (const [name, colour] of entries) {
    const entry = makeElement("span", { textContent: name });
    entry.style.setProperty("--colour", colour);
    legend.append(entry);
  }
  return legend;
}

// Returns a new HTML element with properties and children.
function makeElement(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

// Returns a table. A cell of `rows` is its text, or an element that takes the place of the cell.
function makeTable(headings, rows) {
  const table = makeElement("table");
  table.append(makeElement("thead", {}, makeElement("tr", {}, ...headings.map((text) => makeElement("th", { textContent: text, scope: "col" })))));
  table.append(makeElement("tbody", {}, ...rows.map((cells) => makeElement("tr", {}, ...cells.map((cell) =>
    cell instanceof Node ? cell : makeElement("td", { textContent: cell }))))));
  return table;
}

function formatTime(ms) {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 10000 ? 2 : 1)} s`;
}
