// The rules of the game that is played, with pictures of positions.
"use strict";

const PICTURE_SPACE = 0.3; // radii round a hive

function drawPicture({ caption, board, scene, chosen, dots }) {
  const host = made("div", { className: "board-host" });
  const view = new BoardView(host, board);
  const figure = made("figure", { className: "card" }, host, made("figcaption", { textContent: caption }));
  view.fit([scene, dotted(view, scene, dots)], PICTURE_SPACE);
  view.show(scene);
  view.allow(dots, { selected: view.place(chosen) ? chosen : null, dots: new Set(dots) });
  view.layers.targets.classList.add("seen-only");
  return figure;
}

// The places of dots as if pieces lay there, so that the picture is large enough for them.
function dotted(view, scene, dots) {
  const cells = dots.map((id) => view.board.cells[id] ?? scene.cells?.[id]).filter(Boolean);
  return { pieces: Object.fromEntries(cells.map(([x, y], index) => [index, [0, "", x, y]])) };
}

function showRules({ title, parts }) {
  document.title = document.getElementById("title").textContent = `Rules of ${title}`;
  document.getElementById("parts").append(...parts.map((part) => made("section", {},
    made("h2", { textContent: part.title }),
    ...part.text.map((text) => made("p", { textContent: text })),
    made("div", { className: "pictures" }, ...part.drawings.map(drawPicture)))));
}

connectThemeSwitch(document.getElementById("theme"));
fetch("api/rules").then(async (answer) => {
  const content = await answer.json();
  if (!answer.ok) throw new Error(content.error);
  showRules(content);
}).catch((error) => {
  document.getElementById("problem").hidden = false;
  document.getElementById("problem").textContent = `The rules cannot be shown: ${error.message}`;
});
