// Keyboard control of the play page: a cursor on the cells and pieces of the board, and keys for commands. Part of the
// play page, see play.js.
"use strict";

const DIRECTIONS = { // x and y; y grows downwards
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const PLY_KEYS = { // with Shift: the ply to show
  ArrowLeft: () => shownPly() - 1,
  ArrowRight: () => shownPly() + 1,
  Home: () => 0,
  End: () => state.moves.length,
};

// Moves the cursor to the nearest clickable cell or piece in a direction. A distance across the direction counts 2.5 times,
// so that cells straight ahead come first. Without a cursor, it starts nearest to the middle of the board.
function moveCursor([dx, dy]) {
  const ids = (selected.length ? nextIds() : nextIds([])).filter((id) => view.locate(id));
  if (!ids.length) return;
  const from = cursor !== null && view.locate(cursor) ? view.locate(cursor) : null;
  if (!from) {
    cursor = nearest(ids, ([x, y]) => Math.hypot(x - middle()[0], y - middle()[1]));
  } else {
    const ahead = ids.filter((id) => {
      const [x, y] = view.locate(id);
      return (x - from[0]) * dx + (y - from[1]) * dy > 1;
    });
    if (!ahead.length) return;
    cursor = nearest(ahead, ([x, y]) => Math.abs((x - from[0]) * dx + (y - from[1]) * dy) + 2.5 * Math.abs((x - from[0]) * dy - (y - from[1]) * dx));
  }
  showTargets();
}

// Returns the middle of the visible area of the board, in drawing units.
function middle() {
  const [x, y, width, height] = view.svg.getAttribute("viewBox").split(" ").map(Number);
  return [x + width / 2, y + height / 2];
}

// Returns the id with the smallest distance; `distance` gets the cell of an id.
function nearest(ids, distance) {
  return ids.reduce((best, id) => (distance(view.locate(id)) < distance(view.locate(best)) ? id : best));
}

function connectKeys() {
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest("input, select, textarea");
    const isButtonPress = event.key === "Enter" && event.target.closest("button, a");
    if (isTyping || isButtonPress || event.ctrlKey || event.altKey || event.metaKey || !state) return;
    if (event.shiftKey && event.key in PLY_KEYS) showPly(PLY_KEYS[event.key]());
    else if (event.key in DIRECTIONS) moveCursor(DIRECTIONS[event.key]);
    else if (event.key === "Enter" && cursor !== null) pickId(cursor);
    else if (event.key === "Escape") {
      selected = [];
      showTargets();
      showStrips();
    } else if (event.key === "u") runCommand("undo");
    else if (event.key === "h") runCommand("hint");
    else return;
    event.preventDefault();
  });
}
