// The crosstable by rounds of a Swiss and the bracket of a knock-out: `RoundsResult` in arena/results/rounds.py, as JSON.
// `addSvg` comes from board.js; `makeElement`, `makeTable` and `shorten` come from charts.js.
"use strict";

// Fills `host` with a bracket and the final order, or with the crosstable of a Swiss.
function showRounds(host, result) {
  if (result.format === "knockout") host.append(drawBracket(result));
  host.append(makeRoundTable(result));
}

// Returns a row per engine; cells have the points of the round and the opponent's number in this table.
function makeRoundTable({ format, rounds, engines }) {
  const numbers = new Map(engines.map(({ name }, index) => [name, index + 1]));
  const tieBreaks = format === "swiss" ? ["Buchholz", "Sonneborn-Berger"] : [];
  const headings = ["engine", "rank", "points", ...tieBreaks, ...Array.from({ length: rounds }, (_, index) => `round ${index + 1}`)];
  const rows = engines.map((engine) => [
    `${numbers.get(engine.name)}  ${engine.name}`, String(engine.rank), String(engine.points),
    ...(tieBreaks.length ? [String(engine.buchholz), String(engine.sonneborn_berger)] : []),
    ...engine.rounds.map((cell) => makeRoundCell(cell, numbers)),
  ]);
  const box = makeElement("div", { className: "scroll" });
  box.append(makeTable(headings, rows));
  return box;
}

function makeRoundCell(cell, numbers) {
  if (!cell) return "";
  if (!cell.opponent) return "bye";
  const text = `${cell.points}-${cell.opponent_points} v ${numbers.get(cell.opponent)}`;
  return makeElement("td", { textContent: text, title: `against ${cell.opponent}, ${cell.games} games` });
}

const [BRACKET_COLUMN, BRACKET_NAME, BRACKET_ROW] = [210, 176, 26]; // width of a round and of its names; height of a slot

// Returns the bracket as a drawing: a column per round and one for the winner. An engine with a bye enters in round 2.
function drawBracket({ rounds, encounters }) {
  const columns = Array.from({ length: rounds }, (_, index) => encounters.filter(({ round }) => round === index + 1));
  const slots = 2 * columns[0].length;
  const [width, height] = [(rounds + 1) * BRACKET_COLUMN, slots * BRACKET_ROW + 30];
  const host = makeElement("div", { className: "scroll bracket" });
  const svg = addSvg(host, "svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": "bracket" });
  const atY = (depth, index) => 30 + ((index + 0.5) * 2 ** depth) * BRACKET_ROW;
  columns.forEach((matches, depth) => {
    const left = depth * BRACKET_COLUMN;
    const title = depth === rounds - 1 ? "final" : `round ${depth + 1}`;
    addSvg(svg, "text", { x: left, y: 14 }, title);
    matches.forEach((match, index) => {
      if (!match.is_bye) drawBracketMatch(svg, match, left, atY(depth, 2 * index), atY(depth, 2 * index + 1));
    });
  });
  addSvg(svg, "text", { x: rounds * BRACKET_COLUMN, y: 14 }, "winner");
  const champion = columns[rounds - 1][0].winner;
  addSvg(svg, "text", { class: "name won", x: rounds * BRACKET_COLUMN, y: atY(rounds, 0) + 4 }, shorten(champion, 24));
  return host;
}

// Draws the two engines of a match with their points, and the line from them to the next round.
function drawBracketMatch(svg, match, left, top, bottom) {
  const middle = (top + bottom) / 2;
  const [end, turn] = [left + BRACKET_NAME, left + BRACKET_NAME + 12];
  addSvg(svg, "path", { class: "axis", d: `M${end},${top}H${turn}V${bottom}H${end}M${turn},${middle}H${left + BRACKET_COLUMN - 8}` });
  [[match.first, match.points[0], top], [match.second, match.points[1], bottom]].forEach(([name, points, y]) => {
    const isWinner = name !== "" && name === match.winner;
    const label = addSvg(svg, "text", { class: isWinner ? "name won" : "name", x: left, y: y + 4 }, name ? shorten(name, 20) : "…");
    addSvg(label, "title", {}, describeMatch(match));
    const mark = isWinner && match.by_seed ? "*" : "";
    if (match.games) addSvg(svg, "text", { class: isWinner ? "name won" : "name", x: end - 4, y: y + 4, "text-anchor": "end" }, `${points}${mark}`);
  });
}

// Returns the tooltip of a match.
function describeMatch(match) {
  const tieBreaks = match.tie_break_games ? `, ${match.tie_break_games} of them tie-breaks` : "";
  const bySeed = match.by_seed ? "; drawn, the better seed advances (*)" : "";
  return `${match.first || "?"} – ${match.second || "?"}: ${match.games} games${tieBreaks}${bySeed}`;
}
