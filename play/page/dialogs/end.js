// The end of the game: the result for this seat, and what to do next.

import { closeDialog, openDialog } from "./dialog.js";
import { button, el, plainNumber } from "../dom.js";
import { openNewGame, rematch } from "./new_game.js";
import { copyRecord } from "./records.js";
import { openReview } from "./review.js";
import { openScores, scoreGraph } from "./scores.js";
import { isEndSeen, markEndSeen, state } from "../state.js";
import { grouped, t } from "../texts.js";

export function showEnd(again = false) {
  const { view } = state;
  if ((isEndSeen(view.key) && !again) || state.dialog || state.importing) return;
  markEndSeen(view.key);
  const { outcome, margin, standing, time_is_up: timeIsUp, rated } = view.outcome;
  const byPoints = outcome !== "draw" && margin;
  openDialog("end", byPoints ? t(`end.${outcome}_by`, { points: Math.abs(margin) }) : t(`end.${outcome}`), [
    el("p.verdict", {}, view.prompt),
    timeIsUp && el("p", {}, t("end.time")),
    el("div.finals", {}, view.sides.map(final)),
    view.sheet.length > 1 && scoreGraph(view),
    standing !== null && el("p.standing", {}, `${t("end.standing")} `, el("b", {}, grouped(standing))),
    view.difficulty !== null && el("p.quiet", {}, difficultyWords(view)),
    !rated && el("p.quiet", {}, t("end.unrated")),
    el("div.row", {}, whatNext(view)),
  ]);
}

function final(side) {
  return el("p.final", {}, el("span", {}, side.called), el("b", {}, plainNumber(side.score)));
}

function difficultyWords({ difficulty, help }) {
  return [t("end.difficulty", { difficulty }), helpWords(help)].filter(Boolean).join(" · ");
}

function helpWords({ hints, takebacks }) {
  const parts = [
    hints && t("hints", { count: hints }),
    takebacks && t("taken_back", { count: takebacks }),
  ].filter(Boolean);
  return parts.length ? t("end.help", { help: parts.join(", ") }) : "";
}

function whatNext(view) {
  const then = (next) => () => (closeDialog(), next());
  const owner = !state.hello?.guest;
  return [
    owner && button(t("end.again"), then(() => rematch(view)), "button.strong"),
    owner && button(t("end.other"), then(openNewGame)),
    view.sheet.length && button(t("review"), then(() => openReview(view.key))),
    view.sheet.length && button(t("scores"), then(openScores)),
    owner && button(t("end.copy"), () => copyRecord(view.key)),
  ].filter(Boolean);
}
