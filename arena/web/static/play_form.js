// The form for a new game, and the game as text to copy, save and load. Part of the play page, see play.js.
"use strict";

const TIMES_MS = [200, 500, 1000, 2000, 5000, 10000, 30000]; // per move, to choose from
const MAX_FILE_BYTES = 150_000; // below the limit of the server, MAX_BODY_BYTES in arena/web/play/guard.py

let isEdited = false; // whether the text field has text of the person, which a new state must not replace

// Fills the form with the choices of the server.
function fillForm() {
  byId("title").textContent = `Pentad: ${choices.title}`;
  document.title = byId("title").textContent;
  const option = (value, text) => makeElement("option", { value, textContent: text });
  byId("opponent").append(...choices.opponents.map(({ name }) => option(name, name)));
  const [first, second] = choices.sides;
  byId("person").append(option("first", `${first}, first`), option("second", `${second}, second`), option("both", "both sides"),
    option("none", "neither (watch)"));
  byId("time").append(...TIMES_MS.map((ms) => option(ms, formatTime(ms))));
  byId("level").max = choices.max_level;
  byId("level").title = `1 (weakest) to ${choices.max_level} (strongest)`;
  byId("variants").append(...choices.variants.map((name) => option(name, name)));
  byId("size-label").hidden = byId("size").disabled = !choices.size; // a hidden field with an invalid value would block the form
  byId("variant-label").hidden = choices.variants.length < 2;
  byId("variant").placeholder = choices.variants[0];
  byId("size").placeholder = choices.size;
  fillSettings();
}

// Fills the form with the settings of the current game.
function fillSettings() {
  const { settings } = state;
  const option = (value, text) => makeElement("option", { value, textContent: text });
  byId("opponent").value = settings.opponent;
  byId("person").value = settings.person;
  if (!TIMES_MS.includes(settings.move_time_ms)) byId("time").append(option(settings.move_time_ms, formatTime(settings.move_time_ms)));
  byId("time").value = settings.move_time_ms;
  byId("size").value = settings.size ?? choices.size;
  byId("variant").value = settings.variant ?? choices.variants[0];
  showOpponent();
  if (settings.level) byId("level").value = settings.level;
}

// Shows the description and the default level of the opponent that is selected.
function showOpponent() {
  const opponent = choices.opponents.find(({ name }) => name === byId("opponent").value);
  byId("about").textContent = opponent.help;
  byId("level-label").hidden = opponent.level === null;
  byId("level").value = opponent.level ?? "";
  byId("level").placeholder = `${opponent.level} (default)`;
}

function newGame(event) {
  event.preventDefault();
  const number = (id) => (byId(`${id}-label`).hidden || byId(id).value === "" ? null : Number(byId(id).value));
  runCommand("new", {
    opponent: byId("opponent").value,
    person: byId("person").value,
    level: number("level"),
    size: number("size"),
    variant: byId("variant-label").hidden || !byId("variant").value ? null : byId("variant").value,
    move_time_ms: Number(byId("time").value),
  });
}

function playTyped(event) {
  event.preventDefault();
  const move = byId("move").value.trim();
  byId("move").value = "";
  if (move) makeMove(move);
}

// Shows the game as text, and the position if the text of the game does not contain it.
function showText() {
  if (!isEdited) byId("text").value = state.game_text;
  const showsPosition = !state.game_text.includes(state.position_text);
  byId("position-line").hidden = !showsPosition;
  byId("position").textContent = byId("position").title = showsPosition ? state.position_text : "";
}

async function copyText(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch { // without permission for the clipboard: the older way, with a text field
    const field = makeElement("textarea", { value: text });
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  button.textContent = "copied";
  setTimeout(() => (button.textContent = "copy"), 1200);
}

function saveText() {
  const url = URL.createObjectURL(new Blob([byId("text").value], { type: "text/plain" }));
  makeElement("a", { href: url, download: `pentad-${choices.game}.txt` }).click();
  URL.revokeObjectURL(url);
}

async function loadText() {
  if (await runCommand("load", { text: byId("text").value })) isEdited = false;
  showText();
}

async function loadFile() {
  const [file] = byId("file").files;
  byId("file").value = ""; // so that choosing the same file again causes a change event
  if (!file) return;
  if (file.size > MAX_FILE_BYTES) {
    showProblem(`${file.name}: the file must have at most ${MAX_FILE_BYTES} bytes, not ${file.size}`);
    return;
  }
  byId("text").value = await file.text();
  isEdited = true;
  await loadText();
}

function connectText() {
  byId("loads").textContent = `Loads text in the format above, and ${choices.loadable_formats}.`;
  byId("text").addEventListener("input", () => (isEdited = true));
  byId("copy").addEventListener("click", () => copyText(byId("text").value, byId("copy")));
  byId("copy-position").addEventListener("click", () => copyText(state.position_text, byId("copy-position")));
  byId("save").addEventListener("click", saveText);
  byId("load").addEventListener("click", loadText);
  byId("file").addEventListener("change", loadFile);
}
