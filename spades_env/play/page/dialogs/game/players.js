// The choice of players: three seats, and eighteen characters and some plain bots to fill them.

import { tickbox } from "../dialog.js";
import { el, give, mark } from "../../dom.js";
import { face } from "../../art/faces.js";
import { characterOf, state } from "../../state.js";
import { t } from "../../texts.js";

export const PLACES = [0, 1, 2, 3]; // the person, and clockwise the others
const HARDEST = 14;

// draft: see new_game.js; chosen(changes) is called for every choice.
export function drawPlayers(pane, draft, chosen) {
  const focused = document.activeElement?.id;
  const partners = draft.rules.values.partners;
  const seats = [1, 2, 3].map((place) => seatButton(place, partners, draft, chosen));
  const { roster } = state.hello;
  const withFace = roster.filter((one) => one.about);
  const plain = roster.filter((one) => !one.about);
  const card = (one) => characterCard(one, draft, chosen);
  pane.replaceChildren(
    el("div.seats", {}, seats),
    fairFight(draft, chosen),
    el("fieldset.gallery-box", {}, [
      el("legend", {}, legendOf(draft.place, partners)),
      el("p.about", {}, characterOf(draft.bots[draft.place]).about),
      el("div.gallery", {}, withFace.map(card)),
      el("h3", {}, t("bots.plain")),
      el("div.gallery", {}, plain.map(card)),
    ]),
  );
  if (focused) document.getElementById(focused)?.focus();
}

// Whether the server picks the opponents, and what it says about them. Off where results are compared.
function fairFight({ fair, fight }, chosen) {
  const off = fight?.off ?? false;
  const tick = tickbox(t("new.fair"), fair && !off, (on) => chosen({ fair: on }), "fair-fight");
  tick.querySelector("input").disabled = off;
  const words = fight && (off || fair) ? fight.words : t("new.fair_about");
  return el("div.fair", {}, tick, el("p.quiet", { role: "status" }, words));
}

const isPartner = ({ place, rules }) => place === 2 && rules.values.partners;

function legendOf(place, partners) {
  return t("place.role", { place: t(`place.${place}`), role: roleOf(place, partners) });
}

const roleOf = (place, partners) => t(partners && place === 2 ? "role.partner" : "role.opponent");

function seatButton(place, partners, draft, chosen) {
  const one = characterOf(draft.bots[place]);
  const node = el("button.seat-choice", { type: "button", id: `place-${place}`, onclick: () => chosen({ place }) }, [
    el("span.face", {}, face(one.name)),
    el("span.role", {}, roleOf(place, partners)),
    el("b", {}, one.name),
    starsOf(one.stars),
  ]);
  give(node, "aria-pressed", String(place === draft.place));
  return node;
}

function characterCard(one, draft, chosen) {
  const input = el(
    "input",
    { type: "radio", name: "character", id: `bot-${one.key.replaceAll(/\W/g, "-")}`, value: one.key },
  );
  input.checked = draft.bots[draft.place] === one.key;
  input.addEventListener("change", () => {
    const bots = [...draft.bots];
    bots[draft.place] = one.key;
    chosen(isPartner(draft) ? { bots } : { bots, fair: false });
  });
  const card = el("label.character", {}, input, el("span.face", {}, face(one.name)), [
    el("span.words", {}, [
      el("span.title", {}, el("b", {}, one.name), starsOf(one.stars)),
      el("span.style", {}, one.style),
      record(one.key, draft.record),
    ]),
  ]);
  mark(card, "chosen", input.checked);
  return card;
}

// The person's games with and against a character.
function record(key, statistics) {
  const parts = [
    ["record.with", statistics?.with_partner[key]],
    ["record.against", statistics?.against[key]],
  ].filter(([, tally]) => tally?.games);
  if (!parts.length) return null;
  const words = parts.map(([how, tally]) => t(how, { tally: tallyWords(tally) }));
  return el("span.record", {}, words.join(" · "));
}

function tallyWords({ wins, losses, draws }) {
  return t(draws ? "tally.draws" : "tally", { wins, losses, draws });
}

export function starsOf(count) {
  return el(
    "span.stars",
    { role: "img", "aria-label": t("stars", { count }) },
    "★".repeat(count),
    el("i", {}, "★".repeat(5 - count)),
  );
}

// "Difficulty 9", and 9 of 14 marks.
export function difficultyBar(node, { difficulty, rated }) {
  const marks = Array.from({ length: HARDEST }, (_, i) => el(`i${i < difficulty ? ".on" : ""}`));
  const words = el("span", {}, t("end.difficulty", { difficulty }));
  node.replaceChildren(words, el("span.marks", { "aria-hidden": "true" }, marks));
  if (!rated) node.append(el("span.quiet", {}, t("new.unrated")));
}

