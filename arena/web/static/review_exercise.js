// "Learn from errors" on the page of a review: shows the position before each error of a player, who looks for a better
// move. Only the moves of the searched lines count as good; the page has no engine.
"use strict";

class Exercise {
  constructor(page, view) {
    this.page = page;
    this.view = view;
    this.bar = byId("exercise");
    this.mistakes = [0, 1].map((side) => page.moves.flatMap((move, index) => (move.side === side && move.good.length ? [index] : [])));
    this.offer();
  }

  // Offers the exercise for each player with errors.
  offer() {
    this.hideJudgement(false);
    const buttons = [0, 1].filter((side) => this.mistakes[side].length).map((side) => {
      const count = this.mistakes[side].length;
      return this.makeButton(`learn from the ${count} error${count === 1 ? "" : "s"} of ${this.view.describePlayer(side)}`, () => this.begin(side));
    });
    this.bar.replaceChildren(...buttons);
    this.bar.hidden = !buttons.length;
  }

  makeButton(text, act) {
    const button = makeElement("button", { type: "button", textContent: text });
    button.addEventListener("click", act);
    return button;
  }

  begin(side) {
    this.side = side;
    this.number = 0;
    this.found = 0; // errors for which a good move was found at the first try
    this.ask();
  }

  // Shows the position before the current mistake, without the move of the game.
  ask() {
    this.index = this.mistakes[this.side][this.number];
    this.move = this.page.moves[this.index];
    this.selected = [];
    this.isFirstTry = true;
    this.hideJudgement(true);
    this.view.scenes[this.index].cells = this.move.cells;
    this.view.go(this.index);
    this.view.draw(false);
    this.view.onPick = (id) => this.pick(id);
    const name = this.page.board.sides[this.side];
    this.say(`${name} to move, move ${this.index + 1}: find a better move than the one that was played.`);
    this.showTargets();
  }

  hideJudgement(isHidden) {
    this.view.isExercise = isHidden;
    byId("review").classList.toggle("is-exercise", isHidden);
  }

  // Writes a message and the buttons of the exercise.
  say(text, isSolved = false) {
    const { length } = this.mistakes[this.side];
    const isLast = this.number === length - 1;
    this.bar.replaceChildren(
      makeElement("span", { textContent: `error ${this.number + 1} of ${length}, ${this.found} found` }),
      ...(isSolved ? [] : [this.makeButton("show the answer", () => this.giveUp())]),
      ...(isLast ? [] : [this.makeButton("next error", () => this.next())]),
      this.makeButton("end", () => this.end()),
      makeElement("p", { textContent: text }),
    );
    this.bar.lastChild.setAttribute("role", "status");
  }

  giveUp() {
    this.isFirstTry = false;
    this.reveal("The answer: ");
  }

  next() {
    this.number += 1;
    this.ask();
  }

  end() {
    this.view.onPick = () => {};
    this.offer();
    this.view.draw(false);
  }

  // Returns the legal moves that begin with some clicks, as pairs of move and ids.
  movesAfter(clicks) {
    return Object.entries(this.move.legal).filter(([, ids]) => clicks.every((id, index) => ids[index] === id));
  }

  nextIds(clicks) {
    return [...new Set(this.movesAfter(clicks).map(([, ids]) => ids[clicks.length]).filter((id) => id !== undefined))];
  }

  pick(id) {
    this.selected = this.nextIds(this.selected).includes(id) ? [...this.selected, id] : this.nextIds([]).includes(id) ? [id] : [];
    const complete = this.movesAfter(this.selected).find(([, ids]) => ids.length === this.selected.length);
    if (this.selected.length && complete && !this.nextIds(this.selected).length) this.answer(complete[0]);
    else this.showTargets();
  }

  // Makes the ids clickable that may be clicked next, on the board and in the hand.
  showTargets() {
    const { view, page, side } = this;
    const ids = this.selected.length ? this.nextIds(this.selected) : this.nextIds([]);
    const others = this.nextIds([]).filter((id) => !ids.includes(id));
    const onBoard = (id) => view.view.locate(id);
    const dots = this.selected.length ? new Set(ids) : null;
    view.view.setTargets([...others, ...ids].filter(onBoard), { selected: this.selected.at(-1) ?? null, dots, ghost: page.board.ghost ? side : null });
    const hand = makeElement("span", { className: "strip" });
    const allowed = new Set([...others, ...ids].filter((id) => !onBoard(id)));
    fillHand(hand, page.board, view.scenes[this.index], side, { allowed, selected: this.selected.at(-1) ?? null, onPick: (id) => this.pick(id) });
    fillPlayerStrip(byId(`strip${side}`), page.board.sides[side], page.players[side].name, hand);
  }

  answer(move) {
    const [best] = this.move.good;
    if (this.move.good.includes(move)) {
      if (this.isFirstTry) this.found += 1;
      this.reveal(move === best ? "Right. In the game: " : `${move} is good, too. In the game: `);
    } else {
      this.isFirstTry = false;
      this.selected = [];
      this.say(move === this.move.move ? `${move} was played in the game. Try another move.` : `${move} is not among the best moves that the search found. Try another move.`);
      this.showTargets();
    }
  }

  // Shows the move of the game with its judgement and the better line.
  reveal(prefix) {
    this.view.onPick = () => {};
    this.hideJudgement(false);
    this.view.go(this.index + 1);
    this.view.toggleBetter();
    this.say(`${prefix}${this.move.text}`, true);
  }
}
