// The page on which a person plays. Every rule is the server's: it says which clicks mean which move.
"use strict";

const byId = (id) => document.getElementById(id);
const BUTTON_NAMES = { "swap-pieces": "swap pieces", pass: "pass" };
const RETRY_MS = 1500;
const FEW = 60; // up to so many places are marked; more would hide the board

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

// Whether the server has done it; where not, it says why.
async function command(name, body = {}) {
  try {
    await take(await ask(`api/${name}`, body));
    complain("");
    return true;
  } catch (error) {
    complain(error.message);
    return false;
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
      await take(await ask(`api/state?after=${state.version}`));
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
    const board = await ask("api/board");
    byId("board").replaceChildren();
    view = new BoardView(byId("board"), board, pick);
    shownBoard = next.board;
    byId("numbers-label").hidden = !board.numbered;
    byId("how").textContent = board.how;
  }
  const another = state && state.board !== next.board;
  state = next;
  keepLook();
  if (another) fillTerms();
  if (changed) [selected, cursor] = [[], null];
  show(changed, forward && !look);
}

// Shows all of it; the scene is drawn anew only where the position has changed, so that a turning quadrant is not cut off.
function show(redraw, animate = false) {
  if (redraw) {
    view.fit([shownScene()], 2.2);
    view.show(shownScene(), { numbers: byId("numbers").checked, animate });
    listMoves();
    offerTyped();
  }
  showTargets();
  showSteps();
  showText();
  showStrips();
  byId("status").textContent = describeStatus();
  showInsight();
  showFailure();
  byId("undo").disabled = !state.moves.length || !state.people.length;
  byId("hint").disabled = Boolean(state.result) || !state.people.includes(state.to_move);
  byId("resign").disabled = Boolean(state.result) || !state.people.length;
  byId("analyse").checked = state.analysing;
}

// The moves that begin with the clicks so far; in an earlier position there are none.
function openMoves(clicks = selected) {
  return Object.entries(look ? {} : state.legal).filter(([, steps]) => clicks.every((id, index) => steps[index] === id));
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
  const ghost = view.board.ghost ? state.to_move : null;
  view.allow([...others, ...places], { selected: selected.at(-1) ?? null, cursor, dots: dots ? new Set(places) : null, ghost });
  const special = ids.filter((id) => id in BUTTON_NAMES);
  refill(byId("special"), special, (host) => host.append(...special.map((id) => {
    const button = made("button", { type: "button", className: "primary", textContent: BUTTON_NAMES[id] });
    button.addEventListener("click", () => pick(id));
    return button;
  })));
}

function showStrips() {
  const allowed = [...nextIds([]), ...nextIds()].filter((id) => !view.place(id));
  const [scene, taken] = [shownScene(), selected.at(-1) ?? null];
  const toMove = look ? look.to_move : state.result ? null : state.to_move;
  for (const side of [0, 1]) {
    const [strip, name] = [byId(`strip${side}`), view.board.sides[side]];
    strip.classList.toggle("to-move", toMove === side);
    const key = [state.board, state.players[side], scene.hands[side], scene.points[side], allowed, taken];
    refill(strip, key, () => {
      const held = made("span", { className: "strip" });
      showSide(held, view.board, scene, side, { allowed: new Set(allowed), selected: taken, onPick: pick });
      fillStrip(strip, name, `${name}: ${state.players[side]}`, held);
    });
    hintSide(strip, look || !state.analysis.length ? null : state.analysis[0].steps[0]);
  }
}

function describeStatus() {
  const { sides } = view.board;
  if (look) return `Earlier position: ${sides[look.to_move]} to move after ${look.ply} of ${state.moves.length} moves`;
  if (state.result) {
    const { winner, reason } = state.result;
    return winner === null ? `Draw: ${reason}` : `${capital(sides[winner])} (${state.players[winner]}) wins: ${reason}`;
  }
  if (state.failure) return `${state.terms.opponent} has failed`; // after an undo it need not be to move
  if (state.thinking) return `${state.players[state.to_move]} is thinking…`;
  const again = view.board.skips && state.moves.length && lastMoverIs(state.to_move);
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
  byId("told").textContent = state.told ? [nameScore(state.told.score), nameDepth(state.told, "depth "),
    joinMoves(state.told.line)].filter(Boolean).join(" · ") : state.people.length === 2 ? "none plays" : "has told nothing yet";
  const lines = state.analysis;
  if (state.analysis_failure) byId("analysis").textContent = state.analysis_failure;
  else if (!lines.length) byId("analysis").textContent = state.looking ? "looking…" : state.analysing ? "nothing to look at" : "off";
  else {
    byId("analysis").replaceChildren(tableOf(["move", "score", "depth", "line"],
      lines.map((line) => [line.move, line.score, nameDepth(line), joinMoves(line.line.slice(1, 9))])));
  }
  view.hint(look ? [] : lines.map((line, rank) => ({ steps: line.steps, text: shortScore(line.score) || String(rank + 1) })));
}

// How deep an engine has looked, where that says anything.
function nameDepth({ proven, depth }, word = "") {
  return proven ? "proven" : depth ? `${word}${depth}` : "";
}

// What has room on the board.
function shortScore(score) {
  const short = score.replace(" in", "");
  return short.length <= 9 ? short : "";
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

function offerTyped() {
  byId("legal").replaceChildren(...Object.keys(state.legal).map((move) => made("option", { value: move })));
}

async function begin() {
  connectThemeSwitch(byId("theme"));
  choices = await ask("api/choices");
  await take(await ask("api/state"));
  fillForm();
  connectKeys();
  byId("new").addEventListener("submit", newGame);
  byId("typed").addEventListener("submit", playTyped);
  byId("opponent").addEventListener("change", chooseOpponent);
  for (const name of ["undo", "hint", "restart", "resign"]) byId(name).addEventListener("click", () => command(name));
  byId("analyse").addEventListener("change", () => command("analyse", { on: byId("analyse").checked }));
  connectSteps();
  connectText();
  byId("dots").addEventListener("change", showTargets);
  byId("numbers").addEventListener("change", () => show(true));
  follow();
}

begin().catch((error) => complain(`The page cannot start: ${error.message}`));
