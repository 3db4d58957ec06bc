// Draws boards and scenes as SVG, for all pages. core/play/scene.py describes the data. A `DrawnBoard` and a `Scene` are
// objects with the fields of these structs; the other structs are arrays of their fields:
//   Shape: kind, CSS class, numbers, text                        Piece: side, look, x, y, label, level in a stack
//   Cell: x, y, width, height, angle of an arrow or null         Mark: kind, x, y, half the side of a quadrant, angle
//   InHand: id, look, count
// x and y are those of the centre, in drawing units. Pieces that these scripts add themselves have only the first fields.
// This file knows no rules; its callers say what can be clicked. All text is inserted as text nodes, never as markup.
// `makeElement` comes from charts.js, `BUGS` from bugs.js.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const UNIT = 40; // CELL in core/play/scene.py: the size of a cell in drawing units
const STONE = 0.46 * UNIT; // radius
const HEX = 0.62 * UNIT; // radius of a hexagon, from its centre to a corner

// Appends an SVG element to `parent` and returns it.
function addSvg(parent, tag, attributes = {}, text = "") {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== "") element.textContent = text;
  parent.append(element);
  return element;
}

// Replaces the content of `host` by that of `fill`, but only if `key`, the data of the content, has changed. A click is
// lost if its element is replaced between the press and the release of the mouse button.
function refill(host, key, fill) {
  const text = JSON.stringify(key);
  if (host.filledBy === text) return;
  host.filledBy = text;
  host.replaceChildren();
  fill(host);
}

// Formats [x, y, x, y, ...] as the attribute `points` of a polygon or polyline.
function formatPoints(numbers) {
  const points = [];
  for (let index = 0; index < numbers.length; index += 2) points.push(`${numbers[index]},${numbers[index + 1]}`);
  return points.join(" ");
}

// Returns the corners of a hexagon with a corner at the top.
function hexagonPoints(x, y, radius) {
  const half = radius * 0.8660254; // sqrt(3) / 2
  return formatPoints([x, y - radius, x + half, y - radius / 2, x + half, y + radius / 2,
    x, y + radius, x - half, y + radius / 2, x - half, y - radius / 2]);
}

// Draws a Shape of the background.
function drawShape(parent, [kind, style, numbers, text]) {
  const attributes = { class: style };
  if (kind === "rect") Object.assign(attributes, { x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3], rx: numbers[4] });
  else if (kind === "circle") Object.assign(attributes, { cx: numbers[0], cy: numbers[1], r: numbers[2] });
  else if (kind === "text") Object.assign(attributes, { x: numbers[0], y: numbers[1] });
  else attributes.points = formatPoints(numbers);
  return addSvg(parent, kind, attributes, text);
}

// Draws the outline of a cell: a rectangle if the cell has a size of its own, otherwise the `shape` of the board's cells.
function drawOutline(parent, shape, [x, y, width, height], style, shrink = 1) {
  if (width) return addSvg(parent, "rect", { class: style, x: x - width / 2, y: y - height / 2, width, height, rx: 6 });
  if (shape === "hex") return addSvg(parent, "polygon", { class: style, points: hexagonPoints(x, y, HEX * shrink) });
  const side = UNIT * 0.96 * shrink;
  if (shape === "square") return addSvg(parent, "rect", { class: style, x: x - side / 2, y: y - side / 2, width: side, height: side });
  return addSvg(parent, "circle", { class: style, cx: x, cy: y, r: (UNIT / 2) * 0.94 * shrink });
}

// Draws the symbol of a Hive tile; `look` is its name, such as A or A2.
function drawBug(parent, look, x, y, scale) {
  const bug = BUGS[look[0]];
  const group = addSvg(parent, "g", { class: `bug bug-${look[0]}`, transform: `translate(${x} ${y}) scale(${scale})` });
  for (const [layer, path] of bug.layers) addSvg(group, "path", { class: layer, d: path });
}

// Draws a Piece: a stone, a piece of Kolibrat, or the Hive tile that `look` names. `style` is a further CSS class.
function drawPiece(parent, [side, look, x, y], style = "") {
  const group = addSvg(parent, "g", { class: `piece side${side} ${style}` });
  if (look === "stone") addSvg(group, "circle", { class: "body", cx: x, cy: y, r: STONE });
  else if (look === "piece") {
    addSvg(group, "circle", { class: "body", cx: x, cy: y, r: 0.37 * UNIT });
    addSvg(group, "circle", { class: "ring", cx: x, cy: y, r: 0.25 * UNIT });
  } else {
    addSvg(group, "polygon", { class: "body", points: hexagonPoints(x, y, HEX * 0.95) });
    const hasNumber = look.length > 1;
    drawBug(group, look, x, hasNumber ? y + 2.5 : y, hasNumber ? 1 : 1.12);
    // The number is at the top because a stack on a neighbouring cell may cover the lower half.
    if (hasNumber) addSvg(group, "text", { class: "tile", x, y: y - HEX * 0.66 }, look[1]);
  }
  return group;
}

// Draws an arrow from one point to another, with a small gap at both ends.
function drawArrow(parent, [fromX, fromY], [toX, toY], style) {
  const length = Math.hypot(toX - fromX, toY - fromY) || 1;
  const [dx, dy] = [(toX - fromX) / length, (toY - fromY) / length];
  const [tipX, tipY] = [toX - dx * 5, toY - dy * 5];
  const [neckX, neckY] = [tipX - dx * 11, tipY - dy * 11];
  addSvg(parent, "polyline", { class: `shaft ${style}`, points: formatPoints([fromX + dx * 8, fromY + dy * 8, neckX, neckY]) });
  const head = [tipX, tipY, neckX - dy * 7, neckY + dx * 7, neckX + dy * 7, neckY - dx * 7];
  addSvg(parent, "polygon", { class: `head ${style}`, points: formatPoints(head) });
}

// Draws the arrow of a cell that stands for a turn of a quadrant (Pentago); `angle` is its direction in degrees.
function drawTurnArrow(parent, [x, y, , , angle], style) {
  const group = addSvg(parent, "g", { class: style, transform: `translate(${x} ${y}) rotate(${angle})` });
  addSvg(group, "path", { class: "shaft", d: "M-11,0H5" });
  addSvg(group, "path", { class: "head", d: "M13,0L3,-7V7Z" });
}

// Shows scenes of one board in the element `host`. Clicks on the targets of `setTargets` call `onPick(id)`.
class BoardView {
  constructor(host, board, onPick = () => {}) {
    this.board = board;
    this.onPick = onPick;
    this.svg = addSvg(host, "svg", { class: `board ${board.game}`, role: "img", "aria-label": `${board.game} board` });
    this.layers = {}; // by name, from the lowest to the highest
    for (const name of ["backdrop", "arrows", "under", "pieces", "over", "targets", "hints"]) {
      this.layers[name] = addSvg(this.svg, "g", { class: name });
    }
    for (const shape of board.shapes) drawShape(this.layers.backdrop, shape);
    for (const cell of Object.values(board.cells)) if (cell[4] !== null) drawTurnArrow(this.layers.arrows, cell, "turn-arrow");
    this.layers.targets.addEventListener("click", (event) => {
      const id = event.target.closest("[data-id]")?.dataset.id;
      if (id !== undefined) this.onPick(id);
    });
    this.fit([]);
  }

  // Sets the visible area. A board that grows shows the pieces of all `scenes` with a margin of `space` hexagon radii,
  // so that the view does not move while these scenes are shown one after the other.
  fit(scenes, space = 1.4) {
    let [x, y, width, height] = this.board.box;
    if (this.board.grows) {
      let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
      for (const scene of scenes) {
        for (const [, , pieceX, pieceY] of Object.values(scene.pieces)) {
          [left, right] = [Math.min(left, pieceX), Math.max(right, pieceX)];
          [top, bottom] = [Math.min(top, pieceY), Math.max(bottom, pieceY)];
        }
      }
      if (left <= right) {
        const margin = (1 + space) * HEX;
        const [wide, high] = [Math.max(width, right - left + 2 * margin), Math.max(height, bottom - top + 2 * margin)];
        [x, y, width, height] = [(left + right - wide) / 2, (top + bottom - high) / 2, wide, high];
      }
    }
    this.svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    this.svg.style.aspectRatio = `${width} / ${height}`;
  }

  // Draws a scene. `numbers` shows the labels of the pieces, `animate` a turning quadrant.
  show(scene, { numbers = false, animate = false } = {}) {
    this.scene = scene;
    for (const name of ["under", "pieces", "over", "hints"]) this.layers[name].replaceChildren();
    refill(this.layers.targets, null, () => {}); // removes the targets
    this.svg.classList.remove("turning");
    const turn = scene.marks.find(([kind]) => kind === "turn");
    const ordered = Object.entries(scene.pieces).sort((one, other) => (one[1][5] ?? 0) - (other[1][5] ?? 0));
    const quadrant = turn && animate ? this.startSpin(turn) : null;
    for (const [id, piece] of ordered) {
      const isTurned = quadrant && Math.max(Math.abs(piece[2] - turn[1]), Math.abs(piece[3] - turn[2])) < turn[3];
      const group = drawPiece(isTurned ? quadrant : this.layers.pieces, piece);
      addSvg(group, "title", {}, this.pieceTitle(id, piece));
      if (numbers && piece[4]) addSvg(group, "text", { class: "number", x: piece[2], y: piece[3] }, piece[4]);
    }
    for (const mark of scene.marks) this.drawMark(mark, numbers);
    this.drawStackHeights(ordered);
  }

  // Returns the tooltip of a piece; in Hive also the tiles below it.
  pieceTitle(id, piece) {
    if (!this.board.grows) return id;
    const below = Object.entries(this.scene.pieces).filter(([, other]) => (other[5] ?? 0) < (piece[5] ?? 0) && this.isSameStack(other, piece));
    const withBug = (name) => `${name} ${BUGS[name[1]].name}`;
    return [withBug(id), ...below.reverse().map(([name]) => `on ${withBug(name)}`)].join(", ");
  }

  // Returns whether two tiles are in the same stack. Each level is drawn a little higher and to the right.
  isSameStack([, , x, y, , level = 0], [, , otherX, otherY, , otherLevel = 0]) {
    const rise = (otherLevel - level) * 0.2 * HEX;
    return Math.hypot(otherX - x - rise / 2, otherY - y + rise) < 1;
  }

  // Writes the height of each stack beside its top tile.
  drawStackHeights(ordered) {
    for (const [, piece] of ordered) {
      if (!(piece[5] > 0) || ordered.some(([, other]) => other[5] > piece[5] && this.isSameStack(piece, other))) continue;
      const [x, y] = [piece[2] - HEX * 0.5, piece[3] + HEX * 0.4];
      addSvg(this.layers.over, "circle", { class: "badge", cx: x, cy: y, r: 6.5 });
      addSvg(this.layers.over, "text", { class: "badge-text", x, y }, String(piece[5] + 1));
    }
  }

  // Draws a quadrant of Pentago without stones and starts the animation of its turn; returns the group for its stones.
  // CSS hides marks and targets until the animation ends.
  startSpin([, x, y, extent, angle]) {
    const square = [x - extent + 1, y - extent + 1, 2 * extent - 2, 2 * extent - 2, 8];
    drawShape(this.layers.pieces, ["rect", "frame", square]);
    const group = addSvg(this.layers.pieces, "g", { class: "spin" });
    group.style.transformOrigin = `${x}px ${y}px`;
    group.style.setProperty("--from", `${-angle}deg`);
    drawShape(group, ["rect", "quadrant", square]);
    const steps = [-UNIT, 0, UNIT];
    for (const dx of steps) for (const dy of steps) drawShape(group, ["circle", "hole", [x + dx, y + dy, 0.36 * UNIT]]);
    this.svg.getBoundingClientRect(); // makes the browser apply the removal of the class first, so that it animates again
    this.svg.classList.add("turning");
    return group;
  }

  // Draws a Mark. `numbers`: whether pieces show labels, which a dot would hide.
  drawMark([kind, x, y, extent, angle], numbers) {
    const { cell } = this.board;
    if (kind === "from") drawOutline(this.layers.under, cell, [x, y], "mark-from", 0.92);
    else if (kind === "turn") this.drawTurnMark(x, y, extent, angle);
    else if (kind === "decisive") addSvg(this.layers.over, "circle", { class: "mark-decisive", cx: x, cy: y, r: STONE + 1.5 });
    else if (kind === "forbidden") {
      addSvg(this.layers.over, "path", { class: "mark-forbidden", d: `M${x - 6},${y - 6}l12,12M${x + 6},${y - 6}l-12,12` });
    } else if (cell === "square") drawOutline(this.layers.under, cell, [x, y], "mark-last");
    else if (cell === "hex") drawOutline(this.layers.over, cell, [x, y], "mark-last", 0.96);
    else if (!numbers) addSvg(this.layers.over, "circle", { class: "mark-last dot", cx: x, cy: y, r: 5 });
    else addSvg(this.layers.over, "circle", { class: "mark-last", cx: x, cy: y, r: STONE - 2.5 });
  }

  // Draws a curved arrow in the direction in which the quadrant was turned.
  drawTurnMark(x, y, extent, angle) {
    const [sign, radius] = [angle > 0 ? 1 : -1, extent * 0.8];
    const group = addSvg(this.layers.over, "g", { class: "mark-turn", transform: `translate(${x} ${y}) scale(${sign} 1)` });
    addSvg(group, "path", { class: "shaft", d: `M${-radius * 0.5},${-radius * 0.866}A${radius},${radius} 0 0 1 ${radius},0` });
    addSvg(group, "path", { class: "head", d: `M${radius},14l-8,-15h16Z` });
  }

  // Returns the Cell with an id, or a cell at the piece with that id. Null for pieces in hand and buttons.
  locate(id) {
    const cell = this.board.cells[id] ?? this.scene.cells?.[id];
    if (cell) return cell;
    const piece = this.scene.pieces[id];
    return piece ? [piece[2], piece[3], 0, 0, null] : null;
  }

  // Makes cells and pieces clickable; later ids are above earlier ones. `selected` is drawn as clicked, `cursor` as
  // chosen by keyboard, and the ids in the set `dots` get a dot. `ghost` is the side whose stone appears on the empty
  // cell under the mouse; null for none.
  setTargets(ids, { selected = null, cursor = null, dots = null, ghost = null } = {}) {
    const key = [ids, selected, cursor, dots && [...dots], ghost];
    refill(this.layers.targets, key, (layer) => this.drawTargets(layer, ids, { selected, cursor, dots, ghost }));
  }

  drawTargets(layer, ids, { selected, cursor, dots, ghost }) {
    const selectedCell = selected === null ? null : this.locate(selected);
    if (selectedCell) drawOutline(layer, this.board.cell, selectedCell, "selected", 0.94);
    for (const id of ids) {
      const cell = this.locate(id);
      if (!cell) continue;
      const group = addSvg(layer, "g", { class: `target${id === cursor ? " cursor" : ""}`, "data-id": id });
      const isArrow = typeof cell[4] === "number";
      if (ghost !== null && !isArrow && !this.scene.pieces[id]) drawPiece(group, [ghost, "stone", cell[0], cell[1]], "ghost");
      drawOutline(group, isArrow ? "round" : this.board.cell, cell, "hit");
      if (isArrow) drawTurnArrow(group, cell, "turn-arrow ready");
      else if (dots?.has(id)) addSvg(group, "circle", { class: "dot", cx: cell[0], cy: cell[1] + this.dotOffset(id), r: 4.5 });
      addSvg(group, "title", {}, id);
    }
  }

  // Returns how far below the centre the dot of an id is drawn, so that it does not hide the symbol of a tile.
  dotOffset(id) {
    return this.board.cell === "hex" && this.scene.pieces[id] ? HEX * 0.74 : 0;
  }

  // Shows good moves, best first, each with the ids to click and a short label. If several moves end on the same cell,
  // only the best of them has its label there. Only the first move shows its turn of a quadrant, as several arrows could
  // not be assigned to their moves.
  showHints(moves) {
    const layer = this.layers.hints;
    layer.replaceChildren();
    const labels = new Map(); // cell and text by position
    moves.forEach(({ clicks, text }, rank) => {
      const cells = clicks.map((id) => this.locate(id)).filter(Boolean);
      const style = `rank${Math.min(rank, 2)}`;
      const plain = cells.filter((cell) => typeof cell[4] !== "number");
      const turn = cells.find((cell) => typeof cell[4] === "number");
      if (turn && rank === 0) drawTurnArrow(layer, turn, "turn-arrow hinted");
      const last = plain.at(-1);
      if (!last) return;
      if (plain.length === 2) drawArrow(layer, plain[0], plain[1], style);
      const key = `${last[0]},${last[1]}`;
      if (labels.has(key)) return;
      labels.set(key, [last, text]);
      if (plain.length === 1) addSvg(layer, "circle", { class: `ring ${style}`, cx: last[0], cy: last[1], r: UNIT * 0.4 });
    });
    for (const [cell, text] of labels.values()) this.drawLabel(cell, text); // last, so that they are above all arrows
  }

  drawLabel([x, y], text) {
    const width = 9 + 7 * text.length;
    addSvg(this.layers.hints, "rect", { class: "label", x: x - width / 2, y: y - 8, width, height: 16, rx: 8 });
    addSvg(this.layers.hints, "text", { class: "label-text", x, y }, text);
  }
}

// Fills `host` with the points and the pieces in hand of a side. Clicks on pieces in the set `allowed` call `onPick(id)`.
function fillHand(host, board, scene, side, { allowed = new Set(), selected = null, onPick = () => {} } = {}) {
  if (board.goal) host.append(makePointsDisplay(scene.points[side], board.goal, side));
  for (const [id, look, count] of scene.hands[side]) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = `in-hand${id === selected ? " selected" : ""}`;
    button.disabled = !allowed.has(id);
    button.title = look in BUGS ? `${BUGS[look].name}, ${count} in hand` : `${count} in hand`;
    button.dataset.id = id;
    const size = 1.1 * UNIT;
    const svg = addSvg(button, "svg", { class: `board ${board.game}`, viewBox: `${-size / 2} ${-size * 0.58} ${size} ${size * 1.16}` });
    drawPiece(svg, [side, look, 0, 0]);
    if (count > 1) button.append(Object.assign(document.createElement("span"), { className: "count", textContent: `×${count}` }));
    button.addEventListener("click", () => onPick(id));
    host.append(button);
  }
}

// Highlights the piece in hand that a hint wants to place; null for none.
function markHintInHand(host, hinted) {
  for (const button of host.querySelectorAll(".in-hand")) button.classList.toggle("hinted", button.dataset.id === hinted);
}

// Fills the strip of a player beside the board: colour, name, a mark that CSS shows if it is the player's turn, and `hand`.
function fillPlayerStrip(strip, colour, text, hand) {
  const [swatch, turn] = [makeElement("i", { className: `swatch ${colour}`, title: colour }), makeElement("i", { className: "turn", title: "to move" })];
  strip.replaceChildren(makeElement("span", { className: "who" }, swatch, text, turn), hand);
}

// Returns an element that shows the points of a side; if the goal is at most 10, also a dot for each point of the goal.
function makePointsDisplay(points, goal, side) {
  const span = document.createElement("span");
  span.className = "points";
  span.title = `${points} of ${goal} points`;
  if (goal <= 10) {
    for (let number = 0; number < goal; number++) {
      const pip = document.createElement("i");
      pip.className = number < points ? `pip side${side}` : "pip";
      span.append(pip);
    }
  }
  span.append(` ${points}/${goal}`);
  return span;
}

// Returns the scene after a change (`Change` in arena/web/report/changes.py); `previous` is null for the first one.
function changeScene(previous, change) {
  const pieces = { ...(previous?.pieces ?? {}) };
  for (const [id, piece] of Object.entries(change.pieces ?? {})) {
    if (piece === null) delete pieces[id];
    else pieces[id] = piece;
  }
  return {
    pieces,
    marks: change.marks ?? [],
    cells: {},
    hands: change.hands ?? previous?.hands ?? [[], []],
    points: change.points ?? previous?.points ?? [0, 0],
  };
}

// Lets a button switch between the light and the dark theme, and applies the stored choice. Default: the system's theme.
function connectThemeSwitch(button) {
  const root = document.documentElement;
  button.addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try {
      localStorage.setItem("pentad-theme", root.dataset.theme);
    } catch {
      return; // some browsers store nothing for pages opened from a file; the choice is then lost on reload
    }
  });
  try {
    const stored = localStorage.getItem("pentad-theme");
    if (stored === "light" || stored === "dark") root.dataset.theme = stored;
  } catch {
    return; // likewise
  }
}
