// The four seats: who sits there, what they bid and took, whose turn it is, who deals, how many cards they hold.
//
//      ▤ (face) ╭────────────────╮     Until the first card is played the bid stands in a bubble beside the face;
//           ( 4 )│ ▸ Dara ★★★     │     the plate keeps it: "bid 4", and from the second trick on "1 / 4".
//               │   D  1 / 4     │
//               ╰────────────────╯

import { arrange, el, give, lasting, mark, put, svg, picture } from "../dom.js";
import { face } from "../art/faces.js";
import { placeOf, state } from "../state.js";
import { t } from "../texts.js";

export const PLACES = ["south", "west", "north", "east"];
const seats = []; // one for each place

export function buildSeats(table) {
  for (const place of PLACES) {
    const seat = {
      face: el("span.face"),
      who: el("span.who"),
      stars: el("span.stars"),
      note: el("span.note", { hidden: true }),
      status: el("span.status"),
      nil: el("span.nil"),
      dealer: el("span.dealer", { title: t("plate.deals") }, "D"),
      turn: el("span.turn", {}, arrow()),
      fan: el("span.fan", { "aria-hidden": "true" }),
      bubble: el("span.bid-bubble", { "aria-hidden": "true", hidden: true }),
    };
    const plate = el("div.plate", {}, [
      seat.turn,
      el("p.title", {}, seat.who, seat.stars),
      el("p.info", {}, seat.dealer, seat.status, seat.nil, seat.note),
    ]);
    seat.node = el(`section.seat.${place}`, {}, seat.face, plate, seat.fan, seat.bubble);
    table.append(seat.node);
    seats.push(seat);
  }
}

export function drawSeats() {
  const { view } = state;
  seats.forEach((seat, i) => drawSeat(seat, view.seats[i], view));
}

// A whole seat, and the face that cards slide from and to.
export const plateOf = (place) => seats[place].node;
export const faceOf = (place) => seats[place].face;

function drawSeat(parts, seat, view) {
  const stars = seat.person ? 0 : seat.bot.stars;
  const shown = `${seat.who} ${seat.person} ${seat.face}`;
  if (parts.shown !== shown) parts.face.replaceChildren(faceAt(seat));
  parts.shown = shown;
  put(parts.who, seat.called);
  const note = noteOf(seat);
  put(parts.note, note);
  parts.note.hidden = !note;
  put(parts.stars, "★".repeat(stars));
  give(parts.stars, "aria-label", stars ? t("stars", { count: stars }) : null);
  give(parts.stars, "role", stars ? "img" : null);
  put(parts.status, statusOf(seat, view));
  drawNil(parts.nil, seat.nil);
  drawBubble(parts.bubble, seat, view);
  drawFan(parts.fan, seat.cards);
  parts.dealer.hidden = !seat.dealer;
  parts.turn.hidden = view.turn !== seat.seat;
  mark(parts.node, "to-move", view.turn === seat.seat);
  mark(parts.node, "own-side", seat.side === view.seats[0].side);
  give(parts.node, "aria-label", seatWords(seat, view));
}

// Whoever plays at a seat of a view.
export const faceAt = ({ who, person, bot, face: chosen }) => face(person ? who : bot.name, person, null, chosen);

// Are the bids still in their bubbles?
export function isBidding({ phase, tricks, trick }) {
  return phase !== "over" && !tricks.length && !trick.cards.length;
}

// "bid 4" before the first trick is over, then "1 / 4", without a bid "1"; a nil has its badge beside it.
function statusOf({ bid, contract, tricks, nil }, view) {
  const counts = view.tricks.length > 0 || view.phase === "over";
  if (bid === null) return counts ? String(tricks) : "–";
  if (nil) return counts ? String(tricks) : "";
  const blind = contract === "both";
  if (counts) return `${tricks} / ${blind ? t("plate.blind_bid", { bid }) : bid}`;
  return t(blind ? "plate.blind_bid" : "plate.bid", { bid });
}

function drawBubble(node, { seat, bid, contract, nil }, view) {
  const asked = ["blind", "bid"].includes(view.phase) && view.turn === seat;
  const thinks = bid === null && asked && seat !== view.seat;
  node.hidden = !isBidding(view) || (bid === null && !thinks);
  if (node.hidden) return;
  const blind = contract === "both";
  put(node, thinks ? "…" : nil ? nilWords(nil) : blind ? t("plate.blind_bid", { bid }) : String(bid));
  mark(node, "thinking", thinks);
  mark(node, "word", !thinks && (nil || blind));
}

function drawFan(node, count) {
  if (node.children.length === count) return;
  arrange(node, Array.from({ length: count }, (_, i) => node.children[i] ?? el("i")));
  lasting(node, "--n", count);
  [...node.children].forEach((card, i) => lasting(card, "--i", i));
}

// "away", or the person that a bot plays for.
const noteOf = (seat) => (seat.away ? t("away") : seat.kept_for ? t("for", { who: seat.kept_for }) : "");

// A badge for a nil, broken in two when the nil is.
function drawNil(node, nil) {
  node.hidden = !nil;
  if (!nil) return;
  put(node, nilWords(nil));
  mark(node, "broken", !nil.alive);
  give(node, "title", nil.alive ? null : t("plate.broken"));
}

// Two seats may have the same name, so the place is said, too.
export function seatWords(seat, view) {
  const place = placeOf(seat.seat);
  const stars = !seat.person && t("stars", { count: seat.bot.stars });
  const turn = view.turn === seat.seat && t("plate.to_move");
  const where = place && t(`plate.${place}`);
  const deals = seat.dealer && t("plate.deals");
  return [seat.called, where, stars, bidWords(seat), noteOf(seat), deals, turn].filter(Boolean).join(", ");
}

function bidWords({ bid, contract, tricks, nil }) {
  if (contract !== "own") return t(`plate.by_${contract}`, { bid, tricks });
  if (bid === null) return t("plate.no_bid");
  if (!nil) return t("plate.bid_made", { bid, tricks });
  return nil.alive ? nilWords(nil) : `${nilWords(nil)}, ${t("plate.broken")}`;
}

const nilWords = ({ kind }) => t(kind === "nil" ? "plate.nil" : "plate.blind_nil");

function arrow() {
  return picture(20, 20, svg("path", { d: "M2 2L18 10L2 18L6 10Z", fill: "currentColor" }));
}
