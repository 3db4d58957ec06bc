// Draws boards and scenes (arena/web/drawing/scene.py says what they hold) as SVG, for the report and the play page alike.
// It knows no rules: what can be clicked is what it is told. All text goes in as text, never as markup.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const UNIT = 40; // scene.py's CELL
const STONE = 0.46 * UNIT;
const HEX = 0.62 * UNIT;

function drawn(parent, tag, attributes = {}, text = "") {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== "") element.textContent = text;
  parent.append(element);
  return element;
}

// Fills a host anew, but only where `key`, of which its content is made, has changed: an element that is replaced between
// a button's down and its up loses the click.
function refill(host, key, fill) {
  const text = JSON.stringify(key);
  if (host.filledBy === text) return;
  host.filledBy = text;
  host.replaceChildren();
  fill(host);
}

function pairs(numbers) {
  const points = [];
  for (let index = 0; index < numbers.length; index += 2) points.push(`${numbers[index]},${numbers[index + 1]}`);
  return points.join(" ");
}

function hexagonPoints(x, y, radius) {
  const half = radius * 0.8660254;
  return pairs([x, y - radius, x + half, y - radius / 2, x + half, y + radius / 2,
    x, y + radius, x - half, y + radius / 2, x - half, y - radius / 2]);
}

// A part of the backdrop.
function drawShape(parent, [kind, style, n, text]) {
  const attributes = { class: style };
  if (kind === "rect") Object.assign(attributes, { x: n[0], y: n[1], width: n[2], height: n[3], rx: n[4] });
  else if (kind === "circle") Object.assign(attributes, { cx: n[0], cy: n[1], r: n[2] });
  else if (kind === "text") Object.assign(attributes, { x: n[0], y: n[1] });
  else attributes.points = pairs(n);
  return drawn(parent, kind, attributes, text);
}

// The outline of a cell: of its own size where it has one, else of the board's shape.
function drawOutline(parent, shape, [x, y, width, height], style, shrink = 1) {
  if (width) return drawn(parent, "rect", { class: style, x: x - width / 2, y: y - height / 2, width, height, rx: 6 });
  if (shape === "hex") return drawn(parent, "polygon", { class: style, points: hexagonPoints(x, y, HEX * shrink) });
  const side = UNIT * 0.96 * shrink;
  if (shape === "square") return drawn(parent, "rect", { class: style, x: x - side / 2, y: y - side / 2, width: side, height: side });
  return drawn(parent, "circle", { class: style, cx: x, cy: y, r: (UNIT / 2) * 0.94 * shrink });
}

function drawBug(parent, look, x, y, scale) {
  const bug = BUGS[look[0]];
  const group = drawn(parent, "g", { class: `bug bug-${look[0]}`, transform: `translate(${x} ${y}) scale(${scale})` });
  for (const [layer, path] of bug.layers) drawn(group, "path", { class: layer, d: path });
}

// A piece of a side (0 or 1) at a place: a stone, Kolibrat's piece, or the tile of Hive that `look` names.
function drawPiece(parent, [side, look, x, y], extra = "") {
  const group = drawn(parent, "g", { class: `piece side${side} ${extra}` });
  if (look === "stone") drawn(group, "circle", { class: "body", cx: x, cy: y, r: STONE });
  else if (look === "piece") {
    drawn(group, "circle", { class: "body", cx: x, cy: y, r: 0.37 * UNIT });
    drawn(group, "circle", { class: "ring", cx: x, cy: y, r: 0.25 * UNIT });
  } else {
    drawn(group, "polygon", { class: "body", points: hexagonPoints(x, y, HEX * 0.95) });
    const named = look.length > 1;
    drawBug(group, look, x, named ? y + 2.5 : y, named ? 1 : 1.12);
    // at the top, as a stack beside it leans over the lower half
    if (named) drawn(group, "text", { class: "tile", x, y: y - HEX * 0.66 }, look[1]);
  }
  return group;
}

function drawArrow(parent, [fromX, fromY], [toX, toY], style) {
  const length = Math.hypot(toX - fromX, toY - fromY) || 1;
  const [dx, dy] = [(toX - fromX) / length, (toY - fromY) / length];
  const [tipX, tipY] = [toX - dx * 5, toY - dy * 5];
  const [neckX, neckY] = [tipX - dx * 11, tipY - dy * 11];
  drawn(parent, "polyline", { class: `shaft ${style}`, points: pairs([fromX + dx * 8, fromY + dy * 8, neckX, neckY]) });
  const head = [tipX, tipY, neckX - dy * 7, neckY + dx * 7, neckX + dy * 7, neckY - dx * 7];
  drawn(parent, "polygon", { class: `head ${style}`, points: pairs(head) });
}

// The arrow of a turn inside its own cell, pointing along `angle` and bent the way the quadrant goes.
function drawTurnArrow(parent, [x, y, , , angle], style) {
  const group = drawn(parent, "g", { class: style, transform: `translate(${x} ${y}) rotate(${angle})` });
  drawn(group, "path", { class: "shaft", d: "M-11,0H5" });
  drawn(group, "path", { class: "head", d: "M13,0L3,-7V7Z" });
}

// Shows scenes of one board in `host`. `onPick(id)` hears clicks on what `allow` has named.
class BoardView {
  constructor(host, board, onPick = () => {}) {
    this.board = board;
    this.onPick = onPick;
    this.svg = drawn(host, "svg", { class: `board ${board.game}`, role: "img", "aria-label": `${board.game} board` });
    this.layers = {};
    for (const name of ["backdrop", "arrows", "under", "pieces", "over", "targets", "hints"]) {
      this.layers[name] = drawn(this.svg, "g", { class: name });
    }
    for (const shape of board.shapes) drawShape(this.layers.backdrop, shape);
    for (const cell of Object.values(board.cells)) if (cell[4] !== null) drawTurnArrow(this.layers.arrows, cell, "turn-arrow");
    this.layers.targets.addEventListener("click", (event) => {
      const id = event.target.closest("[data-id]")?.dataset.id;
      if (id !== undefined) this.onPick(id);
    });
    this.fit([]);
  }

  // Makes the view hold all pieces of some scenes and `space` radii round them, so that nothing jumps while they are
  // shown one after the other.
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

  show(scene, { numbers = false, animate = false } = {}) {
    this.scene = scene;
    for (const name of ["under", "pieces", "over", "hints"]) this.layers[name].replaceChildren();
    refill(this.layers.targets, null, () => {});
    this.svg.classList.remove("turning");
    const turn = scene.marks.find(([kind]) => kind === "turn");
    const ordered = Object.entries(scene.pieces).sort((one, other) => (one[1][5] ?? 0) - (other[1][5] ?? 0));
    const spinning = turn && animate ? this.spin(turn) : null;
    for (const [id, piece] of ordered) {
      const turned = spinning && Math.max(Math.abs(piece[2] - turn[1]), Math.abs(piece[3] - turn[2])) < turn[3];
      const group = drawPiece(turned ? spinning : this.layers.pieces, piece);
      drawn(group, "title", {}, this.describe(id, piece));
      if (numbers && piece[4]) drawn(group, "text", { class: "number", x: piece[2], y: piece[3] }, piece[4]);
    }
    for (const mark of scene.marks) this.mark(mark, numbers);
    this.badges(ordered);
  }

  describe(id, piece) {
    if (!this.board.grows) return id;
    const below = Object.entries(this.scene.pieces).filter(([, other]) => (other[5] ?? 0) < (piece[5] ?? 0) && this.onOne(other, piece));
    const named = (name) => `${name} ${BUGS[name[1]].name}`;
    return [named(id), ...below.reverse().map(([name]) => `on ${named(name)}`)].join(", ");
  }

  // Whether two tiles lie on one place; a stack leans a little as it rises.
  onOne([, , x, y, , level = 0], [, , otherX, otherY, , otherLevel = 0]) {
    const rise = (otherLevel - level) * 0.2 * HEX;
    return Math.hypot(otherX - x - rise / 2, otherY - y + rise) < 1;
  }

  // Says how high the stacks are.
  badges(ordered) {
    for (const [, piece] of ordered) {
      if (!(piece[5] > 0) || ordered.some(([, other]) => other[5] > piece[5] && this.onOne(piece, other))) continue;
      const [x, y] = [piece[2] - HEX * 0.5, piece[3] + HEX * 0.4];
      drawn(this.layers.over, "circle", { class: "badge", cx: x, cy: y, r: 6.5 });
      drawn(this.layers.over, "text", { class: "badge-text", x, y }, String(piece[5] + 1));
    }
  }

  // A quadrant with its nine holes that turns into its place; marks and targets wait for that.
  spin([, x, y, extent, angle]) {
    const square = [x - extent + 1, y - extent + 1, 2 * extent - 2, 2 * extent - 2, 8];
    drawShape(this.layers.pieces, ["rect", "frame", square]);
    const group = drawn(this.layers.pieces, "g", { class: "spin" });
    group.style.transformOrigin = `${x}px ${y}px`;
    group.style.setProperty("--from", `${-angle}deg`);
    drawShape(group, ["rect", "quadrant", square]);
    const steps = [-UNIT, 0, UNIT];
    for (const dx of steps) for (const dy of steps) drawShape(group, ["circle", "hole", [x + dx, y + dy, 0.36 * UNIT]]);
    this.svg.getBoundingClientRect(); // so that the class counts as new
    this.svg.classList.add("turning");
    return group;
  }

  mark([kind, x, y, extent, angle], numbers) {
    const { cell } = this.board;
    if (kind === "from") drawOutline(this.layers.under, cell, [x, y], "mark-from", 0.92);
    else if (kind === "turn") this.markTurn(x, y, extent, angle);
    else if (kind === "decisive") drawn(this.layers.over, "circle", { class: "mark-decisive", cx: x, cy: y, r: STONE + 1.5 });
    else if (kind === "forbidden") {
      drawn(this.layers.over, "path", { class: "mark-forbidden", d: `M${x - 6},${y - 6}l12,12M${x + 6},${y - 6}l-12,12` });
    } else if (cell === "square") drawOutline(this.layers.under, cell, [x, y], "mark-last");
    else if (cell === "hex") drawOutline(this.layers.over, cell, [x, y], "mark-last", 0.96);
    else if (!numbers) drawn(this.layers.over, "circle", { class: "mark-last dot", cx: x, cy: y, r: 5 });
    else drawn(this.layers.over, "circle", { class: "mark-last", cx: x, cy: y, r: STONE - 2.5 });
  }

  // Three quarters of a circle with an arrow's head, the way the quadrant was turned.
  markTurn(x, y, extent, angle) {
    const [sign, radius] = [angle > 0 ? 1 : -1, extent * 0.8];
    const group = drawn(this.layers.over, "g", { class: "mark-turn", transform: `translate(${x} ${y}) scale(${sign} 1)` });
    drawn(group, "path", { class: "shaft", d: `M${-radius * 0.5},${-radius * 0.866}A${radius},${radius} 0 0 1 ${radius},0` });
    drawn(group, "path", { class: "head", d: `M${radius},14l-8,-15h16Z` });
  }

  // Where an id is: x, y, then width, height and arrow of a cell. Null for pieces in hand and buttons.
  place(id) {
    const cell = this.board.cells[id] ?? this.scene.cells?.[id];
    if (cell) return cell;
    const piece = this.scene.pieces[id];
    return piece ? [piece[2], piece[3], 0, 0, null] : null;
  }

  // Makes ids clickable, the later ones above the earlier; those in `dots` are shown. `ghost` is the side whose stone
  // appears under the mouse, where a click puts one.
  allow(ids, { selected = null, cursor = null, dots = null, ghost = null } = {}) {
    const key = [ids, selected, cursor, dots && [...dots], ghost];
    refill(this.layers.targets, key, (layer) => this.fillTargets(layer, ids, { selected, cursor, dots, ghost }));
  }

  fillTargets(layer, ids, { selected, cursor, dots, ghost }) {
    const chosen = selected === null ? null : this.place(selected);
    if (chosen) drawOutline(layer, this.board.cell, chosen, "selected", 0.94);
    for (const id of ids) {
      const place = this.place(id);
      if (!place) continue;
      const group = drawn(layer, "g", { class: `target${id === cursor ? " cursor" : ""}`, "data-id": id });
      const isArrow = typeof place[4] === "number";
      if (ghost !== null && !isArrow && !this.scene.pieces[id]) drawPiece(group, [ghost, "stone", place[0], place[1]], "ghost");
      drawOutline(group, isArrow ? "round" : this.board.cell, place, "hit");
      if (isArrow) drawTurnArrow(group, place, "turn-arrow ready");
      else if (dots?.has(id)) drawn(group, "circle", { class: "dot", cx: place[0], cy: place[1] + this.below(id), r: 4.5 });
      drawn(group, "title", {}, id);
    }
  }

  // How far below the middle a dot leaves the symbol of a tile free.
  below(id) {
    return this.board.cell === "hex" && this.scene.pieces[id] ? HEX * 0.74 : 0;
  }

  // Shows moves worth playing, the best first: each a list of ids and a word. Of those that end on one place the best
  // has its word there, and only the best of all has its turn's arrow: more could not be told apart.
  hint(lines) {
    const layer = this.layers.hints;
    layer.replaceChildren();
    const words = new Map();
    lines.forEach(({ steps, text }, rank) => {
      const places = steps.map((id) => this.place(id)).filter(Boolean);
      const style = `rank${Math.min(rank, 2)}`;
      const plain = places.filter((place) => typeof place[4] !== "number");
      const turn = places.find((place) => typeof place[4] === "number");
      if (turn && rank === 0) drawTurnArrow(layer, turn, "turn-arrow hinted");
      const last = plain.at(-1);
      if (!last) return;
      if (plain.length === 2) drawArrow(layer, plain[0], plain[1], style);
      const key = `${last[0]},${last[1]}`;
      if (words.has(key)) return;
      words.set(key, [last, text]);
      if (plain.length === 1) drawn(layer, "circle", { class: `ring ${style}`, cx: last[0], cy: last[1], r: UNIT * 0.4 });
    });
    for (const [last, text] of words.values()) this.label(last, text); // above all arrows
  }

  label([x, y], text) {
    const width = 9 + 7 * text.length;
    drawn(this.layers.hints, "rect", { class: "label", x: x - width / 2, y: y - 8, width, height: 16, rx: 8 });
    drawn(this.layers.hints, "text", { class: "label-text", x, y }, text);
  }
}

// Fills `host` with a side's pieces in hand and its points; `onPick` hears clicks on pieces that `allowed` has.
function showSide(host, board, scene, side, { allowed = new Set(), selected = null, onPick = () => {} } = {}) {
  if (board.goal) host.append(pointsOf(scene.points[side], board.goal, side));
  for (const [id, look, count] of scene.hands[side]) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = `in-hand${id === selected ? " selected" : ""}`;
    button.disabled = !allowed.has(id);
    button.title = look in BUGS ? `${BUGS[look].name}, ${count} in hand` : `${count} in hand`;
    button.dataset.id = id;
    const size = 1.1 * UNIT;
    const svg = drawn(button, "svg", { class: `board ${board.game}`, viewBox: `${-size / 2} ${-size * 0.58} ${size} ${size * 1.16}` });
    drawPiece(svg, [side, look, 0, 0]);
    if (count > 1) button.append(Object.assign(document.createElement("span"), { className: "count", textContent: `×${count}` }));
    button.addEventListener("click", () => onPick(id));
    host.append(button);
  }
}

// Marks the piece in hand with which a good move begins; null for none.
function hintSide(host, hinted) {
  for (const button of host.querySelectorAll(".in-hand")) button.classList.toggle("hinted", button.dataset.id === hinted);
}

// Who plays a side, a mark for the side to move, and what `held` has of it.
function fillStrip(strip, colour, text, held) {
  const [swatch, turn] = [made("i", { className: `swatch ${colour}`, title: colour }), made("i", { className: "turn", title: "to move" })];
  strip.replaceChildren(made("span", { className: "who" }, swatch, text, turn), held);
}

function pointsOf(points, goal, side) {
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

// What follows from a scene by a change (describe_change in scene.py).
function changeScene(before, change) {
  const pieces = { ...(before?.pieces ?? {}) };
  for (const [id, piece] of Object.entries(change.pieces ?? {})) {
    if (piece === null) delete pieces[id];
    else pieces[id] = piece;
  }
  return {
    pieces,
    marks: change.marks ?? [],
    cells: {},
    hands: change.hands ?? before?.hands ?? [[], []],
    points: change.points ?? before?.points ?? [0, 0],
  };
}

// Light or dark as the system has it, until a person chooses with the page's switch.
function connectThemeSwitch(button) {
  const root = document.documentElement;
  button.addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try {
      localStorage.setItem("pentad-theme", root.dataset.theme);
    } catch {
      return; // a browser that stores nothing for pages of the file system
    }
  });
  try {
    const stored = localStorage.getItem("pentad-theme");
    if (stored === "light" || stored === "dark") root.dataset.theme = stored;
  } catch {
    return; // as above
  }
}
