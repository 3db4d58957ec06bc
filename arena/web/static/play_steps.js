// Looking at earlier positions of the game that goes on; whoever is to move in it may move meanwhile.
"use strict";

let look = null; // the earlier position that is shown, as the server tells it; null for the game as it stands
let asked = 0;

function shownPly() {
  return look ? look.ply : state.moves.length;
}

function shownScene() {
  return look ? look.scene : state.scene;
}

// Shows the position after so many moves; after all of them it is the game again.
async function lookAt(ply) {
  const wanted = Math.max(0, Math.min(ply, state.moves.length));
  const number = ++asked;
  const animate = wanted === shownPly() + 1;
  try {
    const found = wanted === state.moves.length ? null : await ask(`api/view?ply=${wanted}`);
    if (number !== asked || (found && found.board !== state.board)) return; // another step was faster
    [look, selected, cursor] = [found, [], null];
    show(true, animate);
  } catch (error) {
    complain(error.message);
  }
}

// An earlier position is left where it does not belong to the game any more.
function keepLook() {
  if (look && (look.board !== state.board || look.ply >= state.moves.length)) look = null;
}

function showSteps() {
  const [ply, last] = [shownPly(), state.moves.length];
  byId("ply").textContent = `${ply} / ${last}`;
  byId("to-start").disabled = byId("back").disabled = ply === 0;
  byId("on").disabled = byId("to-end").disabled = ply === last;
  byId("rewind").hidden = !look;
  byId("moves").querySelectorAll("button").forEach((button, index) => button.toggleAttribute("aria-current", index === ply - 1));
}

function listMoves() {
  const list = byId("moves");
  const longest = Math.max(3, ...state.moves.map((move) => move.length));
  list.style.setProperty("--cell", `${longest * 8 + 42}px`);
  refill(list, state.moves, () => {
    list.append(...state.moves.map((move, index) => {
      const button = made("button", { type: "button", title: "look at the position after it" }, made("small", { textContent: index + 1 }), move);
      button.addEventListener("click", () => lookAt(index + 1));
      return made("li", {}, button);
    }));
    list.scrollTop = list.scrollHeight;
  });
}

function connectSteps() {
  const steps = { "to-start": () => 0, back: () => shownPly() - 1, on: () => shownPly() + 1, "to-end": () => state.moves.length };
  for (const [id, target] of Object.entries(steps)) byId(id).addEventListener("click", () => lookAt(target()));
  byId("rewind").addEventListener("click", () => look && command("rewind", { ply: look.ply }));
}
