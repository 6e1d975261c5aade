// The end of the game: the result for this seat, and what to do next.

import { closeDialog, openDialog } from "./dialog.js";
import { button, el, plainNumber } from "../dom.js";
import { openNewGame, rematch } from "./new_game.js";
import { copyRecord } from "./records.js";
import { openReview } from "./review.js";
import { openScores, scoreGraph } from "./scores.js";
import { isEndSeen, markEndSeen, state } from "../state.js";

const HEADINGS = { win: "You won", draw: "A draw", loss: "You lost" };

export function showEnd(again = false) {
  const { view } = state;
  if ((isEndSeen(view.key) && !again) || state.dialog || state.importing) return;
  markEndSeen(view.key);
  const { outcome, margin, standing, time_is_up: timeIsUp, rated } = view.outcome;
  const by = margin ? ` by ${Math.abs(margin)} points` : "";
  openDialog("end", outcome === "draw" ? HEADINGS.draw : `${HEADINGS[outcome]}${by}`, [
    el("p.verdict", {}, view.prompt),
    timeIsUp && el("p", {}, "The time is up: the unfinished hand counts for nothing."),
    el("div.finals", {}, view.sides.map(final)),
    view.sheet.length > 1 && scoreGraph(view),
    standing !== null && el("p.standing", {}, "Tournament standing ", el("b", {}, standing.toLocaleString("en"))),
    view.difficulty !== null && el("p.quiet", {}, `Difficulty ${view.difficulty}${helpWords(view.help)}`),
    !rated && el("p.quiet", {}, "This game doesn't change your rating."),
    el("div.row", {}, whatNext(view)),
  ]);
}

function final(side) {
  return el("p.final", {}, el("span", {}, side.name), el("b", {}, plainNumber(side.score)));
}

function helpWords({ hints, takebacks }) {
  const parts = [
    hints && `${hints} hint${hints > 1 ? "s" : ""}`,
    takebacks && `${takebacks} taken back`,
  ].filter(Boolean);
  return parts.length ? ` · with help: ${parts.join(", ")}` : "";
}

function whatNext(view) {
  const then = (next) => () => (closeDialog(), next());
  const owner = !state.hello?.guest;
  return [
    owner && button("Play again", then(() => rematch(view)), "button.strong"),
    owner && button("Other players or rules", then(openNewGame)),
    view.sheet.length && button("Review", then(() => openReview(view.key))),
    view.sheet.length && button("Scores", then(openScores)),
    owner && button("Copy the game as text", () => copyRecord(view.key)),
  ].filter(Boolean);
}
