// Fills the report page from its data: `Report` in arena/web/report/page.py, as JSON. All text is inserted as text nodes,
// never as markup. The functions for tables and plots come from charts.js and rounds.js, `Replayer` and `describeResult` from replay.js.
"use strict";

function showSummary(report) {
  document.title = report.title;
  byId("title").textContent = report.title;
  const warningCount = report.warnings.length;
  byId("warnings").hidden = !warningCount;
  byId("to-summary").textContent = warningCount ? `results, ⚠ ${warningCount} warning${warningCount > 1 ? "s" : ""}` : "results";
  byId("to-summary").addEventListener("click", () => byId("summary").scrollIntoView());
  byId("warnings").append(...report.warnings.map((text) => makeElement("p", { textContent: `⚠ ${text}` })));
  byId("rounds-card").hidden = !report.rounds;
  if (report.rounds) showRounds(byId("rounds"), report.rounds);
  showResults(report);
  drawRatings(byId("ratings"), report.ratings, report.has_anchors);
  if (report.sprt) showSprt(report.sprt);
  showTimes(report);
  byId("endings").append(makeTable(["ending", "games", "blamed"], Object.entries(report.endings).map(([ending, [games, ...blamed]]) =>
    [ending, String(games), makeElement("td", { className: "names", textContent: describeBlame(report, blamed) })])));
  for (const [name, value] of report.facts) byId("facts").append(makeElement("dt", { textContent: name }), makeElement("dd", { textContent: value || "none" }));
  for (const [name, description] of report.engines) byId("facts").append(makeElement("dt", { textContent: "engine" }), makeElement("dd", { textContent: `${name}: ${description}` }));
}

// Returns text such as "A 2, B 1"; `blamed` has the number of games that each engine is to blame for.
function describeBlame(report, blamed) {
  return blamed.flatMap((count, index) => (count ? [`${report.engines[index][0]} ${count}`] : [])).join(", ");
}

// Fills in the table of results. More than two engines are sorted by score and have a crosstable.
function showResults(report) {
  const hasCrosstable = report.results.length > 2;
  const score = ({ won, drawn, lost }) => (won + drawn / 2) / (won + drawn + lost);
  const order = report.results.map((_, index) => index);
  if (hasCrosstable) order.sort((one, other) => (score(report.results[other]) || 0) - (score(report.results[one]) || 0));
  const against = hasCrosstable ? order.map((_, rank) => String(rank + 1)) : [];
  const rows = order.map((index, rank) => {
    const { name, won, drawn, lost } = report.results[index];
    const games = won + drawn + lost;
    const cells = [hasCrosstable ? `${rank + 1}  ${name}` : name, String(games), String(won), String(drawn), String(lost)];
    cells.push(games ? `${(100 * score(report.results[index])).toFixed(1)} %` : "n/a");
    const crosstableCells = order.map((other) => (other === index
      ? makeElement("td", { className: "self", textContent: "·" })
      : makeCrosstableCell(report.results[index].against[other])));
    return hasCrosstable ? [...cells, ...crosstableCells] : cells;
  });
  byId("results").append(makeTable(["engine", "games", "won", "drawn", "lost", "score", ...against], rows));
}

function makeCrosstableCell([won, drawn, lost]) {
  const games = won + drawn + lost;
  return makeElement("td", { textContent: games ? `${won + drawn / 2}/${games}` : "", title: `${won} won, ${drawn} drawn, ${lost} lost` });
}

// Draws the log likelihood ratio of the sequential test against the number of pairs.
function showSprt({ title, lower, upper, llr_history: llrHistory }) {
  byId("sprt-card").hidden = false;
  byId("sprt-title").textContent = title;
  const points = [[0, 0], ...llrHistory.map((llr, index) => [index + 1, llr])];
  drawLineChart(byId("sprt"), { series: [{ points, style: "one" }], bounds: [[lower, "H0"], [upper, "H1"]], xName: "pairs" });
}

function showTimes(report) {
  const times = (one) => [one.mean, one.cpu, one.median, one.high, one.max_ms].map((ms) => (ms === null ? "n/a" : formatTime(ms)));
  const rows = report.times.map((one) => [one.name, String(one.moves), ...times(one)]);
  byId("times").append(makeTable(["engine", "moves", "mean", "CPU", "median", "95 %", "max"], rows));
  const indices = report.times.map(({ name }) => report.engines.findIndex(([other]) => other === name));
  const series = report.times.map(({ by_move: means }, row) => ({
    points: means.map((ms, index) => [index + 1, ms / 1000]), colour: engineColour(indices[row]),
  }));
  if (!series.length) return;
  drawLineChart(byId("time-plot"), { series, low: 0, xName: "mean time in seconds of an engine's 1st, 2nd, ... move" });
  byId("time-plot").append(makeLegend(report.times.map(({ name }, row) => [name, engineColour(indices[row])])));
}

const [WON, DRAWN] = [1, 2]; // indices of the values of the result filter

// The list of games with its filters. `open(game, ply)` shows a game at a ply, by default at its end.
class GameList {
  constructor(report, open) {
    this.report = report;
    this.open = open;
    this.openingText = (game) => game.moves.slice(0, game.opening).join(game.moves.some((move) => move.includes(" ")) ? "; " : " ");
    const openings = [...new Set(report.games.map(this.openingText))];
    const filters = {
      engine: ["any", ...report.engines.map(([name]) => name)],
      result: ["any", "won", "drawn", "lost"],
      opening: ["any", ...openings.map((text, index) => (text ? `${index + 1}: ${shorten(text, 60)}` : "none"))],
      ending: ["any", ...Object.keys(report.endings)],
    };
    this.openings = openings;
    this.selects = {};
    for (const [name, values] of Object.entries(filters)) {
      const select = makeElement("select", { id: `filter-${name}` }, ...values.map((text, value) => makeElement("option", { textContent: text, value })));
      select.addEventListener("change", () => this.update());
      this.selects[name] = select;
      byId("filters").append(makeElement("label", {}, name, select));
    }
    this.count = makeElement("span", { className: "muted" });
    byId("filters").append(this.count);
  }

  // Returns whether a game passes all filters.
  matches(game) {
    const chosen = Object.fromEntries(Object.entries(this.selects).map(([name, select]) => [name, Number(select.value)]));
    const engine = chosen.engine - 1;
    if (engine >= 0 && game.first !== engine && game.second !== engine) return false;
    if (chosen.opening && this.openingText(game) !== this.openings[chosen.opening - 1]) return false;
    if (chosen.ending && game.ending !== this.selects.ending.selectedOptions[0].textContent) return false;
    if (!chosen.result) return true;
    if (game.ending === "void") return false;
    if (chosen.result === DRAWN) return game.winner < 0;
    if (engine < 0) return game.winner >= 0; // if no engine is chosen, won and lost both mean decided
    return game.winner >= 0 && (game.winner === engine) === (chosen.result === WON);
  }

  // Lists the games that pass the filters.
  update() {
    this.shown = this.report.games.filter((game) => this.matches(game));
    byId("list").replaceChildren(...this.shown.map((game) => this.makeButton(game)));
    this.count.textContent = `${this.shown.length} of ${this.report.games.length} games`;
  }

  makeButton(game) {
    const [first, second] = [game.first, game.second].map((index) => this.report.engines[index][0]);
    const score = game.winner < 0 ? (game.ending === "void" ? "–" : "½–½") : game.winner === game.first ? "1–0" : "0–1";
    const button = makeElement("button", { type: "button" },
      makeElement("span", { className: "line" }, `${game.number}. ${first} – ${second}  `, makeElement("span", { className: "score", textContent: score })),
      makeElement("small", { textContent: `${game.ending}, ${game.moves.length} moves` }));
    button.dataset.game = game.number;
    button.addEventListener("click", () => this.open(game));
    return button;
  }

  // Highlights the open game and scrolls the list to it; the page is not scrolled.
  highlight(game) {
    const list = byId("list");
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const button = list.querySelector(`[data-game="${game.number}"]`);
    if (!button) return;
    button.setAttribute("aria-current", "true");
    const top = button.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 40) list.scrollTop = top - 60;
  }

  // Returns the game `step` places after `game` in the list, or undefined.
  neighbour(game, step) {
    return this.shown[this.shown.indexOf(game) + step];
  }
}

// Returns whether a part of the board is in the window.
function isBoardVisible() {
  const { top, bottom } = byId("board").getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

// Scrolls the page to the board if it is not completely visible, so that the user sees the effect of keys and links.
function scrollToBoard() {
  const { top, bottom } = byId("board").getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) byId("stage").scrollIntoView({ block: "start" });
}

const SCROLL_KEYS = ["Home", "End", " "]; // they scroll the page, as in every page, while the board is not visible

// Connects the keys that `report.html` lists below the board.
function connectKeys(replayer, games) {
  const actions = {
    ArrowLeft: () => replayer.go(replayer.ply - 1),
    ArrowRight: () => replayer.go(replayer.ply + 1),
    Home: () => replayer.go(0),
    End: () => replayer.go(replayer.game.moves.length),
    " ": () => replayer.toggleAutoplay(),
    n: () => games.openNeighbour(1),
    p: () => games.openNeighbour(-1),
  };
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest("input, select, textarea, summary");
    const isButtonPress = event.key === " " && event.target.closest("button");
    if (isTyping || isButtonPress || event.ctrlKey || event.altKey || event.metaKey || !actions[event.key] || !replayer.game) return;
    if (SCROLL_KEYS.includes(event.key) && !isBoardVisible()) return;
    event.preventDefault();
    actions[event.key]();
    scrollToBoard();
  });
}

// Links the record files of a game, which are in the folder of the report.
function listRecords(game) {
  const review = game.review ? [makeElement("a", { href: game.review, textContent: "review of this game" }), "; "] : [];
  byId("records").replaceChildren(...review, "record: ", ...game.records.flatMap((path) => [makeElement("a", { href: path, textContent: path.replace(/^.*?\./, "") }), " "]));
}

// Returns the game number and the ply of a link such as report.html#game=3&ply=12.
function readHash() {
  const parts = new URLSearchParams(location.hash.slice(1));
  return { number: Number(parts.get("game")), ply: parts.has("ply") ? Number(parts.get("ply")) : null };
}

// Shows the list of games, and the game that the address links to or the first one.
function showGames(report) {
  if (!report.games.length) {
    byId("games").replaceChildren(makeElement("p", { className: "muted", textContent: "No game has ended yet." }));
    return;
  }
  const elements = { board: byId("board"), strips: [byId("strip0"), byId("strip1")], controls: byId("controls"),
    moves: byId("moves"), curve: byId("curve"), searchInfo: byId("search-info"), messages: byId("messages"), stderr: byId("stderr") };
  const updateLink = (game, ply) => history.replaceState(null, "", `#game=${game.number}&ply=${ply}`);
  const replayer = new Replayer(report, elements, updateLink);
  const games = new GameList(report, (game, ply = game.moves.length) => {
    byId("caption").textContent = `Game ${game.number}, pair ${game.pair}: ${describeResult(report, game)}`;
    replayer.load(game, ply);
    listRecords(game);
    games.highlight(game);
  });
  // Opens the game `step` places further in the list.
  games.openNeighbour = (step) => {
    const next = games.neighbour(replayer.game, step);
    if (next) games.open(next);
  };
  games.update();
  connectKeys(replayer, games);
  // Opens the game that the address of the page links to, and returns it; undefined if there is none.
  const openLinked = () => {
    const { number, ply } = readHash();
    const linked = report.games.find((game) => game.number === number);
    if (linked) games.open(linked, ply ?? undefined);
    if (linked) scrollToBoard();
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
