// The page to play on. The server knows the rules: `State` in arena/web/play/state.py has, for each legal move, the ids of
// the cells and pieces to click. An "id" in these files is such an id; the element with an HTML id comes from byId().
// play_form.js, play_keys.js and play_steps.js are parts of this script and share its global variables. makeElement,
// makeTable and formatTime come from charts.js; BoardView, refill and the fill functions from board.js.
"use strict";

const byId = (id) => document.getElementById(id);
const MOVE_BUTTONS = { // labels of the moves that are made with a button, by id
  "swap-pieces": "swap pieces",
  pass: "pass",
};
const RETRY_MS = 1500; // after the server did not answer
const MAX_DOTS = 60; // more dots would hide the board

let choices = null; // `NewGameChoices` in arena/web/play/new_game.py
let state = null; // `State` in arena/web/play/state.py
let view = null; // the BoardView, which draws the board
let drawnGame = 0; // number of the game that the board was drawn for
let selected = []; // ids that were clicked for the move being made
let cursor = null; // id under the keyboard cursor
let requestedAnalysis = null; // what the box "analyse" was set to while the server is being asked, else null

// Sends a GET request, or a POST request with a body, and returns the answer; throws an Error with the server's message.
async function request(path, body) {
  const options = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(path, options);
  const content = await response.json();
  if (!response.ok) throw new Error(content.error ?? response.statusText);
  return content;
}

// Runs a command on the server and shows the new state, or why the command failed; returns whether it succeeded.
async function runCommand(name, body = {}) {
  try {
    await applyState(await request(`api/${name}`, body));
    showProblem("");
    return true;
  } catch (error) {
    showProblem(error.message);
    return false;
  }
}

// Switches the analysis as the box says. States that arrive before the server has answered do not change the box.
async function switchAnalysis() {
  const on = byId("analyse").checked;
  requestedAnalysis = on;
  await runCommand("analyse", { on });
  if (requestedAnalysis !== on) return; // the box was changed again
  requestedAnalysis = null;
  byId("analyse").checked = state.analysis_on;
}

// Shows an error message; an empty text hides it.
function showProblem(text) {
  byId("problem").hidden = !text;
  byId("problem").textContent = text;
}

// Polls the state for as long as the page is open; the server answers when the state has changed, or after a time limit.
async function pollState() {
  for (;;) {
    try {
      await applyState(await request(`api/state?after=${state.version}`));
      if (byId("problem").dataset.isConnectionError) {
        delete byId("problem").dataset.isConnectionError;
        showProblem("");
      }
    } catch (error) {
      byId("problem").dataset.isConnectionError = "yes";
      showProblem(`The server does not answer (${error.message}); trying again.`);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

// Shows a new state, unless it is older than the current one.
async function applyState(next) {
  if (state && next.version < state.version) return;
  const isNewPosition = !state || next.game_number !== state.game_number || next.moves.join() !== state.moves.join();
  const isForward = state && next.game_number === state.game_number && next.moves.length > state.moves.length;
  if (next.game_number !== drawnGame) {
    const board = await request("api/board");
    if (state && next.version < state.version) return; // a newer state came while this one waited for the board
    byId("board").replaceChildren();
    view = new BoardView(byId("board"), board, pickId);
    drawnGame = next.game_number;
    byId("numbers-label").hidden = !board.numbered;
    byId("how").textContent = board.how;
  }
  const isNewGame = state && state.game_number !== next.game_number;
  state = next;
  dropStaleView();
  if (isNewGame) fillSettings();
  if (isNewPosition) [selected, cursor] = [[], null];
  show(isNewPosition, isForward && !earlierView);
}

// Updates the whole page. The scene is drawn again only for `redraw`, so that the animation of a quadrant is not cut off.
function show(redraw, animate = false) {
  if (redraw) {
    view.fit([shownScene()], 2.2); // with room for the cells around the hive
    view.show(shownScene(), { numbers: byId("numbers").checked, animate });
    listMoves();
    suggestMoves();
  }
  showTargets();
  showSteps();
  showText();
  showStrips();
  byId("status").textContent = describeStatus();
  showAnalysis();
  showFailure();
  showReview();
  byId("undo").disabled = !state.moves.length || !state.people.length;
  byId("hint").disabled = Boolean(state.result) || !state.people.includes(state.to_move);
  byId("resign").disabled = Boolean(state.result) || !state.people.length;
  byId("review").disabled = !state.moves.length || Boolean(state.review && !state.review.is_ready && !state.review.failure);
  byId("review").classList.toggle("primary", Boolean(state.result) && !state.review);
  byId("analyse").checked = requestedAnalysis ?? state.analysis_on;
}

// Returns the legal moves that begin with some clicks, as pairs of move and ids; none while an earlier position is shown.
function movesAfter(clicks = selected) {
  return Object.entries(earlierView ? {} : state.legal).filter(([, ids]) => clicks.every((id, index) => ids[index] === id));
}

// Returns the ids that may be clicked next.
function nextIds(clicks = selected) {
  return [...new Set(movesAfter(clicks).map(([, ids]) => ids[clicks.length]).filter((id) => id !== undefined))];
}

// Handles a click on an id: adds it to the selection, starts a new selection or removes it; plays a complete move.
function pickId(id) {
  const clicks = nextIds().includes(id) ? [...selected, id] : nextIds([]).includes(id) ? [id] : [];
  const isSecondClick = clicks.length && clicks.length === selected.length && clicks.at(-1) === selected.at(-1);
  selected = isSecondClick ? [] : clicks; // a second click on the same id deselects it
  const complete = movesAfter().find(([, ids]) => ids.length === selected.length);
  if (selected.length && complete && !nextIds().length) makeMove(complete[0]);
  else showTargets();
  showStrips();
}

function makeMove(move) {
  selected = [];
  runCommand("play", { move, ply: state.moves.length });
}

// Makes the ids clickable that may be clicked next, on the board and as buttons.
function showTargets() {
  const firstIds = nextIds([]);
  const ids = selected.length ? nextIds() : firstIds;
  // While a move is being made, the first ids of other moves stay clickable, below the cells that continue this move.
  const otherIds = selected.length ? firstIds.filter((id) => !ids.includes(id)) : [];
  const cells = ids.filter((id) => view.locate(id));
  const dots = byId("dots").checked && (selected.length > 0 || cells.length <= MAX_DOTS);
  const ghost = view.board.ghost ? state.to_move : null;
  view.setTargets([...otherIds, ...cells], { selected: selected.at(-1) ?? null, cursor, dots: dots ? new Set(cells) : null, ghost });
  const buttonIds = ids.filter((id) => id in MOVE_BUTTONS);
  refill(byId("move-buttons"), buttonIds, (host) => host.append(...buttonIds.map((id) => {
    const button = makeElement("button", { type: "button", className: "primary", textContent: MOVE_BUTTONS[id] });
    button.addEventListener("click", () => pickId(id));
    return button;
  })));
}

// Shows name, points and pieces in hand of both players.
function showStrips() {
  const allowed = [...nextIds([]), ...nextIds()].filter((id) => !view.locate(id));
  const [scene, selectedId] = [shownScene(), selected.at(-1) ?? null];
  const toMove = earlierView ? earlierView.to_move : state.result ? null : state.to_move;
  for (const side of [0, 1]) {
    const [strip, name] = [byId(`strip${side}`), view.board.sides[side]];
    strip.classList.toggle("to-move", toMove === side);
    const key = [state.game_number, state.players[side], scene.hands[side], scene.points[side], allowed, selectedId];
    refill(strip, key, () => {
      const hand = makeElement("span", { className: "strip" });
      fillHand(hand, view.board, scene, side, { allowed: new Set(allowed), selected: selectedId, onPick: pickId });
      fillPlayerStrip(strip, name, `${name}: ${state.players[side]}`, hand);
    });
    markHintInHand(strip, earlierView || !state.analysis.length ? null : state.analysis[0].clicks[0]);
  }
}

function describeStatus() {
  const { sides } = view.board;
  if (earlierView) return `Earlier position: ${sides[earlierView.to_move]} to move after ${earlierView.ply} of ${state.moves.length} moves`;
  if (state.result) {
    const { winner, reason } = state.result;
    return winner === null ? `Draw: ${reason}` : `${capitalize(sides[winner])} (${state.players[winner]}) wins: ${reason}`;
  }
  if (state.failure) return `${state.settings.opponent} has failed`; // also if it is not to move, after an undo
  if (state.is_thinking) return `${state.players[state.to_move]} is thinking…`;
  const isSkipped = view.board.skips && state.moves.length && hasMovedLast(state.to_move);
  return `${isSkipped ? `${capitalize(sides[1 - state.to_move])} has no move: ` : ""}${capitalize(sides[state.to_move])} to move`;
}

// Returns whether a side made the last move: whether the piece at the mark of the last move belongs to it.
function hasMovedLast(side) {
  const last = state.scene.marks.find(([kind]) => kind === "last");
  return Boolean(last) && Object.values(state.scene.pieces).some(([owner, , x, y]) => owner === side && x === last[1] && y === last[2]);
}

function capitalize(text) {
  return text[0].toUpperCase() + text.slice(1);
}

// Shows the evaluation of the engine, the lines of the analysis, and their moves on the board.
function showAnalysis() {
  byId("engine-line").textContent = state.engine_line ? [describeScore(state.engine_line.score), describeDepth(state.engine_line, "depth "),
    joinMoves(state.engine_line.pv)].filter(Boolean).join(" · ") : state.people.length === 2 ? "no engine plays" : "no evaluation yet";
  const lines = state.analysis;
  if (state.analysis_failure) byId("analysis").textContent = state.analysis_failure;
  else if (!lines.length) byId("analysis").textContent = state.analyst_is_busy ? "analysing…" : state.analysis_on ? "nothing to analyse" : "off";
  else {
    byId("analysis").replaceChildren(makeTable(["move", "score", "depth", "line"],
      lines.map((line) => [line.move, line.score, describeDepth(line), joinMoves(line.pv.slice(1, 9))])));
  }
  view.showHints(earlierView ? [] : lines.map((line, rank) => ({ clicks: line.clicks, text: shortScore(line.score) || String(rank + 1) })));
}

// Returns the depth of a search, or "proven", as the depth of a proof says nothing about its quality.
function describeDepth({ is_proven: isProven, depth }, prefix = "") {
  return isProven ? "proven" : depth ? `${prefix}${depth}` : "";
}

// Returns the score without "in", or an empty text if it is too long for a label on the board.
function shortScore(score) {
  const short = score.replace(" in", "");
  return short.length <= 9 ? short : "";
}

// Returns "score +35" for a number; proven results, such as "win in 3", are returned as they are.
function describeScore(score) {
  return /^[+-]/.test(score) ? `score ${score}` : score;
}

// Moves of Hive contain spaces, so they are separated by semicolons.
function joinMoves(moves) {
  return moves.join(moves.some((move) => move.includes(" ")) ? "; " : " ");
}

function showFailure() {
  byId("failure").hidden = !state.failure;
  byId("failure-text").textContent = state.failure;
}

// Shows how far the review is, and the link to its page once it is ready.
function showReview() {
  const { review } = state;
  byId("review-progress").hidden = !review;
  if (!review) return;
  const isRunning = !review.is_ready && !review.failure;
  byId("review-bar").hidden = !isRunning;
  byId("review-bar").max = review.total;
  byId("review-bar").value = review.searched;
  byId("review-link").hidden = !review.is_ready;
  byId("review-link").textContent = `show the review of ${review.plies} move${review.plies === 1 ? "" : "s"}`;
  byId("review-failure").textContent = review.failure;
}

// Fills the suggestions of the field for typed moves.
function suggestMoves() {
  byId("legal").replaceChildren(...Object.keys(state.legal).map((move) => makeElement("option", { value: move })));
}

async function start() {
  connectThemeSwitch(byId("theme"));
  choices = await request("api/choices");
  await applyState(await request("api/state"));
  fillForm();
  connectKeys();
  byId("new").addEventListener("submit", newGame);
  byId("typed").addEventListener("submit", playTyped);
  byId("opponent").addEventListener("change", showOpponent);
  for (const name of ["undo", "hint", "restart", "resign", "review"]) byId(name).addEventListener("click", () => runCommand(name));
  byId("analyse").addEventListener("change", switchAnalysis);
  connectSteps();
  connectText();
  byId("dots").addEventListener("change", showTargets);
  byId("numbers").addEventListener("change", () => show(true));
  pollState();
}

start().catch((error) => showProblem(`The page cannot start: ${error.message}`));
