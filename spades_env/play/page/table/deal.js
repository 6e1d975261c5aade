// Dealing a hand: the cards fly from the dealer to the person one by one. Only a picture: the cards lie there at once,
// and can be bid on and read. A click, Space or any move ends it; without animations there is none.

import { faceOf } from "./seats.js";
import { moving } from "../settings.js";
import { placeOf, state } from "../state.js";

const FLIGHT = 260; // milliseconds
const STEP = 55; // milliseconds from card to card
let flights = [];
let dealt = null; // the table and the hand that were drawn last: {key, hand}

// Deal these cards if their hand is a new one; the hand that is there when the page opens lies there at once.
export function deal(nodes) {
  const { view } = state;
  const before = dealt;
  dealt = { key: view.key, hand: view.hand_number };
  const isNew = before && (before.key !== dealt.key || dealt.hand > before.hand);
  if (!isNew || !isUntouched(view) || !moving()) return;
  skipDeal();
  const from = faceOf(placeOf(view.dealer)).getBoundingClientRect();
  const places = nodes.map((node) => node.getBoundingClientRect());
  flights = nodes.map((node, i) => fly(node, places[i], from, i));
}

// End the dealing. Returns whether there was any.
export function skipDeal() {
  const busy = flights.some((flight) => flight.playState === "running");
  flights.forEach((flight) => flight.finish());
  flights = [];
  return busy;
}

const isUntouched = (view) => view.seats[0].bid === null && !view.tricks.length && !view.outcome;

function fly(node, to, from, i) {
  const x = from.left + from.width / 2 - to.left - to.width / 2;
  const y = from.top + from.height / 2 - to.top - to.height / 2;
  const start = { transform: `translate(${x}px, ${y}px) scale(0.3) rotate(-25deg)`, opacity: 0 };
  return node.animate([start, { opacity: 1, offset: 0.25 }, { transform: "none", opacity: 1 }], {
    duration: FLIGHT, delay: i * STEP, easing: "ease-out", fill: "backwards",
  });
}
