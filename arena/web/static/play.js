// The page on which a person plays. Every rule is the server's: it says which clicks mean which move.
"use strict";

const byId = (id) => document.getElementById(id);
const BUTTON_NAMES = { "swap-pieces": "swap pieces", pass: "pass" };
const HOW = { // which clicks make a move
  gomoku: "click a crossing", hex: "click a cell", hive: "click a tile, then its place",
  pentago: "click a hole, then the arrow of the turn", kolibrat: "click a piece, then its square; or a free square to insert",
};
const TIMES = [200, 500, 1000, 2000, 5000, 10000, 30000];
const RETRY_MS = 1500;
const FEW = 60; // up to so many places are marked; more would hide the board
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

let choices = null;
let state = null;
let view = null;
let shownBoard = 0;
let selected = []; // clicks so far of the move being made
let cursor = null;

async function ask(path, body) {
  const options = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(path, options);
  const content = await answer.json();
  if (!answer.ok) throw new Error(content.error ?? answer.statusText);
  return content;
}

async function command(name, body = {}) {
  try {
    await take(await ask(`/api/${name}`, body));
    complain("");
  } catch (error) {
    complain(error.message);
  }
}

function complain(text) {
  byId("problem").hidden = !text;
  byId("problem").textContent = text;
}

// Waits for changes for ever; the server answers as soon as there is one.
async function follow() {
  for (;;) {
    try {
      await take(await ask(`/api/state?after=${state.version}`));
      if (byId("problem").dataset.lost) {
        delete byId("problem").dataset.lost;
        complain("");
      }
    } catch (error) {
      byId("problem").dataset.lost = "yes";
      complain(`The server does not answer (${error.message}); trying again.`);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

async function take(next) {
  if (state && next.version < state.version) return;
  const changed = !state || next.board !== state.board || next.moves.join() !== state.moves.join();
  const forward = state && next.board === state.board && next.moves.length > state.moves.length;
  if (next.board !== shownBoard) {
    const board = await ask("/api/board");
    byId("board").replaceChildren();
    view = new BoardView(byId("board"), board, pick);
    shownBoard = next.board;
    byId("numbers-label").hidden = !board.numbered;
    byId("how").textContent = HOW[board.game];
  }
  state = next;
  if (changed) [selected, cursor] = [[], null];
  show(changed, forward);
}

// Redraws all of it; the scene itself only where the position has changed, so that a turning quadrant is not cut off.
function show(redraw, animate = false) {
  if (redraw) {
    view.fit([state.scene], 2.2);
    view.show(state.scene, { numbers: byId("numbers").checked, animate });
    listMoves();
    offerTyped();
  }
  showTargets();
  showStrips();
  byId("status").textContent = describeStatus();
  showInsight();
  showFailure();
  byId("undo").disabled = !state.moves.length || !state.people.length;
  byId("hint").disabled = Boolean(state.result) || !state.people.includes(state.to_move);
  byId("resign").disabled = Boolean(state.result) || !state.people.length;
  byId("analyse").checked = state.analysing;
}

// The moves that begin with the clicks so far.
function openMoves(clicks = selected) {
  return Object.entries(state.legal).filter(([, steps]) => clicks.every((id, index) => steps[index] === id));
}

function nextIds(clicks = selected) {
  return [...new Set(openMoves(clicks).map(([, steps]) => steps[clicks.length]).filter((id) => id !== undefined))];
}

function pick(id) {
  const clicks = nextIds().includes(id) ? [...selected, id] : nextIds([]).includes(id) ? [id] : [];
  if (clicks.length && clicks.length === selected.length && clicks.at(-1) === selected.at(-1)) selected = []; // let go
  else selected = clicks;
  const whole = openMoves().find(([, steps]) => steps.length === selected.length);
  const more = nextIds().length;
  if (selected.length && whole && !more) makeMove(whole[0]);
  else showTargets();
  showStrips();
}

function makeMove(move) {
  selected = [];
  command("play", { move, ply: state.moves.length });
}

function showTargets() {
  const first = nextIds([]);
  const ids = selected.length ? nextIds() : first;
  // While a move is being made the beginnings of others stay clickable, under the places that finish this one.
  const others = selected.length ? first.filter((id) => !ids.includes(id)) : [];
  const places = ids.filter((id) => view.place(id));
  const dots = byId("dots").checked && (selected.length > 0 || places.length <= FEW);
  const oneClick = Object.values(state.legal).every((steps) => steps.length === 1) || view.board.game === "pentago";
  const ghost = oneClick && view.board.cell !== "square" ? state.to_move : null;
  view.allow([...others, ...places], { selected: selected.at(-1) ?? null, cursor, dots: dots ? new Set(places) : null, ghost });
  const special = ids.filter((id) => id in BUTTON_NAMES);
  byId("special").replaceChildren(...special.map((id) => {
    const button = made("button", { type: "button", className: "primary", textContent: BUTTON_NAMES[id] });
    button.addEventListener("click", () => pick(id));
    return button;
  }));
}

function showStrips() {
  const allowed = new Set([...nextIds([]), ...nextIds()]);
  for (const side of [0, 1]) {
    const strip = byId(`strip${side}`);
    strip.classList.toggle("to-move", !state.result && state.to_move === side);
    const held = made("span", { className: "strip" });
    const hinted = state.analysis.length ? state.analysis[0].steps[0] : null;
    showSide(held, view.board, state.scene, side, { allowed, selected: selected.at(-1) ?? null, hinted, onPick: pick });
    const name = view.board.sides[side];
    fillStrip(strip, name, `${name}: ${state.players[side]}`, held);
  }
}

function describeStatus() {
  const { sides } = view.board;
  if (state.result) {
    const { winner, reason } = state.result;
    return winner === null ? `Draw: ${reason}` : `${capital(sides[winner])} (${state.players[winner]}) wins: ${reason}`;
  }
  if (state.failure) return `${state.terms.opponent} has failed`; // after an undo it need not be to move
  if (state.thinking) return `${state.players[state.to_move]} is thinking…`;
  const again = view.board.game === "kolibrat" && state.moves.length && lastMoverIs(state.to_move);
  return `${again ? `${capital(sides[1 - state.to_move])} has no move: ` : ""}${capital(sides[state.to_move])} to move`;
}

// Whether the side to move has just moved, which the last move's mark tells: its piece is that side's.
function lastMoverIs(side) {
  const last = state.scene.marks.find(([kind]) => kind === "last");
  return Boolean(last) && Object.values(state.scene.pieces).some(([owner, , x, y]) => owner === side && x === last[1] && y === last[2]);
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

function showInsight() {
  byId("told").textContent = state.told ? [nameScore(state.told.score), state.told.depth && `depth ${state.told.depth}`,
    joinMoves(state.told.line)].filter(Boolean).join(" · ") : state.people.length === 2 ? "none plays" : "has told nothing yet";
  const lines = state.analysis;
  if (state.analysis_failure) byId("analysis").textContent = state.analysis_failure;
  else if (!lines.length) byId("analysis").textContent = state.looking ? "looking…" : "off";
  else {
    byId("analysis").replaceChildren(tableOf(["move", "score", "depth", "line"],
      lines.map((line) => [line.move, line.score, String(line.depth), joinMoves(line.line.slice(1, 9))])));
  }
  view.hint(lines.map((line, rank) => ({ steps: line.steps, text: line.score.replace(" in", "") || String(rank + 1) })));
}

// A number is a score; proven ends are words already.
function nameScore(score) {
  return /^[+-]/.test(score) ? `score ${score}` : score;
}

// Moves of Hive have a blank inside.
function joinMoves(moves) {
  return moves.join(moves.some((move) => move.includes(" ")) ? "; " : " ");
}

function showFailure() {
  byId("failure").hidden = !state.failure;
  byId("failure-text").textContent = state.failure;
}

function listMoves() {
  const longest = Math.max(3, ...state.moves.map((move) => move.length));
  byId("moves").style.setProperty("--cell", `${longest * 8 + 42}px`);
  byId("moves").replaceChildren(...state.moves.map((move, index) => made("li", {}, made("small", { textContent: index + 1 }), move)));
  byId("moves").scrollTop = byId("moves").scrollHeight;
}

function offerTyped() {
  byId("legal").replaceChildren(...Object.keys(state.legal).map((move) => made("option", { value: move })));
}

// Moves the cursor to the nearest place in a direction, those straight ahead first.
function moveCursor([dx, dy]) {
  const ids = (selected.length ? nextIds() : nextIds([])).filter((id) => view.place(id));
  if (!ids.length) return;
  const at = cursor !== null && view.place(cursor) ? view.place(cursor) : null;
  if (!at) {
    cursor = nearest(ids, ([x, y]) => Math.hypot(x - middle()[0], y - middle()[1]));
  } else {
    const ahead = ids.filter((id) => {
      const [x, y] = view.place(id);
      return (x - at[0]) * dx + (y - at[1]) * dy > 1;
    });
    if (!ahead.length) return;
    cursor = nearest(ahead, ([x, y]) => Math.abs((x - at[0]) * dx + (y - at[1]) * dy) + 2.5 * Math.abs((x - at[0]) * dy - (y - at[1]) * dx));
  }
  showTargets();
}

function middle() {
  const [x, y, width, height] = view.svg.getAttribute("viewBox").split(" ").map(Number);
  return [x + width / 2, y + height / 2];
}

function nearest(ids, distance) {
  return ids.reduce((best, id) => (distance(view.place(id)) < distance(view.place(best)) ? id : best));
}

function connectKeys() {
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, select, textarea");
    const pressing = event.key === "Enter" && event.target.closest("button");
    if (typing || pressing || event.ctrlKey || event.altKey || event.metaKey || !state) return;
    if (event.key in ARROWS) moveCursor(ARROWS[event.key]);
    else if (event.key === "Enter" && cursor !== null) pick(cursor);
    else if (event.key === "Escape") {
      selected = [];
      showTargets();
      showStrips();
    } else if (event.key === "u") command("undo");
    else if (event.key === "h") command("hint");
    else return;
    event.preventDefault();
  });
}

function fillForm() {
  byId("title").textContent = `Pentad: ${choices.title}`;
  document.title = byId("title").textContent;
  const option = (value, text) => made("option", { value, textContent: text });
  byId("opponent").append(...choices.opponents.map(({ name }) => option(name, name)));
  const [first, second] = choices.sides;
  byId("person").append(option("first", `${first}, first`), option("second", `${second}, second`), option("both", "both sides"),
    option("none", "neither: watch"));
  byId("time").append(...TIMES.map((ms) => option(ms, shortTime(ms))));
  byId("level").max = choices.levels;
  byId("level").title = `1 to ${choices.levels}, the strongest`;
  byId("variants").append(...choices.variants.map((name) => option(name, name)));
  byId("size-label").hidden = byId("size").disabled = !choices.size; // a hidden 0 would keep the form from being sent
  byId("variant-label").hidden = choices.variants.length < 2;
  const { terms } = state;
  byId("opponent").value = terms.opponent;
  byId("person").value = terms.person;
  if (!TIMES.includes(terms.move_time_ms)) byId("time").append(option(terms.move_time_ms, shortTime(terms.move_time_ms)));
  byId("time").value = terms.move_time_ms;
  byId("size").value = terms.size ?? choices.size;
  byId("variant").value = terms.variant ?? choices.variants[0];
  chooseOpponent();
  if (terms.level) byId("level").value = terms.level;
}

function chooseOpponent() {
  const opponent = choices.opponents.find(({ name }) => name === byId("opponent").value);
  byId("about").textContent = opponent.help;
  byId("level-label").hidden = opponent.level === null;
  byId("level").value = opponent.level ?? "";
}

function newGame(event) {
  event.preventDefault();
  const number = (id) => (byId(`${id}-label`).hidden || byId(id).value === "" ? null : Number(byId(id).value));
  command("new", {
    opponent: byId("opponent").value,
    person: byId("person").value,
    level: number("level"),
    size: number("size"),
    variant: byId("variant-label").hidden || !byId("variant").value ? null : byId("variant").value,
    move_time_ms: Number(byId("time").value),
  });
}

function playTyped(event) {
  event.preventDefault();
  const move = byId("move").value.trim();
  byId("move").value = "";
  if (move) makeMove(move);
}

async function begin() {
  connectThemeSwitch(byId("theme"));
  choices = await ask("/api/choices");
  await take(await ask("/api/state"));
  fillForm();
  connectKeys();
  byId("new").addEventListener("submit", newGame);
  byId("typed").addEventListener("submit", playTyped);
  byId("opponent").addEventListener("change", chooseOpponent);
  for (const name of ["undo", "hint", "restart", "resign"]) byId(name).addEventListener("click", () => command(name));
  byId("analyse").addEventListener("change", () => command("analyse", { on: byId("analyse").checked }));
  byId("dots").addEventListener("change", showTargets);
  byId("numbers").addEventListener("change", () => show(true));
  follow();
}

begin().catch((error) => complain(`The page cannot begin: ${error.message}`));
