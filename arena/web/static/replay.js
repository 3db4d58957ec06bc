// Steps through one game of a report: board, list of moves, chart of the scores, search info and messages of the engines.
// A game is a `Replay` in arena/web/report/replay.py. A side is 0 (moves first) or 1; `game.first` and `game.second` are
// indices of engines.
"use strict";

const AUTOPLAY_MS = 900; // per move
const MIN_PROVEN_SCORE = 31000; // absolute scores from here on are proven results (core/search/scores.py)

// Shows one game at a time in the elements of the report page.
class Replayer {
  // `elements` are those to fill: board, strips, controls, moves, curve, searchInfo, messages, stderr.
  // `onStep(game, ply)` is called for each position that is shown.
  constructor(report, elements, onStep) {
    this.report = report;
    this.elements = elements;
    this.onStep = onStep;
    this.view = new BoardView(elements.board, report.board);
    this.showsNumbers = false;
    this.timer = null;
    this.makeControls();
  }

  makeControls() {
    const addButton = (text, title, act) => {
      const element = makeElement("button", { type: "button", textContent: text, title });
      element.addEventListener("click", act);
      this.elements.controls.append(element);
      return element;
    };
    addButton("«", "first position (Home)", () => this.go(0));
    addButton("‹", "previous position (←)", () => this.go(this.ply - 1));
    this.counter = makeElement("span", { className: "ply" });
    this.elements.controls.append(this.counter);
    addButton("›", "next position (→)", () => this.go(this.ply + 1));
    addButton("»", "last position (End)", () => this.go(this.game.moves.length));
    this.playButton = addButton("play", "play the moves one after the other (space)", () => this.toggleAutoplay());
    if (this.report.board.numbered) {
      const box = makeElement("input", { type: "checkbox" });
      box.addEventListener("change", () => {
        this.showsNumbers = box.checked;
        this.draw(false);
      });
      this.elements.controls.append(makeElement("label", {}, box, " numbers"));
    }
  }

  // Shows a game at a ply (0: the start position).
  load(game, ply) {
    this.stop();
    this.game = game;
    this.scenes = [];
    for (const change of game.changes) this.scenes.push(changeScene(this.scenes.at(-1) ?? null, change));
    this.view.fit(this.scenes);
    this.listMoves();
    this.listStderr();
    this.ply = -1;
    this.go(Math.min(ply, game.moves.length));
  }

  // Returns the name of the engine that plays a side.
  nameOf(side) {
    return this.report.engines[side === 0 ? this.game.first : this.game.second][0];
  }

  listMoves() {
    const longest = Math.max(4, ...this.game.moves.map((move) => move.length));
    this.elements.moves.style.setProperty("--cell", `${longest * 8 + 40}px`);
    this.elements.moves.replaceChildren(...this.game.moves.map((move, index) => {
      const button = makeElement("button", { type: "button" }, makeElement("small", { textContent: index + 1 }), move);
      if (index < this.game.opening) button.className = "opening";
      button.title = `${this.report.board.sides[this.game.sides[index]]}${index < this.game.opening ? ", opening" : ""}`;
      button.addEventListener("click", () => this.go(index + 1));
      return makeElement("li", {}, button);
    }));
  }

  // Fills in the standard error output of both engines, folded up.
  listStderr() {
    this.elements.stderr.replaceChildren(...this.game.stderr.flatMap((text, side) => (text
      ? [makeElement("details", {}, makeElement("summary", { textContent: `standard error of ${this.nameOf(side)}` }), makeElement("pre", { textContent: text, tabIndex: 0 }))]
      : [])));
  }

  // Shows the position after `ply` moves, or the nearest one that exists.
  go(ply) {
    const target = Math.max(0, Math.min(ply, this.game.moves.length));
    const animate = target === this.ply + 1;
    if (target === this.ply) return;
    this.ply = target;
    this.draw(animate);
    this.onStep(this.game, target);
  }

  draw(animate) {
    const scene = this.scenes[this.ply];
    this.view.show(scene, { numbers: this.showsNumbers, animate });
    for (const side of [0, 1]) this.drawStrip(side, scene);
    this.counter.textContent = `${this.ply} / ${this.game.moves.length}`;
    const buttons = [...this.elements.moves.querySelectorAll("button")];
    buttons.forEach((button, index) => button.toggleAttribute("aria-current", index === this.ply - 1));
    this.scrollListTo(buttons[this.ply - 1]);
    this.showSearchInfo();
    this.drawCurve();
  }

  // Scrolls the list of moves so that a button is visible; the page is not scrolled.
  scrollListTo(button) {
    const list = this.elements.moves;
    if (!button) list.scrollTop = 0;
    else {
      const top = button.offsetTop - list.offsetTop;
      if (top < list.scrollTop || top + button.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
    }
  }

  drawStrip(side, scene) {
    const strip = this.elements.strips[side];
    const isOver = this.ply === this.game.moves.length;
    strip.classList.toggle("to-move", !isOver && this.game.sides[this.ply] === side);
    const hand = makeElement("span", { className: "strip" });
    fillHand(hand, this.report.board, scene, side);
    fillPlayerStrip(strip, this.report.board.sides[side], this.nameOf(side), hand);
  }

  // Shows the last move with its time and search info, and after the last move the result of the game.
  showSearchInfo() {
    const parts = [];
    const index = this.ply - 1;
    if (index >= 0) {
      const info = this.game.search_info[index];
      parts.push(`${index + 1}. ${this.game.moves[index]} by ${this.nameOf(this.game.sides[index])}`);
      if (index < this.game.opening) parts.push("opening");
      if (this.game.times_ms[index] !== null) parts.push(formatTime(this.game.times_ms[index]));
      if (info) parts.push(...describeSearchInfo(info));
    }
    const lines = [parts.join(" · ")];
    if (this.ply === this.game.moves.length) lines.push(`${describeResult(this.report, this.game)}${this.game.detail ? `: ${this.game.detail}` : ""}`);
    this.elements.searchInfo.replaceChildren(...lines.flatMap((line) => [line, document.createElement("br")]));
    this.showMessages(index);
  }

  // Shows the principal variation and the messages of the engine for a move, and after the last move the messages that
  // came without a move.
  showMessages(index) {
    const { game, elements } = this;
    const block = (lines) => (lines.length ? [makeElement("pre", { textContent: lines.join("\n") })] : []);
    const parts = [];
    if (index >= 0) {
      if (game.pvs[index]) parts.push(makeElement("p", { textContent: `principal variation: ${game.pvs[index]}` }));
      parts.push(...block(game.messages[index]));
    }
    if (this.ply === game.moves.length && game.final_messages.length) {
      parts.push(makeElement("p", { textContent: "after the last move:" }), ...block(game.final_messages));
    }
    elements.messages.hidden = !parts.length;
    elements.messages.replaceChildren(...parts);
  }

  // Draws the scores of both engines, from the point of view of the first side. An arctangent maps them to -1..1, as
  // engines have different scales: 1.5 times the median of the absolute scores is at half the height, a proven result is
  // near the edge.
  drawCurve() {
    const { game, elements } = this;
    const scores = game.search_info.map((info, index) => (info && info[0] !== null ? (game.sides[index] === 0 ? 1 : -1) * info[0] : null));
    const evaluations = scores.filter((score) => score !== null && Math.abs(score) < MIN_PROVEN_SCORE).map(Math.abs).sort((one, other) => one - other);
    const median = Math.max(1, evaluations[Math.floor(evaluations.length / 2)] ?? 100);
    const toHeight = (score) => (2 / Math.PI) * Math.atan(score / median / 1.5);
    const pointsOf = (side) => scores.flatMap((score, index) => (score !== null && game.sides[index] === side ? [[index + 1, toHeight(score)]] : []));
    const [first, second] = [pointsOf(0), pointsOf(1)];
    if (first.length + second.length === 0) {
      elements.curve.replaceChildren(makeElement("p", { className: "muted", textContent: "The log has no scores for this game." }));
      return;
    }
    const { sides } = this.report.board;
    const chart = drawLineChart(elements.curve, {
      series: [{ points: first, style: "one" }, { points: second, style: "two" }],
      low: -1, high: 1, from: 1, to: game.moves.length, height: 170, dots: true, xName: "move",
      ticks: [[1, sides[0]], [0, "even"], [-1, sides[1]]],
    });
    if (this.ply > 0) addSvg(chart.svg, "path", { class: "now", d: `M${chart.atX(this.ply)},${chart.top}V${chart.bottom}` });
    chart.svg.addEventListener("click", (event) => {
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(chart.svg.getScreenCTM().inverse());
      this.go(Math.round(chart.xAt(point.x)));
    });
    elements.curve.append(makeLegend([[this.nameOf(0), "var(--one)"], [this.nameOf(1), "var(--two)"]]));
  }

  // Starts or stops autoplay.
  toggleAutoplay() {
    if (this.timer) this.stop();
    else {
      if (this.ply === this.game.moves.length) this.go(0);
      this.playButton.textContent = "pause";
      this.timer = setInterval(() => (this.ply === this.game.moves.length ? this.stop() : this.go(this.ply + 1)), AUTOPLAY_MS);
    }
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.playButton.textContent = "play";
  }
}

// Returns search info as a list of texts.
function describeSearchInfo([score, winIn, depth, nodes, result]) {
  const parts = [];
  if (winIn) parts.push(`${winIn > 0 ? "win" : "loss"} in ${Math.abs(winIn)}`);
  else if (result) parts.push(result);
  else if (score !== null) parts.push(`score ${score > 0 ? "+" : ""}${score}`);
  if (depth) parts.push(`depth ${depth}`);
  if (nodes) parts.push(`${nodes.toLocaleString("en")} node${nodes === 1 ? "" : "s"}`);
  return parts;
}

function describeResult(report, game) {
  const result = game.winner < 0 ? (game.ending === "void" ? "no result" : "draw") : `${report.engines[game.winner][0]} wins`;
  return `${result}, ${game.ending}`;
}
