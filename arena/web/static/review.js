// Fills the page of a reviewed game from its data: `ReviewPage` in arena/review/page.py, as JSON. All text is inserted as
// text nodes, never as markup.
"use strict";

const AUTOPLAY_MS = 900; // per move
const ERRORS = ["inaccuracy", "mistake", "blunder"];

const GRADE_SYMBOLS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
const lossOf = ({ before, after }) => before - after;
const percent = (probability) => `${Math.round(100 * probability)} %`;

// Steps through a game, and through the better line of a move.
class ReviewView {
  constructor(page) {
    this.page = page;
    this.view = new BoardView(byId("board"), page.board, (id) => this.onPick(id));
    this.onPick = () => {}; // called with the id of a clicked target, during an exercise
    this.scenes = [];
    for (const change of page.changes) this.scenes.push(changeScene(this.scenes.at(-1) ?? null, change));
    this.variation = null; // the better line that is shown: its scenes, moves and the index of the scene
    this.timer = null;
    this.numbers = false;
    this.isExercise = false; // whether judgements are hidden (review_exercise.js)
    this.view.fit(this.scenes);
    this.makeControls();
    this.listMoves();
    this.ply = -1;
  }

  makeControls() {
    const addButton = (text, title, act) => {
      const button = makeElement("button", { type: "button", textContent: text, title });
      button.setAttribute("aria-label", title);
      button.addEventListener("click", act);
      byId("controls").append(button);
      return button;
    };
    addButton("«", "first position (Home)", () => this.go(0));
    addButton("‹", "previous position (←)", () => this.step(-1));
    this.counter = makeElement("span", { className: "ply" });
    byId("controls").append(this.counter);
    addButton("›", "next position (→)", () => this.step(1));
    addButton("»", "last position (End)", () => this.go(this.page.moves.length));
    this.playButton = addButton("play", "play the moves one after the other (space)", () => this.togglePlay());
    addButton("previous error", "previous error (p)", () => this.goToError(-1));
    addButton("next error", "next error (n)", () => this.goToError(1));
    this.betterButton = addButton("better line", "show the better line instead of the move that was played (b)", () => this.toggleBetter());
    if (this.page.board.numbered) {
      const box = makeElement("input", { type: "checkbox" });
      box.addEventListener("change", () => {
        this.numbers = box.checked;
        this.draw(false);
      });
      byId("controls").append(makeElement("label", {}, box, " numbers"));
    }
  }

  listMoves() {
    const { moves, board } = this.page;
    const longest = Math.max(4, ...moves.map(({ move }) => move.length));
    byId("moves").style.setProperty("--cell", `${longest * 8 + 58}px`);
    byId("moves").replaceChildren(...moves.map(({ move, side, grade, symbol }, index) => {
      const button = makeElement("button", { type: "button" }, makeElement("small", { textContent: index + 1 }), move);
      if (symbol) button.append(makeElement("b", { textContent: symbol, className: `grade-${grade}` }));
      if (grade === "ungraded") button.className = "opening";
      button.title = `${board.sides[side]}, ${grade}`;
      button.addEventListener("click", () => this.go(index + 1));
      return makeElement("li", {}, button);
    }));
  }

  // Shows the position after `ply` moves of the game.
  go(ply) {
    this.stop();
    this.show(ply);
  }

  show(ply) {
    const target = Math.max(0, Math.min(ply, this.page.moves.length));
    const animate = target === this.ply + 1 && !this.variation;
    if (target === this.ply && !this.variation) return;
    this.ply = target;
    this.variation = null;
    this.draw(animate);
    history.replaceState(null, "", `#ply=${target}`);
  }

  // Goes a move forward or back, in the better line if that is shown.
  step(by) {
    this.stop();
    this.advance(by);
  }

  advance(by) {
    if (!this.variation) this.show(this.ply + by);
    else {
      const index = Math.max(0, Math.min(this.variation.index + by, this.variation.scenes.length - 1));
      if (index === this.variation.index) return;
      this.variation.index = index;
      this.draw(by === 1);
    }
  }

  isAtEnd() {
    return this.variation ? this.variation.index === this.variation.scenes.length - 1 : this.ply === this.page.moves.length;
  }

  // Goes to the next or previous error; after the last one to the first, and the other way round.
  goToError(by) {
    const plies = this.page.moves.flatMap(({ grade }, index) => (ERRORS.includes(grade) ? [index + 1] : []));
    if (!plies.length) return;
    const next = by > 0 ? plies.find((ply) => ply > this.ply) ?? plies[0] : plies.findLast((ply) => ply < this.ply) ?? plies.at(-1);
    this.go(next);
  }

  // Switches between the move that was played and the better line, which begins with the position before that move.
  toggleBetter() {
    this.stop();
    const better = this.page.moves[this.ply - 1]?.better;
    if (this.variation) {
      this.variation = null;
      this.draw(false);
    } else if (better) {
      const scenes = [this.scenes[this.ply - 1]];
      for (const change of better.changes) scenes.push(changeScene(scenes.at(-1), change));
      this.variation = { scenes, moves: better.moves, index: 1 };
      this.view.fit([...this.scenes, ...scenes]);
      this.draw(false);
    }
  }

  draw(animate) {
    const scene = this.variation ? this.variation.scenes[this.variation.index] : this.scenes[this.ply];
    this.view.show(scene, { numbers: this.numbers, animate });
    const move = this.page.moves[this.ply - 1];
    if (move?.better && !this.variation && !this.isExercise && ERRORS.includes(move.grade)) this.drawBetter(move.better);
    if (move?.symbol && !this.variation && !this.isExercise) this.drawBadge(scene, move);
    for (const side of [0, 1]) this.drawStrip(side, scene);
    const total = this.page.moves.length;
    this.counter.textContent = this.variation ? `${this.ply}, line ${this.variation.index} / ${this.variation.moves.length}` : `${this.ply} / ${total}`;
    this.betterButton.disabled = !move?.better && !this.variation;
    this.betterButton.setAttribute("aria-pressed", String(Boolean(this.variation)));
    const buttons = [...byId("moves").querySelectorAll("button")];
    buttons.forEach((button, index) => button.toggleAttribute("aria-current", index === this.ply - 1));
    this.scrollListTo(buttons[this.ply - 1]);
    this.showVerdict(move);
    this.drawCurve();
  }

  // Shows the first move of the better line over the position after the move that was played: a faint piece or an arrow.
  drawBetter({ changes }) {
    const scene = changeScene(this.scenes[this.ply - 1], changes[0]);
    const layer = this.view.layers.hints;
    const find = (wanted) => scene.marks.find(([kind]) => kind === wanted);
    const [last, from, turn] = ["last", "from", "turn"].map(find);
    if (last) {
      const [, x, y] = last;
      const isAt = (piece) => Math.hypot(piece[2] - x, piece[3] - y) < UNIT / 4;
      const piece = Object.values(scene.pieces).filter(isAt).at(-1);
      const isFree = !Object.values(this.scenes[this.ply].pieces).some(isAt);
      if (piece && isFree) drawPiece(layer, piece, "better");
      if (from) drawArrow(layer, [from[1], from[2]], [x, y], "rank0");
      else addSvg(layer, "circle", { class: "ring rank0", cx: x, cy: y, r: UNIT * 0.46 });
    }
    if (turn) this.view.drawMark(turn, false);
  }

  // Writes the symbol of an error beside the piece that moved.
  drawBadge(scene, { grade, symbol }) {
    const last = scene.marks.find(([kind]) => kind === "last");
    if (!last) return;
    const [x, y] = [last[1] + UNIT * 0.36, last[2] - UNIT * 0.36];
    const badge = addSvg(this.view.layers.hints, "g", { class: `grade-badge grade-${grade}` });
    addSvg(badge, "circle", { cx: x, cy: y, r: 10 });
    addSvg(badge, "text", { x, y }, symbol);
  }

  // Scrolls the list of moves so that a button is visible; the page is not scrolled.
  scrollListTo(button) {
    const list = byId("moves");
    if (!button) list.scrollTop = 0;
    else {
      const top = button.offsetTop - list.offsetTop;
      if (top < list.scrollTop || top + button.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
    }
  }

  drawStrip(side, scene) {
    const { board, players, sides } = this.page;
    const strip = byId(`strip${side}`);
    strip.classList.toggle("to-move", !this.variation && this.ply < this.page.moves.length && sides[this.ply] === side);
    const hand = makeElement("span", { className: "strip" });
    fillHand(hand, board, scene, side);
    fillPlayerStrip(strip, board.sides[side], players[side].name, hand);
  }

  // Returns the name of a player, with the side unless that is the name.
  describePlayer(side) {
    const [name, colour] = [this.page.players[side].name, this.page.board.sides[side]];
    return name === colour ? name : `${name} (${colour})`;
  }

  // Says what the move did: grade, win probabilities and the better line.
  showVerdict(move) {
    const parts = [];
    if (move) {
      const grade = move.grade === "ungraded" ? "not graded" : move.grade;
      const heading = makeElement("p", { className: "heading" }, `${this.ply}. ${move.move}${move.move.includes(" ") && move.symbol ? " " : ""}${move.symbol} by ${this.describePlayer(move.side)}: `);
      heading.append(makeElement("span", { className: `grade-${move.grade}`, textContent: grade }));
      parts.push(heading);
      if (move.after !== null) {
        parts.push(makeElement("p", { textContent: `win probability ${percent(move.before)} before, ${percent(move.after)} after the move` }));
      }
      if (move.text) parts.push(makeElement("p", { textContent: move.text }));
      if (move.choices) parts.push(makeElement("p", { className: "muted", textContent: `best moves of the engine: ${move.choices}` }));
      if (this.variation) {
        const line = makeElement("p", {}, "better line: ");
        this.variation.moves.forEach((text, index) => {
          const button = makeElement("button", { type: "button", textContent: text });
          button.toggleAttribute("aria-current", index + 1 === this.variation.index);
          button.addEventListener("click", () => {
            this.variation.index = index + 1;
            this.draw(false);
          });
          line.append(button, " ");
        });
        parts.push(line);
      }
    }
    byId("verdict").replaceChildren(...parts);
  }

  // Draws the win probability of the first side over the game, with a dot for each error; a click shows its move.
  drawCurve() {
    const { probabilities, board, moves } = this.page;
    const points = probabilities.flatMap((probability, ply) => (probability === null ? [] : [[ply, 100 * probability]]));
    if (!points.length) return;
    const chart = drawLineChart(byId("curve"), {
      series: [{ points, style: "one" }], low: 0, high: 100, from: 0, to: moves.length, height: 190, xName: "move",
      ticks: [[100, board.sides[0]], [50, "even"], [0, board.sides[1]]],
    });
    const atY = (probability) => chart.top + (1 - probability) * (chart.bottom - chart.top);
    moves.forEach(({ grade, move }, index) => {
      if (!ERRORS.includes(grade) || probabilities[index + 1] === null) return;
      const dot = addSvg(chart.svg, "circle", { class: `grade-${grade}`, cx: chart.atX(index + 1), cy: atY(probabilities[index + 1]), r: 4 });
      addSvg(dot, "title", {}, `${index + 1}. ${move}: ${grade}`);
    });
    addSvg(chart.svg, "path", { class: "now", d: `M${chart.atX(this.ply)},${chart.top}V${chart.bottom}` });
    chart.svg.setAttribute("aria-label", `win probability of ${board.sides[0]} by move`);
    chart.svg.addEventListener("click", (event) => {
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(chart.svg.getScreenCTM().inverse());
      this.go(Math.round(chart.xAt(point.x)));
    });
  }

  togglePlay() {
    if (this.timer) this.stop();
    else {
      if (this.isAtEnd()) this.variation ? (this.variation.index = 0) : this.show(0);
      this.playButton.textContent = "pause";
      this.timer = setInterval(() => (this.isAtEnd() ? this.stop() : this.advance(1)), AUTOPLAY_MS);
    }
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.playButton.textContent = "play";
  }
}

function showSummary(page, view) {
  document.title = page.title;
  byId("title").textContent = page.title;
  byId("summary").textContent = page.summary;
  byId("problem").hidden = !page.problem;
  byId("problem").textContent = page.problem ? `The file could not be read to its end: ${page.problem}` : "";
  const grades = Object.keys(page.players[0].grades);
  const headings = grades.map((grade) => GRADE_SYMBOLS[grade] ?? grade);
  byId("players").append(makeTable(["player", "accuracy", ...headings], page.players.map(({ name, accuracy, grades: counts }) =>
    [name, accuracy === null ? "n/a" : `${accuracy.toFixed(1)} %`, ...grades.map((grade) => String(counts[grade]))])));
  const losses = page.players.flatMap(({ worst }) => worst).sort((one, other) => lossOf(page.moves[other - 1]) - lossOf(page.moves[one - 1]));
  for (const ply of losses) {
    const button = makeElement("button", { type: "button", textContent: `${ply}, ${view.describePlayer(page.moves[ply - 1].side)}: ${page.moves[ply - 1].text}` });
    button.addEventListener("click", () => {
      view.go(ply);
      byId("stage").scrollIntoView({ block: "start" });
    });
    byId("worst").append(makeElement("li", {}, button));
  }
  if (!byId("worst").children.length) byId("worst").append(makeElement("li", { textContent: "No inaccuracy, mistake or blunder was found." }));
  for (const [name, value] of page.facts) byId("facts").append(makeElement("dt", { textContent: name }), makeElement("dd", { textContent: value }));
}

function connectKeys(view) {
  const acts = {
    ArrowLeft: () => view.step(-1),
    ArrowRight: () => view.step(1),
    Home: () => view.go(0),
    End: () => view.go(view.page.moves.length),
    " ": () => view.togglePlay(),
    n: () => view.goToError(1),
    p: () => view.goToError(-1),
    b: () => view.toggleBetter(),
  };
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest("input, select, textarea, summary");
    const isPressing = event.key === " " && event.target.closest("button");
    if (isTyping || isPressing || event.ctrlKey || event.altKey || event.metaKey || !acts[event.key] || byId("review").classList.contains("is-exercise")) return;
    event.preventDefault();
    acts[event.key]();
  });
}

// On a narrow page the verdict stands right below the board.
function placeVerdict(query) {
  if (query.matches) byId("small-verdict").append(byId("verdict"));
  else byId("moves").before(byId("verdict"));
}

connectThemeSwitch(byId("theme"));
readData().then((page) => {
  const view = new ReviewView(page);
  const narrow = matchMedia("(max-width: 900px)");
  placeVerdict(narrow);
  narrow.addEventListener("change", placeVerdict);
  showSummary(page, view);
  connectKeys(view);
  new Exercise(page, view);
  const linked = new URLSearchParams(location.hash.slice(1)).get("ply");
  view.show(/^\d+$/.test(linked ?? "") ? Number(linked) : page.moves.length);
}).catch((error) => {
  byId("problem").hidden = false;
  byId("problem").textContent = `This review cannot be shown: ${error.message ?? error}`;
});
