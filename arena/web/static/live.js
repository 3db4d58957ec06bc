// Shows a run while it is played. The server sends `LiveUpdate` (arena/web/live/page_data.py) as server-sent events; the
// first one of a connection is a snapshot. All text is inserted as text nodes, never as markup.
"use strict";

const byId = (id) => document.getElementById(id);
const CLOCK_INTERVAL_MS = 200;
const RETRY_MS = 3000; // between two attempts to connect
const SILENCE_MS = 30000; // a connection that brings nothing for this time is dead; KEEP_ALIVE_S in arena/web/live/feed.py
const NO_STANDINGS = { results: [], ratings: [], has_anchors: false, rounds: null, sprt: null };
const DRAWING_MS = 8; // of a frame, so that a page with many boards stays smooth
const STATES = {
  waiting: "The run has not begun yet: its folder has no log.",
  playing: "playing",
  silent: "interrupted, no process is playing this run",
  interrupted: "interrupted",
  stopped: "stopped early",
  finished: "finished",
};

// The page. `run` holds what the boards need to know of the run.
class LivePage {
  constructor() {
    this.run = { names: [], board: null };
    this.panels = [];
    this.undrawn = new Set(); // panels that have changed since they were drawn
    this.isDrawing = false; // true: the next frame draws
    this.source = null;
    this.isConnected = false; // false: the clocks stand still
    this.heardMs = 0; // when the last event came
    this.isPaused = false;
    this.retry = null; // timer of the next attempt to connect
  }

  // Opens the connection. The server begins with a snapshot, also after it was lost.
  connect() {
    this.source = new EventSource("events");
    this.source.onmessage = (event) => {
      this.noteEvent();
      this.receive(JSON.parse(event.data));
    };
    this.source.addEventListener("alive", () => this.noteEvent());
    this.source.onopen = () => this.showProblem("");
    this.source.onerror = () => this.reconnect();
    this.source.addEventListener("goodbye", () => {
      this.disconnect();
      byId("state").append(" (The command that served this page has ended.)");
      if (location.pathname === "/") this.connectLater(); // a private page has a new address when it is served again
    });
  }

  noteEvent() {
    this.isConnected = true;
    this.heardMs = performance.now();
  }

  reconnect() {
    this.connectLater();
    this.showProblem("The connection to the run is lost, or it has too many viewers; trying to connect again.");
  }

  // Called by us, because the browser tries again after some errors only.
  connectLater() {
    this.disconnect();
    this.retry = setTimeout(() => this.connect(), RETRY_MS);
  }

  disconnect() {
    clearTimeout(this.retry);
    this.source?.close();
    this.source = null;
    this.isConnected = false;
  }

  togglePause() {
    this.isPaused = !this.isPaused;
    byId("pause").setAttribute("aria-pressed", String(this.isPaused));
    byId("pause").textContent = this.isPaused ? "go on" : "pause";
    if (this.isPaused) this.disconnect();
    else this.connect();
  }

  showProblem(text) {
    byId("problem").hidden = !text;
    byId("problem").textContent = text;
  }

  receive(update) {
    if (update.is_snapshot) {
      this.panels = [];
      this.undrawn.clear();
      byId("boards").replaceChildren();
      this.run.board = null;
    }
    if (update.board) this.run.board = update.board;
    if (update.status) this.showStatus(update.status);
    for (const board of update.boards ?? []) this.updateBoard(board);
    if (update.boards || update.is_snapshot) this.layOut();
    if (update.standings || update.is_snapshot) this.showStandings(update.standings ?? NO_STANDINGS);
    if (update.results) this.showResults(update.results);
    if (update.faults) this.showFaults(update.faults);
  }

  showStatus(status) {
    this.run.names = status.names;
    document.title = status.title ? `${status.title} – Pentad` : "Pentad";
    byId("title").textContent = status.title || "Pentad";
    const count = status.planned ? `${status.played} of ${status.planned} games` : `${status.played} games`;
    const running = status.running ? `, ${status.running} running` : "";
    byId("state").textContent = status.state === "waiting" ? STATES.waiting : `${STATES[status.state]}: ${count}${running}`;
    byId("progress").hidden = !status.planned;
    byId("progress").max = status.planned || 1;
    byId("progress").value = status.played;
    byId("facts").textContent = [status.game, status.limits].filter(Boolean).join(" · ");
    this.showProblem(status.problem);
    byId("no-boards").textContent = status.has_boards ? "No game has begun yet." : "The games are played on a cluster, so a board is shown when its game has ended.";
    this.hasBoards = status.has_boards;
  }

  updateBoard(board) {
    if (!this.panels[board.slot]) this.panels[board.slot] = new BoardPanel(byId("boards"), this.run);
    this.panels[board.slot].receive(board);
    this.undrawn.add(this.panels[board.slot]);
    this.requestDrawing();
  }

  requestDrawing() {
    if (this.isDrawing || !this.undrawn.size) return;
    this.isDrawing = true;
    requestAnimationFrame(() => this.drawBoards());
  }

  // Draws boards that have changed, as many as the time allows; the others are drawn in the next frames.
  drawBoards() {
    this.isDrawing = false;
    const endMs = performance.now() + DRAWING_MS;
    for (const panel of this.undrawn) {
      this.undrawn.delete(panel);
      panel.draw();
      if (performance.now() > endMs) break;
    }
    this.requestDrawing();
  }

  // Lets few boards be larger than many.
  layOut() {
    const count = this.panels.length;
    byId("no-boards").hidden = count > 0 && this.hasBoards;
    byId("boards").style.setProperty("--board-width", count <= 2 ? "420px" : count <= 6 ? "330px" : "250px");
  }

  showStandings({ results, ratings, has_anchors: hasAnchors, rounds, sprt }) {
    const score = ({ won, drawn, lost }) => (won + drawn / 2) / (won + drawn + lost) || 0;
    const rows = results.map((result, index) => ({ result, rating: ratings[index] }));
    if (rows.length > 2) rows.sort((one, other) => score(other.result) - score(one.result));
    byId("standings").replaceChildren(makeTable(["engine", "games", "won", "drawn", "lost", "score", "Elo"], rows.map(({ result, rating }) => {
      const games = result.won + result.drawn + result.lost;
      const isKnown = (rating.elo ?? rating.low ?? rating.high) !== null;
      return [result.name, String(games), String(result.won), String(result.drawn), String(result.lost),
        games ? `${(100 * score(result)).toFixed(1)} %` : "n/a", isKnown ? formatRating(rating, hasAnchors ? formatPlain : formatSigned) : "n/a"];
    })));
    if (!results.length) byId("standings").replaceChildren(makeElement("p", { className: "muted", textContent: "No pair of games has ended yet." }));
    byId("ratings").replaceChildren();
    if (results.some(({ won, drawn, lost }) => won + drawn + lost)) drawRatings(byId("ratings"), [...ratings], hasAnchors);
    byId("ratings").querySelector("svg")?.setAttribute("aria-label", "ratings in Elo with their 95 % intervals, as in the table");
    byId("rounds-card").hidden = !rounds;
    byId("rounds").replaceChildren();
    if (rounds) showRounds(byId("rounds"), rounds);
    byId("sprt-card").hidden = !sprt;
    if (!sprt) return;
    byId("sprt-title").textContent = sprt.title;
    const { svg } = drawLineChart(byId("sprt"), { series: [{ points: sprt.points, style: "one" }], bounds: [[sprt.lower, "H0"], [sprt.upper, "H1"]], xName: "pairs" });
    svg.setAttribute("aria-label", "log likelihood ratio of the test by pairs, between the bounds of H0 and H1");
  }

  showResults(results) {
    if (!results.length) {
      byId("results").replaceChildren(makeElement("p", { className: "muted", textContent: "No game has ended yet." }));
      return;
    }
    const rows = results.map((game) => [String(game.number), `${this.run.names[game.first]} – ${this.run.names[game.second]}`, game.result, game.ending, String(game.plies)]);
    byId("results").replaceChildren(makeTable(["game", "engines", "result", "ending", "moves"], rows));
  }

  showFaults({ counts, latest }) {
    if (!latest.length) {
      byId("faults").replaceChildren(makeElement("p", { className: "muted", textContent: "None." }));
      return;
    }
    const lines = counts.flatMap((endings, index) => {
      const texts = Object.entries(endings).map(([ending, count]) => `${count} ${ending}`);
      return texts.length ? [makeElement("p", { textContent: `${this.run.names[index]}: ${texts.join(", ")}` })] : [];
    });
    const rows = latest.map((game) => [String(game.number), this.run.names[game.blamed], game.ending]);
    byId("faults").replaceChildren(...lines, makeTable(["game", "engine", "fault"], rows));
  }
}

connectThemeSwitch(byId("theme"));
const page = new LivePage();
byId("pause").addEventListener("click", () => page.togglePause());
setInterval(() => {
  if (!page.isConnected) return;
  if (performance.now() - page.heardMs > SILENCE_MS) page.reconnect();
  for (const panel of page.panels) panel?.showClocks();
}, CLOCK_INTERVAL_MS);
page.connect();
