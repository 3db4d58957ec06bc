// One board of the page of a run: position, clocks, search info of the engines and the curve of their evaluations. Its
// data are `BoardUpdate` in arena/web/live/page_data.py. A side is 0 (moves first) or 1. `BoardView`, `changeScene`,
// `fillHand` and `addSvg` come from board.js, `makeElement` and `formatTime` from charts.js.
"use strict";

const MIN_PROVEN_SCORE = 31000; // absolute scores from here on are proven results (core/search/scores.py)
const CURVE_HEIGHT = 46; // of the drawing; its width is the number of moves

// Formats the time on a clock, such as 1:02:03, 12:34 or 9.8 for less than ten seconds.
function formatClock(ms) {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) return seconds.toFixed(1);
  const [whole, two] = [Math.floor(seconds), (number) => String(number).padStart(2, "0")];
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes}:${two(whole % 60)}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`;
}

// Formats the search info of a move, such as "+35 · depth 12 · 1,234 nodes · 0.50 s".
function formatInfo(info) {
  const parts = [];
  if (info.win_in) parts.push(`${info.win_in > 0 ? "win" : "loss"} in ${Math.abs(info.win_in)}`);
  else if (info.result) parts.push(info.result);
  else if (info.score !== null) parts.push(`${info.score > 0 ? "+" : ""}${info.score}`);
  if (info.depth) parts.push(`depth ${info.depth}`);
  if (info.nodes) parts.push(`${info.nodes.toLocaleString("en")} nodes`);
  if (info.time_ms !== null) parts.push(formatTime(info.time_ms));
  return parts.join(" · ");
}

// A panel with one board. `run` has the `names` of the engines and the `board` of the run, which is null if the game has
// no drawings.
class BoardPanel {
  constructor(host, run) {
    this.run = run;
    this.players = ["one", "two"].map((style) => {
      const parts = {};
      for (const name of ["who", "clock", "numbers", "hand"]) parts[name] = makeElement("span", { className: name });
      parts.element = makeElement("div", { className: `player ${style}` }, parts.who, parts.clock, parts.numbers, parts.hand);
      return parts;
    });
    this.heading = makeElement("h3", { className: "game" });
    this.boardHost = makeElement("div", { className: "board-host" });
    this.pv = makeElement("p", { className: "pv", title: "moves that the engines expect" });
    this.curve = makeElement("div", { className: "curve-host" });
    this.element = makeElement("article", { className: "card" }, this.heading, this.players[1].element, this.boardHost,
      this.players[0].element, this.pv, this.curve);
    host.append(this.element);
    this.view = run.board ? new BoardView(this.boardHost, run.board) : null;
    this.scene = null;
    this.evaluations = [];
  }

  // Takes an update without drawing it: several may come before the next `draw`.
  receive(update) {
    if (update.is_new) [this.scene, this.evaluations] = [null, []];
    this.data = update;
    this.receivedMs = performance.now();
    this.evaluations.push(...update.evaluations);
    if (update.change) this.scene = changeScene(this.scene, update.change);
  }

  draw() {
    const update = this.data;
    const names = update.players.map((index) => this.run.names[index]);
    const state = update.ending ? `${update.result === "-" ? "" : `${update.result}, `}${update.ending}` : `move ${update.plies}${update.last_move ? ` · ${update.last_move}` : ""}`;
    this.heading.replaceChildren(`Game ${update.number}`, makeElement("span", { textContent: state }));
    this.element.setAttribute("aria-label", `game ${update.number}, ${names[0]} against ${names[1]}`);
    this.element.classList.toggle("over", update.ending !== "");
    this.showBoard(update);
    for (const side of [0, 1]) this.showPlayer(side, names[side], update);
    this.showVariations(update);
    this.drawCurve(update);
    this.showClocks();
  }

  showBoard(update) {
    if (!this.view || !this.scene) return;
    this.view.fit([this.scene]);
    this.view.show(this.scene);
    const last = update.last_move ? `, last move ${update.last_move}` : "";
    this.view.svg.setAttribute("aria-label", `${this.run.board.game} board after ${update.plies} moves${last}`);
  }

  showPlayer(side, name, update) {
    const parts = this.players[side];
    parts.who.textContent = name;
    parts.who.title = this.run.board ? `${name}, ${this.run.board.sides[side]}` : name;
    parts.numbers.textContent = formatInfo(update.info[side]);
    const isToMove = update.elapsed_ms !== null && update.to_move === side;
    parts.element.classList.toggle("to-move", isToMove);
    if (!this.view || !this.scene) return;
    refill(parts.hand, [this.scene.hands[side], this.scene.points[side]], (host) => fillHand(host, this.run.board, this.scene, side));
  }

  showVariations(update) {
    const lines = [0, 1].filter((side) => update.info[side].pv.length)
      .map((side) => `${this.run.names[update.players[side]]}: ${[update.info[side].move, ...update.info[side].pv].filter(Boolean).join(" ")}`);
    this.pv.replaceChildren(...lines.flatMap((line, index) => (index ? [makeElement("br"), line] : [line])));
  }

  // Shows the time left or, without a game clock, the time of the move so far. Called several times per second.
  showClocks() {
    const { data } = this;
    if (!data) return;
    for (const side of [0, 1]) {
      const isThinking = data.elapsed_ms !== null && data.to_move === side;
      const elapsedMs = isThinking ? data.elapsed_ms + performance.now() - this.receivedMs : 0;
      const left = data.left_ms[side];
      const text = left !== null ? formatClock(left - elapsedMs) : isThinking ? `${(elapsedMs / 1000).toFixed(1)} s` : "";
      const clock = this.players[side].clock;
      if (clock.textContent !== text) clock.textContent = text;
      clock.title = left !== null ? "time left" : "time of this move";
    }
  }

  // Draws the scores of both engines from the point of view of the first side, as the report does: an arctangent maps
  // them to the height, 1.5 times the median of the absolute scores is at half of it.
  drawCurve({ plies }) {
    this.curve.replaceChildren();
    if (!this.evaluations.length) return;
    const unproven = this.evaluations.map(([, , score]) => Math.abs(score)).filter((size) => size < MIN_PROVEN_SCORE).sort((one, other) => one - other);
    const median = Math.max(1, unproven[Math.floor(unproven.length / 2)] ?? 100);
    const toY = (score) => CURVE_HEIGHT / 2 - 1 - (CURVE_HEIGHT / 2 - 2) * (2 / Math.PI) * Math.atan(score / median / 1.5);
    const width = Math.max(20, plies);
    const svg = addSvg(this.curve, "svg", { viewBox: `0 0 ${width} ${CURVE_HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": "evaluations of both engines by move; above the middle: the first player is better" });
    addSvg(svg, "path", { class: "middle", d: `M0,${CURVE_HEIGHT / 2 - 1}H${width}`, "vector-effect": "non-scaling-stroke" });
    for (const side of [0, 1]) {
      const points = this.evaluations.filter(([, mover]) => mover === side).map(([number, , score]) => [number, toY(side === 0 ? score : -score)]);
      if (points.length === 1) points.unshift([points[0][0] - 1, points[0][1]]);
      addSvg(svg, "polyline", { class: side === 0 ? "one" : "two", points: points.map((point) => point.join(",")).join(" ") });
    }
  }
}
