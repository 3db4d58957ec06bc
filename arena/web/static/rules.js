// Fills the rules page with texts and pictures of positions: `RulesPage` in arena/web/game_rules.py, as JSON. BoardView
// comes from board.js, makeElement from charts.js.
"use strict";

const PICTURE_MARGIN = 0.3; // around the pieces of Hive, in hexagon radii

function drawPicture({ caption, board, scene, selected, dots }) {
  const host = makeElement("div", { className: "board-host" });
  const view = new BoardView(host, board);
  const figure = makeElement("figure", { className: "card" }, host, makeElement("figcaption", { textContent: caption }));
  view.fit([scene, sceneOfDots(view, scene, dots)], PICTURE_MARGIN);
  view.show(scene);
  view.setTargets(dots, { selected: view.locate(selected) ? selected : null, dots: new Set(dots) });
  view.layers.targets.classList.add("not-clickable");
  return figure;
}

// Returns a scene with a piece on each cell that has a dot, to make the visible area include the dots.
function sceneOfDots(view, scene, dots) {
  const cells = dots.map((id) => view.board.cells[id] ?? scene.cells?.[id]).filter(Boolean);
  return { pieces: Object.fromEntries(cells.map(([x, y], index) => [index, [0, "", x, y]])) };
}

function showRules({ title, sections }) {
  document.title = document.getElementById("title").textContent = `Rules of ${title}`;
  document.getElementById("sections").append(...sections.map((section) => makeElement("section", {},
    makeElement("h2", { textContent: section.title }),
    ...section.text.map((text) => makeElement("p", { textContent: text })),
    makeElement("div", { className: "pictures" }, ...section.pictures.map(drawPicture)))));
}

connectThemeSwitch(document.getElementById("theme"));
fetch("api/rules").then(async (response) => {
  const content = await response.json();
  if (!response.ok) throw new Error(content.error);
  showRules(content);
}).catch((error) => {
  document.getElementById("problem").hidden = false;
  document.getElementById("problem").textContent = `The rules cannot be shown: ${error.message}`;
});
