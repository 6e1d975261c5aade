// What happens at the table, said to screen readers in a polite live region; and short notices for everybody.
//
//     announce(view)             what is new since the last view announced, which may be many moves old
//     turnWords(view, trick)     "Your turn: follow hearts. On the table: West ten of hearts, led; West is winning."
//     trickWords(view, trick)    "West ten of hearts, led; North two of hearts; …; West won"

import { cardWords } from "./art/cards.js";
import { el, put } from "./dom.js";
import { positionOf, state } from "./state.js";
import { t } from "./texts.js";

const LINES = 20; // kept for screen readers that go back
const STAYS = 4000; // milliseconds that a notice is shown
let timer = null;
let holds = null; // tells whether the notice is still true; null: only time ends it
let announced = null; // what was announced last: {key, hand, events, cards, sheet, takebacks, prompt}

// For screen readers only.
export function say(words) {
  const region = document.getElementById("speech");
  region.append(el("p", {}, words));
  while (region.children.length > LINES) region.firstChild.remove();
}

// Show and say a sentence. It disappears after a while, or when it is no longer true, a dialog opens, or the person
// does something else.
export function notice(words, holdsNow = null) {
  const node = document.getElementById("notice");
  put(node, words);
  node.classList.add("seen");
  clearTimeout(timer);
  timer = setTimeout(hush, STAYS + 40 * words.length);
  holds = holdsNow;
  say(words);
}

// A notice that is true until somebody moves.
export function noticeHere(words) {
  const position = positionOf(state.view);
  notice(words, () => positionOf(state.view) === position);
}

// Do something that the server may refuse. A refusal is shown in its words, and the answer is null.
export async function attempt(act) {
  try {
    return await act();
  } catch (error) {
    notice(error.message);
    return null;
  }
}

export function hush() {
  clearTimeout(timer);
  holds = null;
  document.getElementById("notice").classList.remove("seen");
}

// Called after every change.
export function checkNotice() {
  if (holds && !holds()) hush();
}

export function announce(view) {
  const before = announced?.key === view.key ? announced : null;
  const back = before && wasTakenBack(before, view);
  if (back) say(t("speech.taken_back"));
  else if (before && view.hand_number > before.hand) sayNextHand(view, before);
  else sayHand(view, before);
  if (back) say(turnWords(view));
  else if (view.prompt !== before?.prompt && (view.your_turn || view.outcome || view.preparing)) {
    say(view.prompt);
  }
  announced = {
    key: view.key,
    hand: view.hand_number,
    events: view.events.length,
    cards: countCards(view.events),
    sheet: view.sheet.length,
    takebacks: view.help.takebacks,
    prompt: view.prompt,
  };
}

export function turnWords(view, trick = view.trick) {
  return trick.cards.length ? t("speech.table", { prompt: view.prompt, trick: trickWords(view, trick) }) : view.prompt;
}

export function trickWords(view, { cards, winning }) {
  const plays = cards.map(({ seat, card }, i) =>
    t(i ? "trick.play" : "trick.led", { who: nameOf(view, seat), card: cardWords(card) }),
  );
  const key = cards.length === view.seats.length ? "trick.won" : "trick.is_winning";
  return [...plays, of(view, winning, key)].join("; ");
}

const nameOf = (view, seat) => view.seats.find((one) => one.seat === seat).called;

// A sentence about a seat, in the form that speaks to the person if it is their own.
function of(view, seat, key, more = {}) {
  return t(seat === view.seat ? `${key}.you` : key, { who: nameOf(view, seat), ...more });
}

const countCards = (events) => events.filter((event) => event.phase === "play").length;

function wasTakenBack(before, view) {
  if (view.help.takebacks > before.takebacks || view.hand_number < before.hand) return true;
  return view.hand_number === before.hand && view.events.length < before.events;
}

// The new moves of the hand announced before. At another table, only the bids while the bidding lasts.
function sayHand(view, before) {
  sayEvents(view, before?.events ?? (["blind", "bid"].includes(view.phase) ? 0 : view.events.length));
  if (before) saySheet(view, before);
  else if (view.seats[0].contract === "hand" && !view.outcome) say(t("bids_itself"));
}

// The end of the hand announced before, its result, and the moves of the next one.
function sayNextHand(view, before) {
  if (view.previous?.hand_number === before.hand) sayRest(view, before.cards);
  saySheet(view, before);
  say(of(view, view.dealer, "speech.deals", { hand: view.hand_number }));
  sayEvents(view, 0);
}

function sayEvents(view, from) {
  let cards = countCards(view.events.slice(0, from));
  const news = view.events.slice(from);
  for (const event of news.filter((one) => one.by !== "claim")) {
    say(`${event.words}.`);
    if (event.phase === "play" && ++cards % view.seats.length === 0) {
      sayTrick(view, view.tricks[cards / view.seats.length - 1]);
    }
  }
  const claimed = news.find((one) => one.by === "claim");
  if (claimed) sayClaim(view, claimed.seat);
}

// The cards of the last hand that were not announced yet. More than a trick, all won by one seat, was a claim.
function sayRest(view, cards) {
  const { tricks } = view.previous;
  const rest = tricks.flatMap((trick) => trick.cards).slice(cards);
  const all = view.seats.length;
  const winners = new Set(tricks.slice(Math.floor(cards / all)).map((trick) => trick.winning));
  if (rest.length > all && winners.size === 1) return sayClaim(view, [...winners][0]);
  rest.forEach(({ seat, card }, i) => {
    say(`${of(view, seat, "move.plays", { card: cardWords(card) })}.`);
    if ((cards + i + 1) % all === 0) sayTrick(view, tricks[(cards + i + 1) / all - 1]);
  });
  return undefined;
}

const sayTrick = (view, trick) => say(of(view, trick.winning, "trick.wins"));
const sayClaim = (view, seat) => say(of(view, seat, "trick.rest"));

function saySheet(view, before) {
  for (const hand of view.sheet.slice(before.sheet)) {
    hand.sides.forEach((side) => {
      say(t("speech.sheet", { side: side.called, words: side.words, score: t("points", { count: side.score }) }));
    });
  }
}
