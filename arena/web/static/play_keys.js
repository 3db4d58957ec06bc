// The keyboard: a cursor that moves over the places of the board, and letters for what else is done often.
"use strict";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const STEPS = { ArrowLeft: () => shownPly() - 1, ArrowRight: () => shownPly() + 1, Home: () => 0, End: () => state.moves.length };

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
    const pressing = event.key === "Enter" && event.target.closest("button, a");
    if (typing || pressing || event.ctrlKey || event.altKey || event.metaKey || !state) return;
    if (event.shiftKey && event.key in STEPS) lookAt(STEPS[event.key]());
    else if (event.key in ARROWS) moveCursor(ARROWS[event.key]);
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
