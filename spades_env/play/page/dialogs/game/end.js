// The end of the game: the result, what it has changed, and one button to go on. The result is there at once; then the
// server says what the game has changed for this person (docs/protocol.md, `ending`).

import { ask } from "../../connection.js";
import { closeDialog, openDialog, refill } from "../dialog.js";
import { hasWon, openDaily, resultTable, shareButton, today, verdict } from "../records/daily.js";
import { button, el, plainNumber, signed } from "../../dom.js";
import { medal } from "../records/achievements.js";
import { face } from "../../art/faces.js";
import { faceAt } from "../../table/seats.js";
import { nextGame, openNewGame, rematch } from "./new_game.js";
import { openRematch } from "../people/rematch.js";
import { copyRecord } from "../records/records.js";
import { openReview } from "../records/review.js";
import { openScores, scoreGraph } from "./scores.js";
import { moving } from "../../settings.js";
import { attempt, say } from "../../speech.js";
import { isEndSeen, markEndSeen, state } from "../../state.js";
import { grouped, t } from "../../texts.js";

const CONFETTI = 18; // suits that fall when a game is won
const COUNTING = 900; // milliseconds in which the rating counts up
let shown = null; // what the dialog shows: the key of the table, and the champion's total

export function showEnd(again = false) {
  const { view } = state;
  if ((isEndSeen(view.key) && !again) || state.dialog || state.importing) return;
  markEndSeen(view.key);
  const { outcome } = view.outcome;
  const body = openDialog("end", titleOf(view), page(view, null), { spec: outcome });
  const won = view.daily ? hasWon(view.daily) : outcome === "win";
  if (won && moving()) body.parentElement.append(confetti());
  shown = { key: view.key, champion: view.daily?.champion };
  if (!view.watching) fetchChanges(view, !again);
}

// A daily deal is won or lost against the champion.
function titleOf({ daily, outcome: { outcome, margin } }) {
  if (daily) return verdict(daily);
  const isBy = outcome !== "draw" && margin;
  return isBy ? t(`end.${outcome}_by`, { count: Math.abs(margin) }) : t(`end.${outcome}`);
}

// The champion of a daily deal may finish when the dialog is open already.
export function refreshEnd() {
  const { view, dialog } = state;
  if (dialog !== "end" || shown.key !== view.key || shown.champion === view.daily?.champion) return;
  shown.champion = view.daily?.champion;
  document.getElementById("dialog-title").textContent = titleOf(view);
  fetchChanges(view, false);
}

const fetchChanges = (view, isNews) => attempt(async () => {
  const found = await ask("ending", { key: view.key });
  const waits = owner() && !view.daily && (await ask("dailies", { day: today() })).daily.state === "new";
  if (state.view?.key !== view.key) return;
  refill("end", page(state.view, { ...found, waits, isNews }));
  if (isNews) sayChanges(found);
});

function sayChanges({ rating, earned }) {
  if (rating && !rating.why) say(t("end.rating_said", { ...rating, change: signed(rating.after - rating.before) }));
  for (const { name } of earned) say(t("achievements.new", { name }));
}

const owner = () => !state.hello?.guest;

function page(view, found) {
  const { standing, time_is_up: timeIsUp } = view.outcome;
  return [
    el("div.main", {}, [
      el("p.verdict", {}, view.prompt),
      lastWord(view),
      timeIsUp && el("p.quiet", {}, t("end.time")),
      el("div.finals", {}, view.sides.map((side) => final(side, view))),
      found?.earned.map(earnedLine),
      found && changes(found),
      found?.fair && el("p.quiet", {}, found.fair),
      view.daily && hands(found),
      standing !== null && el("p.standing", {}, `${t("end.standing")} `, el("b", {}, grouped(standing))),
    ].flat().filter(Boolean)),
    el("div.beside", {}, [
      found?.daily && dailyResult(found.daily),
      !view.daily && view.sheet.length > 1 && scoreGraph(view),
      !view.daily && hands(found),
      el("p.quiet", {}, aboutGame(view, found)),
    ].filter(Boolean)),
    el("footer", {}, goOn(view)),
    el("div.afterwards", {}, [
      found?.waits && el("p.waits", {}, t("daily.waits"), button(t("daily.title"), then(openDaily))),
      el("div.row.others", {}, others(view)),
    ].filter(Boolean)),
  ];
}

// What a character says about the end.
function lastWord(view) {
  const remark = state.settings.remarks && view.remarks.find(({ moment }) => moment === "won" || moment === "lost");
  if (!remark) return null;
  const { bot, called } = view.seats.find((one) => one.seat === remark.seat);
  return el("p.last-word", {}, [
    el("span.face", {}, face(bot.name, false, remark.mood)),
    el("span", {}, t("said", { who: called, words: remark.words })),
  ]);
}

// A side with its faces and its score; the winners wear a laurel.
function final(side, view) {
  const best = Math.max(...view.sides.map(({ score }) => score));
  const won = side.score === best && view.sides.filter(({ score }) => score === best).length === 1;
  const places = view.seats.filter((seat) => side.seats.includes(seat.seat));
  return el(`div.final${won ? ".won" : ""}`, {}, [
    el("span.faces", {}, places.map((seat) => el("span.face", {}, faceAt(seat)))),
    el("span.called", {}, side.called),
    el("b", {}, plainNumber(side.score)),
  ]);
}

function earnedLine({ key, name, how }) {
  const words = el("span", {}, el("b", {}, t("achievements.new", { name })), el("small", {}, how));
  return el("p.earned", {}, medal(key, true), words);
}

function dailyResult(result) {
  const streak = result.counted && el("span.quiet", {}, `${t("daily.in_a_row")}: ${result.streak.now}`);
  return el("section.daily-result", {}, [
    el("h3", {}, t("daily.of_day", { day: result.day })),
    resultTable(result),
    el("div.row", {}, shareButton(result), streak),
  ]);
}

// Rating, wins in a row, and the record with and against these players.
function changes({ rating, wins, records, isNews }) {
  const figures = [rating && !rating.why && ratingFigure(rating, isNews), wins && winsFigure(wins)];
  return [
    figures.some(Boolean) && el("div.changes", {}, figures.filter(Boolean)),
    rating?.why && el("p.quiet", {}, rating.why),
    records.length > 0 && el("section.records-here", {}, [
      el("h3", {}, t("end.records")),
      el("ul", {}, records.map(record)),
    ]),
  ].filter(Boolean);
}

function ratingFigure({ before, after }, isNews) {
  const number = el("b", {}, plainNumber(after));
  if (isNews && moving()) countUp(number, before, after);
  const kind = { "-1": "less", 0: "same", 1: "more" }[Math.sign(after - before)];
  const change = el(`span.change.${kind}`, {}, signed(after - before));
  const arrow = el("span", { "aria-hidden": "true" }, "→");
  return el("div.change-figure", {}, [
    el("span", {}, t("end.rating")),
    el("span.numbers-line", {}, el("s", {}, plainNumber(before)), arrow, number, change),
  ]);
}

function winsFigure({ now, best }) {
  const most = best > 0 && el("span.quiet", {}, t("end.wins_best", { best }));
  return el("div.change-figure", {}, [
    el("span", {}, t("end.wins")),
    el("span.numbers-line", {}, el("b", {}, String(now)), most),
  ]);
}

function countUp(node, from, to) {
  const began = performance.now();
  const step = (now) => {
    const part = Math.min(1, Math.max(0, (now - began) / COUNTING));
    node.textContent = plainNumber(Math.round(from + (to - from) * (1 - (1 - part) ** 3)));
    if (part < 1 && node.isConnected) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

function record({ role, name, ...tally }) {
  return el("li", {}, [
    el("span.face.tiny", {}, face(name)),
    el("span", {}, t(`end.record.${role}`, { who: name })),
    el("b", {}, t(tally.draws ? "tally.draws" : "tally", tally)),
  ]);
}

// The best hand, and the one that cost most, or at least brought least.
function hands(found) {
  if (!found?.best) return null;
  const { best, costliest } = found;
  return el("div.hands", {}, hand("best", best), hand(costliest.points < 0 ? "costliest" : "weakest", costliest));
}

function hand(kind, line) {
  return el(`button.hand-line.${kind}`, { type: "button", onclick: then(() => openReview(shown.key, line.hand)) }, [
    el("span", {}, t(`end.${kind}_hand`), el("small", {}, t("hand", { hand: line.hand }))),
    el("b", {}, signed(line.points)),
    el("small", {}, line.words),
  ]);
}

function aboutGame(view, found) {
  const { hints, takebacks } = view.help;
  const help = [
    hints && t("hints", { count: hints }),
    takebacks && t("taken_back", { count: takebacks }),
  ].filter(Boolean);
  const facts = [
    view.difficulty !== null && t("end.difficulty", { difficulty: view.difficulty }),
    help.length > 0 && t("end.help", { help: help.join(", ") }),
  ].filter(Boolean);
  return [
    facts.length > 0 && `${facts.join(" · ")}.`,
    found && !found.rating && !view.outcome.rated && t("end.unrated"),
    view.daily && !view.daily.counted && t("daily.practice"),
    !owner() && t("end.guest"),
  ].filter(Boolean).join(" ");
}

const then = (next) => () => (closeDialog(), next());

const isAmongPeople = (view) => view.seats.filter((one) => one.person).length > 1;

// The one button that goes on: the next game for the owner, the review for a guest.
function goOn(view) {
  if (!owner()) return button(t("review"), then(() => openReview(view.key)), "button.strong.go-on");
  if (isAmongPeople(view)) return button(t("end.rematch"), then(() => openRematch(view)), "button.strong.go-on");
  const words = t(view.daily ? "end.next" : "end.again");
  return button(words, then(() => (view.daily ? nextGame() : rematch(view))), "button.strong.go-on");
}

function others(view) {
  return [
    owner() && button(t("end.other"), then(openNewGame)),
    owner() && view.sheet.length > 0 && button(t("review"), then(() => openReview(view.key))),
    view.sheet.length > 0 && button(t("scores"), then(openScores)),
    owner() && button(t("end.copy"), () => copyRecord(view.key)),
  ].filter(Boolean);
}

// Suits that fall over the dialog once, behind its text.
function confetti() {
  const suits = Array.from({ length: CONFETTI }, (_, i) => el(`i.fall-${i % 6}`, {}, "♠♥♣♦"[i % 4]));
  return el("div.confetti", { "aria-hidden": "true" }, suits);
}
