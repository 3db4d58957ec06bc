// Stepping through earlier positions of the current game. Part of the play page, see play.js. The engine may move while an
// earlier position is shown.
"use strict";

let earlierView = null; // the `View` of the earlier position that is shown; null for the current position
let requestCount = 0; // to recognize the answers to outdated requests

function shownPly() {
  return earlierView ? earlierView.ply : state.moves.length;
}

function shownScene() {
  return earlierView ? earlierView.scene : state.scene;
}

// Shows the position after `ply` moves, or the nearest one that exists; after the last move it is the current position.
async function showPly(ply) {
  const target = Math.max(0, Math.min(ply, state.moves.length));
  const requestNumber = ++requestCount;
  const animate = target === shownPly() + 1;
  try {
    const position = target === state.moves.length ? null : await request(`api/view?ply=${target}`);
    if (requestNumber !== requestCount || (position && position.game_number !== state.game_number)) return; // outdated
    [earlierView, selected, cursor] = [position, [], null];
    show(true, animate);
  } catch (error) {
    showProblem(error.message);
  }
}

// Returns to the current position if the one that is shown is no longer an earlier position of the game.
function dropStaleView() {
  if (earlierView && (earlierView.game_number !== state.game_number || earlierView.ply >= state.moves.length)) earlierView = null;
}

// Updates the ply counter, the step buttons and the marked move.
function showSteps() {
  const [ply, last] = [shownPly(), state.moves.length];
  byId("ply").textContent = `${ply} / ${last}`;
  byId("to-start").disabled = byId("previous").disabled = ply === 0;
  byId("next").disabled = byId("to-end").disabled = ply === last;
  byId("rewind").hidden = !earlierView;
  byId("moves").querySelectorAll("button").forEach((button, index) => button.toggleAttribute("aria-current", index === ply - 1));
}

// Lists the moves of the game as buttons that show the position after them.
function listMoves() {
  const list = byId("moves");
  const longest = Math.max(3, ...state.moves.map((move) => move.length));
  list.style.setProperty("--cell", `${longest * 8 + 42}px`);
  refill(list, state.moves, () => {
    list.append(...state.moves.map((move, index) => {
      const button = makeElement("button", { type: "button", title: "show the position after this move" }, makeElement("small", { textContent: index + 1 }), move);
      button.addEventListener("click", () => showPly(index + 1));
      return makeElement("li", {}, button);
    }));
    list.scrollTop = list.scrollHeight;
  });
}

function connectSteps() {
  const steps = { "to-start": () => 0, previous: () => shownPly() - 1, next: () => shownPly() + 1, "to-end": () => state.moves.length };
  for (const [id, target] of Object.entries(steps)) byId(id).addEventListener("click", () => showPly(target()));
  byId("rewind").addEventListener("click", () => earlierView && runCommand("rewind", { ply: earlierView.ply }));
}
