// What happened at the table, in lines for screen readers, in a polite region; and short notices for everybody.
//
//     tell(view)                 all that is new since the view told before, which may be many moves old
//     turnWords(view, trick)     "Your turn: follow hearts. On the table: West ten of hearts, led; West is winning."
//     trickWords(view, trick)    "West ten of hearts, led; North two of hearts; …; West won"

import { cardWords } from "./cards.js";
import { el, plainNumber, put } from "./dom.js";
import { positionOf, state } from "./state.js";

const LINES = 20; // kept for readers that look back
const STAYS = 4000; // milliseconds a notice is seen
let timer = null;
let holds = null; // does the notice still say how things are? null: it goes with time alone
let told = null; // what has been said of: {key, hand, events, cards, sheet, takebacks, prompt}

// For screen readers only.
export function say(words) {
  const region = document.getElementById("speech");
  region.append(el("p", {}, words));
  while (region.children.length > LINES) region.firstChild.remove();
}

// Seen and heard, gone after a while; before that when what it says holds no more, another screen opens, or the person
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

// What is so until somebody moves.
export function noticeHere(words) {
  const position = positionOf(state.view);
  notice(words, () => positionOf(state.view) === position);
}

export function hush() {
  clearTimeout(timer);
  holds = null;
  document.getElementById("notice").classList.remove("seen");
}

// After every change.
export function checkNotice() {
  if (holds && !holds()) hush();
}

export function tell(view) {
  const before = told?.key === view.key ? told : null;
  const back = before && wasTakenBack(before, view);
  if (back) say("Taken back.");
  else if (before && view.hand_number > before.hand) tellNextHand(view, before);
  else tellHand(view, before);
  if (back) say(turnWords(view));
  else if (view.prompt !== before?.prompt && (view.your_turn || view.outcome || view.preparing)) {
    say(view.prompt);
  }
  told = {
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
  return trick.cards.length ? `${view.prompt} On the table: ${trickWords(view, trick)}.` : view.prompt;
}

export function trickWords(view, { cards, winning }) {
  const plays = cards.map(({ seat, card }, i) => `${nameOf(view, seat)} ${cardWords(card)}${i ? "" : ", led"}`);
  return [...plays, `${nameOf(view, winning)} ${cards.length === view.seats.length ? "won" : "is winning"}`].join("; ");
}

const nameOf = (view, seat) => view.seats.find((one) => one.seat === seat).name;
const countCards = (events) => events.filter((event) => event.phase === "play").length;

function wasTakenBack(before, view) {
  if (view.help.takebacks > before.takebacks || view.hand_number < before.hand) return true;
  return view.hand_number === before.hand && view.events.length < before.events;
}

// Moves of the hand that was told before; of another table only its bids, as long as they are made.
function tellHand(view, before) {
  tellEvents(view, before?.events ?? (["blind", "bid"].includes(view.phase) ? 0 : view.events.length));
  if (before) tellSheet(view, before);
}

// The end of the hand that was told before, what it brought, and what was done in the next one.
function tellNextHand(view, before) {
  if (view.previous?.hand_number === before.hand) tellRest(view, before.cards);
  tellSheet(view, before);
  say(`Hand ${view.hand_number}, ${nameOf(view, view.dealer)} deals.`);
  tellEvents(view, 0);
}

function tellEvents(view, from) {
  let cards = countCards(view.events.slice(0, from));
  const news = view.events.slice(from);
  for (const event of news.filter((one) => one.by !== "claim")) {
    say(`${event.words}.`);
    if (event.phase === "play" && ++cards % view.seats.length === 0) {
      tellTrick(view, view.tricks[cards / view.seats.length - 1]);
    }
  }
  const claimed = news.find((one) => one.by === "claim");
  if (claimed) tellClaim(view, claimed.seat);
}

// What followed on the cards that were told of the hand before. Many cards that are all one seat's were claimed.
function tellRest(view, cards) {
  const { tricks } = view.previous;
  const rest = tricks.flatMap((trick) => trick.cards).slice(cards);
  const all = view.seats.length;
  const winners = new Set(tricks.slice(Math.floor(cards / all)).map((trick) => trick.winning));
  if (rest.length > all && winners.size === 1) return tellClaim(view, [...winners][0]);
  rest.forEach(({ seat, card }, i) => {
    say(`${nameOf(view, seat)} plays the ${cardWords(card)}.`);
    if ((cards + i + 1) % all === 0) tellTrick(view, tricks[(cards + i + 1) / all - 1]);
  });
  return undefined;
}

const tellTrick = (view, trick) => say(`${nameOf(view, trick.winning)} wins the trick.`);
const tellClaim = (view, seat) => say(`${nameOf(view, seat)} takes the rest.`);

function tellSheet(view, before) {
  for (const hand of view.sheet.slice(before.sheet)) {
    hand.sides.forEach((side) => say(`${side.name}: ${side.words}. ${plainNumber(side.score)} points.`));
  }
}
