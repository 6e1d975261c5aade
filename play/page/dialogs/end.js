// The end of the game: the result for this seat, and what to do next.

import { closeDialog, openDialog } from "./dialog.js";
import { button, el, plainNumber } from "../dom.js";
import { face } from "../art/faces.js";
import { openNewGame, rematch } from "./new_game.js";
import { openRematch } from "./rematch.js";
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
  openDialog("end", outcome === "draw" || !margin ? t(`end.${outcome}`) : t(`end.${outcome}_by`, { points: Math.abs(margin) }), [
    el("p.verdict", {}, view.prompt),
    lastWord(view),
    timeIsUp && el("p", {}, t("end.time")),
    el("div.finals", {}, view.sides.map(final)),
    view.sheet.length > 1 && scoreGraph(view),
    standing !== null && el("p.standing", {}, `${t("end.standing")} `, el("b", {}, grouped(standing))),
    view.difficulty !== null && el("p.quiet", {}, [t("end.difficulty", { difficulty: view.difficulty }), helpWords(view.help)].filter(Boolean).join(" · ")),
    !rated && !view.watching && el("p.quiet", {}, t("end.unrated")),
    el("div.row", {}, whatNext(view)),
  ]);
}

// What a character says about the end.
function lastWord(view) {
  const remark = state.settings.remarks && view.remarks.find(({ moment }) => moment === "won" || moment === "lost");
  if (!remark) return null;
  const { bot, called } = view.seats.find((one) => one.seat === remark.seat);
  return el("p.last-word", {}, el("span.face", {}, face(bot.name, false, remark.mood)), [
    el("span", {}, t("said", { who: called, words: remark.words })),
  ]);
}

function final(side) {
  return el("p.final", {}, el("span", {}, side.called), el("b", {}, plainNumber(side.score)));
}

function helpWords({ hints, takebacks }) {
  const parts = [
    hints && t("hints", { count: hints }),
    takebacks && t("taken_back", { count: takebacks }),
  ].filter(Boolean);
  return parts.length ? t("end.help", { help: parts.join(", ") }) : "";
}

const isAmongPeople = (view) => view.seats.filter((one) => one.person).length > 1;

function whatNext(view) {
  const then = (next) => () => (closeDialog(), next());
  const owner = !state.hello?.guest;
  return [
    owner && (isAmongPeople(view)
      ? button(t("end.rematch"), then(() => openRematch(view)), "button.strong")
      : button(t("end.again"), then(() => rematch(view)), "button.strong")),
    owner && button(t("end.other"), then(openNewGame)),
    view.sheet.length && button(t("review"), then(() => openReview(view.key))),
    view.sheet.length && button(t("scores"), then(openScores)),
    owner && button(t("end.copy"), () => copyRecord(view.key)),
  ].filter(Boolean);
}
