// Steps through one game of a report: board, moves, evaluation curve, what the engines told.
"use strict";

const PLAY_MS = 900; // a move while a game plays by itself
const PROVEN = 31000; // from there on a score is a proven end (core/search/scores.py)

class Replayer {
  // `places` are the elements to fill: board, strips, controls, moves, curve, told, words, stderr.
  constructor(report, places, onStep) {
    this.report = report;
    this.places = places;
    this.onStep = onStep;
    this.view = new BoardView(places.board, report.board);
    this.numbers = false;
    this.timer = null;
    this.makeControls();
  }

  makeControls() {
    const button = (text, title, act) => {
      const element = made("button", { type: "button", textContent: text, title });
      element.addEventListener("click", act);
      this.places.controls.append(element);
      return element;
    };
    button("«", "first position (Home)", () => this.go(0));
    button("‹", "previous position (←)", () => this.go(this.ply - 1));
    this.counter = made("span", { className: "ply" });
    this.places.controls.append(this.counter);
    button("›", "next position (→)", () => this.go(this.ply + 1));
    button("»", "last position (End)", () => this.go(this.game.moves.length));
    this.playing = button("play", "play the moves one after the other (space)", () => this.toggle());
    if (this.report.board.numbered) {
      const box = made("input", { type: "checkbox" });
      box.addEventListener("change", () => {
        this.numbers = box.checked;
        this.draw(false);
      });
      this.places.controls.append(made("label", {}, box, " numbers"));
    }
  }

  load(game, ply) {
    this.stop();
    this.game = game;
    this.scenes = [];
    for (const change of game.changes) this.scenes.push(changeScene(this.scenes.at(-1) ?? null, change));
    this.view.fit(this.scenes);
    this.listMoves();
    this.listStderr();
    this.ply = -1;
    this.go(Math.min(ply ?? game.moves.length, game.moves.length));
  }

  nameOf(side) {
    return this.report.engines[side === 0 ? this.game.first : this.game.second][0];
  }

  listMoves() {
    const longest = Math.max(4, ...this.game.moves.map((move) => move.length));
    this.places.moves.style.setProperty("--cell", `${longest * 8 + 40}px`);
    this.places.moves.replaceChildren(...this.game.moves.map((move, index) => {
      const button = made("button", { type: "button" }, made("small", { textContent: index + 1 }), move);
      if (index < this.game.opening) button.className = "opening";
      button.title = `${this.report.board.sides[this.game.sides[index]]}${index < this.game.opening ? ", opening" : ""}`;
      button.addEventListener("click", () => this.go(index + 1));
      return made("li", {}, button);
    }));
  }

  // What the engines wrote to their standard error in this game, folded up.
  listStderr() {
    this.places.stderr.replaceChildren(...this.game.stderr.flatMap((text, side) => (text
      ? [made("details", {}, made("summary", { textContent: `standard error of ${this.nameOf(side)}` }), made("pre", { textContent: text, tabIndex: 0 }))]
      : [])));
  }

  go(ply) {
    const wanted = Math.max(0, Math.min(ply, this.game.moves.length));
    const animate = wanted === this.ply + 1;
    if (wanted === this.ply) return;
    this.ply = wanted;
    this.draw(animate);
    this.onStep(this.game, wanted);
  }

  draw(animate) {
    const scene = this.scenes[this.ply];
    this.view.show(scene, { numbers: this.numbers, animate });
    for (const side of [0, 1]) this.drawStrip(side, scene);
    this.counter.textContent = `${this.ply} / ${this.game.moves.length}`;
    const buttons = [...this.places.moves.querySelectorAll("button")];
    buttons.forEach((button, index) => button.toggleAttribute("aria-current", index === this.ply - 1));
    this.keepInSight(buttons[this.ply - 1]);
    this.tell();
    this.drawCurve();
  }

  // Scrolls the list of moves alone, never the page.
  keepInSight(button) {
    const list = this.places.moves;
    if (!button) list.scrollTop = 0;
    else {
      const top = button.offsetTop - list.offsetTop;
      if (top < list.scrollTop || top + button.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
    }
  }

  drawStrip(side, scene) {
    const strip = this.places.strips[side];
    const over = this.ply === this.game.moves.length;
    strip.classList.toggle("to-move", !over && this.game.sides[this.ply] === side);
    const held = made("span", { className: "strip" });
    showSide(held, this.report.board, scene, side);
    fillStrip(strip, this.report.board.sides[side], this.nameOf(side), held);
  }

  // What the engine said and needed for the move shown; at the end also how the game ended.
  tell() {
    const words = [];
    const index = this.ply - 1;
    if (index >= 0) {
      const told = this.game.told[index];
      words.push(`${index + 1}. ${this.game.moves[index]} by ${this.nameOf(this.game.sides[index])}`);
      if (index < this.game.opening) words.push("opening");
      if (this.game.times[index] !== null) words.push(shortTime(this.game.times[index]));
      if (told) words.push(...describeTold(told));
    }
    const lines = [words.join(" · ")];
    if (this.ply === this.game.moves.length) lines.push(`${describeResult(this.report, this.game)}${this.game.detail ? `: ${this.game.detail}` : ""}`);
    this.places.told.replaceChildren(...lines.flatMap((line) => [line, document.createElement("br")]));
    this.showWords(index);
  }

  // The line that the engine expected and what it wrote; at the end also what the one wrote that did not move any more.
  showWords(index) {
    const { game, places } = this;
    const block = (lines) => (lines.length ? [made("pre", { textContent: lines.join("\n") })] : []);
    const parts = [];
    if (index >= 0) {
      if (game.expected[index]) parts.push(made("p", { textContent: `expected: ${game.expected[index]}` }));
      parts.push(...block(game.words[index]));
    }
    if (this.ply === game.moves.length && game.last_words.length) {
      parts.push(made("p", { textContent: "without a move after it:" }), ...block(game.last_words));
    }
    places.words.hidden = !parts.length;
    places.words.replaceChildren(...parts);
  }

  // Both engines' scores as seen by the first side, squeezed so that proven ends are the rims.
  drawCurve() {
    const { game, places } = this;
    const scores = game.told.map((told, index) => (told && told[0] !== null ? (game.sides[index] === 0 ? 1 : -1) * told[0] : null));
    const estimates = scores.filter((score) => score !== null && Math.abs(score) < PROVEN).map(Math.abs).sort((one, other) => one - other);
    const scale = Math.max(1, estimates[Math.floor(estimates.length / 2)] ?? 100);
    const squeeze = (score) => (2 / Math.PI) * Math.atan(score / scale / 1.5);
    const lineOf = (side) => scores.flatMap((score, index) => (score !== null && game.sides[index] === side ? [[index + 1, squeeze(score)]] : []));
    const [first, second] = [lineOf(0), lineOf(1)];
    if (first.length + second.length === 0) {
      places.curve.replaceChildren(made("p", { className: "muted", textContent: "No evaluations in the log." }));
      return;
    }
    const { sides } = this.report.board;
    const chart = lineChart(places.curve, {
      series: [{ points: first, style: "one" }, { points: second, style: "two" }],
      low: -1, high: 1, from: 1, to: game.moves.length, height: 170, dots: true, xName: "move",
      ticks: [[1, sides[0]], [0, "even"], [-1, sides[1]]],
    });
    if (this.ply > 0) drawn(chart.svg, "path", { class: "now", d: `M${chart.atX(this.ply)},${chart.top}V${chart.bottom}` });
    chart.svg.addEventListener("click", (event) => {
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(chart.svg.getScreenCTM().inverse());
      this.go(Math.round(chart.xAt(point.x)));
    });
    places.curve.append(keyOf([[this.nameOf(0), "var(--one)"], [this.nameOf(1), "var(--two)"]]));
  }

  toggle() {
    if (this.timer) this.stop();
    else {
      if (this.ply === this.game.moves.length) this.go(0);
      this.playing.textContent = "pause";
      this.timer = setInterval(() => (this.ply === this.game.moves.length ? this.stop() : this.go(this.ply + 1)), PLAY_MS);
    }
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.playing.textContent = "play";
  }
}

function describeTold([score, winIn, depth, nodes, result]) {
  const words = [];
  if (winIn) words.push(`${winIn > 0 ? "win" : "loss"} in ${Math.abs(winIn)}`);
  else if (result) words.push(result);
  else if (score !== null) words.push(`score ${score > 0 ? "+" : ""}${score}`);
  if (depth) words.push(`depth ${depth}`);
  if (nodes) words.push(`${nodes.toLocaleString("en")} node${nodes === 1 ? "" : "s"}`);
  return words;
}

function describeResult(report, game) {
  const result = game.winner < 0 ? (game.ending === "void" ? "no result" : "draw") : `${report.engines[game.winner][0]} wins`;
  return `${result}, ${game.ending}`;
}
