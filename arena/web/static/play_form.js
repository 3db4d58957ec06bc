// The form of a new game, and the game as text: to copy, to save, to load.
"use strict";

const TIMES = [200, 500, 1000, 2000, 5000, 10000, 30000];
const MOST_FILE = 150_000; // bytes; the server takes little more

let edited = false; // whether the field holds a person's own text

function fillForm() {
  byId("title").textContent = `Pentad: ${choices.title}`;
  document.title = byId("title").textContent;
  const option = (value, text) => made("option", { value, textContent: text });
  byId("opponent").append(...choices.opponents.map(({ name }) => option(name, name)));
  const [first, second] = choices.sides;
  byId("person").append(option("first", `${first}, first`), option("second", `${second}, second`), option("both", "both sides"),
    option("none", "neither: watch"));
  byId("time").append(...TIMES.map((ms) => option(ms, shortTime(ms))));
  byId("level").max = choices.levels;
  byId("level").title = `1 to ${choices.levels}, the strongest`;
  byId("variants").append(...choices.variants.map((name) => option(name, name)));
  byId("size-label").hidden = byId("size").disabled = !choices.size; // a hidden 0 would keep the form from being sent
  byId("variant-label").hidden = choices.variants.length < 2;
  byId("variant").placeholder = choices.variants[0];
  byId("size").placeholder = choices.size;
  fillTerms();
}

// What the present game is played with, also where it was loaded.
function fillTerms() {
  const { terms } = state;
  const option = (value, text) => made("option", { value, textContent: text });
  byId("opponent").value = terms.opponent;
  byId("person").value = terms.person;
  if (!TIMES.includes(terms.move_time_ms)) byId("time").append(option(terms.move_time_ms, shortTime(terms.move_time_ms)));
  byId("time").value = terms.move_time_ms;
  byId("size").value = terms.size ?? choices.size;
  byId("variant").value = terms.variant ?? choices.variants[0];
  chooseOpponent();
  if (terms.level) byId("level").value = terms.level;
}

function chooseOpponent() {
  const opponent = choices.opponents.find(({ name }) => name === byId("opponent").value);
  byId("about").textContent = opponent.help;
  byId("level-label").hidden = opponent.level === null;
  byId("level").value = opponent.level ?? "";
  byId("level").placeholder = `${opponent.level}, as nothing else is said`;
}

function newGame(event) {
  event.preventDefault();
  const number = (id) => (byId(`${id}-label`).hidden || byId(id).value === "" ? null : Number(byId(id).value));
  command("new", {
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

function showText() {
  if (!edited) byId("text").value = state.game_text;
  const isNews = !state.game_text.includes(state.position_text);
  byId("position-line").hidden = !isNews;
  byId("position").textContent = byId("position").title = isNews ? state.position_text : "";
}

async function copyText(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch { // no permission: the older way, by a field
    const field = made("textarea", { value: text });
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  button.textContent = "copied";
  setTimeout(() => (button.textContent = "copy"), 1200);
}

function saveText() {
  const address = URL.createObjectURL(new Blob([byId("text").value], { type: "text/plain" }));
  made("a", { href: address, download: `pentad-${choices.game}.txt` }).click();
  URL.revokeObjectURL(address);
}

async function loadText() {
  if (await command("load", { text: byId("text").value })) edited = false;
  showText();
}

async function loadFile() {
  const [file] = byId("file").files;
  byId("file").value = ""; // so that the same one can be chosen again
  if (!file) return;
  if (file.size > MOST_FILE) {
    complain(`${file.name}: a game has at most ${MOST_FILE} bytes, not ${file.size}`);
    return;
  }
  byId("text").value = await file.text();
  edited = true;
  await loadText();
}

function connectText() {
  byId("loads").textContent = `Loads what is written above, and ${choices.loads}.`;
  byId("text").addEventListener("input", () => (edited = true));
  byId("copy").addEventListener("click", () => copyText(byId("text").value, byId("copy")));
  byId("copy-position").addEventListener("click", () => copyText(state.position_text, byId("copy-position")));
  byId("save").addEventListener("click", saveText);
  byId("load").addEventListener("click", loadText);
  byId("file").addEventListener("change", loadFile);
}
