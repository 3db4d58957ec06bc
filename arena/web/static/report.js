// Fills the report's page from its data. All text goes in as text, never as markup.
"use strict";

const byId = (id) => document.getElementById(id);

async function readData() {
  const bytes = Uint8Array.from(atob(byId("data").textContent.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

function showSummary(report) {
  document.title = report.title;
  byId("title").textContent = report.title;
  byId("concerns").hidden = !report.concerns.length;
  const warned = report.concerns.length;
  byId("to-summary").textContent = warned ? `results, ⚠ ${warned} warning${warned > 1 ? "s" : ""}` : "results";
  byId("to-summary").addEventListener("click", () => byId("summary").scrollIntoView());
  byId("concerns").append(...report.concerns.map((text) => made("p", { textContent: `⚠ ${text}` })));
  showResults(report);
  ratingChart(byId("ratings"), report.ratings);
  if (report.test) showTest(report.test);
  showTimes(report);
  byId("endings").append(tableOf(["ending", "games", ""], Object.entries(report.endings).map(([ending, [games, ...faults]]) =>
    [ending, String(games), made("td", { className: "names", textContent: nameFaults(report, faults) })])));
  for (const [name, value] of report.facts) byId("facts").append(made("dt", { textContent: name }), made("dd", { textContent: value || "none" }));
  for (const [name, about] of report.engines) byId("facts").append(made("dt", { textContent: "engine" }), made("dd", { textContent: `${name}: ${about}` }));
}

// Who is to blame for how many games of an ending.
function nameFaults(report, faults) {
  return faults.flatMap((count, index) => (count ? [`${count} by ${report.engines[index][0]}`] : [])).join(", ");
}

function showResults(report) {
  const many = report.results.length > 2;
  const share = ({ won, drawn, lost }) => (won + drawn / 2) / (won + drawn + lost);
  const order = report.results.map((_, index) => index);
  if (many) order.sort((one, other) => (share(report.results[other]) || 0) - (share(report.results[one]) || 0));
  const against = many ? order.map((_, place) => String(place + 1)) : [];
  const rows = order.map((index, place) => {
    const { name, won, drawn, lost } = report.results[index];
    const games = won + drawn + lost;
    const cells = [many ? `${place + 1}  ${name}` : name, String(games), String(won), String(drawn), String(lost)];
    cells.push(games ? `${(100 * share(report.results[index])).toFixed(1)} %` : "n/a");
    const cross = order.map((other) => (other === index
      ? made("td", { className: "self", textContent: "·" })
      : crossCell(report.results[index].against[other])));
    return many ? [...cells, ...cross] : cells;
  });
  byId("results").append(tableOf(["engine", "games", "won", "drawn", "lost", "score", ...against], rows));
}

function crossCell([won, drawn, lost]) {
  const games = won + drawn + lost;
  return made("td", { textContent: games ? `${won + drawn / 2}/${games}` : "", title: `${won} won, ${drawn} drawn, ${lost} lost` });
}

function showTest({ title, lower, upper, ratios }) {
  byId("test-card").hidden = false;
  byId("test-title").textContent = title;
  const points = [[0, 0], ...ratios.map((ratio, index) => [index + 1, ratio])];
  lineChart(byId("test"), { series: [{ points, style: "one" }], bounds: [[lower, "H0"], [upper, "H1"]], xName: "pairs" });
}

function showTimes(report) {
  const cells = (use) => [use.mean, use.cpu, use.median, use.high, use.most].map((ms) => (ms === null ? "n/a" : shortTime(ms)));
  const rows = report.times.map((use) => [use.name, String(use.moves), ...cells(use)]);
  byId("times").append(tableOf(["engine", "moves", "mean", "CPU", "median", "95 %", "most"], rows));
  const indices = report.times.map(({ name }) => report.engines.findIndex(([other]) => other === name));
  const series = report.times.map(({ by_move: means }, place) => ({
    points: means.map((ms, index) => [index + 1, ms / 1000]), shade: shadeOf(indices[place]),
  }));
  if (!series.length) return;
  lineChart(byId("time-plot"), { series, low: 0, xName: "mean seconds of an engine's 1st, 2nd, ... move" });
  byId("time-plot").append(keyOf(report.times.map(({ name }, place) => [name, shadeOf(indices[place])])));
}

// The filters and the list of games; `open` shows a game.
class GameList {
  constructor(report, open) {
    this.report = report;
    this.open = open;
    this.opening = (game) => game.moves.slice(0, game.opening).join(game.moves.some((move) => move.includes(" ")) ? "; " : " ");
    const openings = [...new Set(report.games.map(this.opening))];
    const filters = {
      engine: ["any", ...report.engines.map(([name]) => name)],
      result: ["any", "won", "drawn", "lost"],
      opening: ["any", ...openings.map((text, index) => (text ? `${index + 1}: ${shorten(text, 60)}` : "none"))],
      ending: ["any", ...Object.keys(report.endings)],
    };
    this.openings = openings;
    this.selects = {};
    for (const [name, values] of Object.entries(filters)) {
      const select = made("select", { id: `filter-${name}` }, ...values.map((text, value) => made("option", { textContent: text, value })));
      select.addEventListener("change", () => this.list());
      this.selects[name] = select;
      byId("filters").append(made("label", {}, name, select));
    }
    this.count = made("span", { className: "muted" });
    byId("filters").append(this.count);
  }

  matches(game) {
    const chosen = Object.fromEntries(Object.entries(this.selects).map(([name, select]) => [name, Number(select.value)]));
    const engine = chosen.engine - 1;
    if (engine >= 0 && game.first !== engine && game.second !== engine) return false;
    if (chosen.opening && this.opening(game) !== this.openings[chosen.opening - 1]) return false;
    if (chosen.ending && game.ending !== this.selects.ending.selectedOptions[0].textContent) return false;
    if (!chosen.result) return true;
    if (chosen.result === 2 || game.ending === "void") return chosen.result === 2 && game.winner < 0 && game.ending !== "void";
    if (engine < 0) return game.winner >= 0; // without an engine, won and lost both mean decided
    return game.winner >= 0 && (game.winner === engine) === (chosen.result === 1);
  }

  list() {
    this.shown = this.report.games.filter((game) => this.matches(game));
    byId("list").replaceChildren(...this.shown.map((game) => this.row(game)));
    this.count.textContent = `${this.shown.length} of ${this.report.games.length} games`;
  }

  row(game) {
    const [first, second] = [game.first, game.second].map((index) => this.report.engines[index][0]);
    const score = game.winner < 0 ? (game.ending === "void" ? "–" : "½–½") : game.winner === game.first ? "1–0" : "0–1";
    const button = made("button", { type: "button" },
      made("span", { className: "line" }, `${game.number}. ${first} – ${second}  `, made("span", { className: "score", textContent: score })),
      made("small", { textContent: `${game.ending}, ${game.moves.length} moves` }));
    button.dataset.game = game.number;
    button.addEventListener("click", () => this.open(game));
    return button;
  }

  // Marks the open game, and keeps it in sight without moving the page.
  mark(game) {
    const list = byId("list");
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const button = list.querySelector(`[data-game="${game.number}"]`);
    if (!button) return;
    button.setAttribute("aria-current", "true");
    const top = button.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 40) list.scrollTop = top - 60;
  }

  neighbour(game, step) {
    return this.shown[this.shown.indexOf(game) + step];
  }
}

// Whether any of the board is in the window.
function isBoardSeen() {
  const { top, bottom } = byId("board").getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

// Brings the whole of the board into the window where it is not: what keys and links move is to be seen.
function showBoard() {
  const { top, bottom } = byId("board").getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) byId("stage").scrollIntoView({ block: "start" });
}

const PAGE_KEYS = ["Home", "End", " "]; // that scroll the page while the board is out of sight

function connectKeys(replayer, games) {
  const acts = {
    ArrowLeft: () => replayer.go(replayer.ply - 1),
    ArrowRight: () => replayer.go(replayer.ply + 1),
    Home: () => replayer.go(0),
    End: () => replayer.go(replayer.game.moves.length),
    " ": () => replayer.toggle(),
    n: () => games.openNeighbour(1),
    p: () => games.openNeighbour(-1),
  };
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, select, textarea, summary");
    const pressing = event.key === " " && event.target.closest("button");
    if (typing || pressing || event.ctrlKey || event.altKey || event.metaKey || !acts[event.key] || !replayer.game) return;
    if (PAGE_KEYS.includes(event.key) && !isBoardSeen()) return;
    event.preventDefault();
    acts[event.key]();
    showBoard();
  });
}

// The files of a game that lie beside the report.
function listRecords(game) {
  byId("records").replaceChildren("record: ", ...game.records.flatMap((path) => [made("a", { href: path, textContent: path.replace(/^.*?\./, "") }), " "]));
}

function readHash() {
  const parts = new URLSearchParams(location.hash.slice(1));
  return { number: Number(parts.get("game")), ply: parts.has("ply") ? Number(parts.get("ply")) : null };
}

function showGames(report) {
  if (!report.games.length) {
    byId("games").replaceChildren(made("p", { className: "muted", textContent: "No game has ended yet." }));
    return;
  }
  const places = { board: byId("board"), strips: [byId("strip0"), byId("strip1")], controls: byId("controls"),
    moves: byId("moves"), curve: byId("curve"), told: byId("told"), words: byId("words"), stderr: byId("stderr") };
  const note = (game, ply) => history.replaceState(null, "", `#game=${game.number}&ply=${ply}`);
  const replayer = new Replayer(report, places, note);
  const games = new GameList(report, (game, ply = 0) => {
    byId("caption").textContent = `Game ${game.number}, pair ${game.pair}: ${describeResult(report, game)}`;
    replayer.load(game, ply);
    listRecords(game);
    games.mark(game);
  });
  games.openNeighbour = (step) => {
    const next = games.neighbour(replayer.game, step);
    if (next) games.open(next);
  };
  games.list();
  connectKeys(replayer, games);
  const openLinked = () => {
    const { number, ply } = readHash();
    const linked = report.games.find((game) => game.number === number);
    if (linked) games.open(linked, ply ?? 0);
    if (linked) showBoard();
    return linked;
  };
  if (!openLinked()) games.open(report.games[0]);
  addEventListener("hashchange", openLinked);
}

connectThemeSwitch(byId("theme"));
readData().then((report) => {
  showSummary(report);
  showGames(report);
}).catch((error) => {
  byId("problem").hidden = false;
  byId("problem").textContent = `This report cannot be shown: ${error.message ?? error}`;
});
