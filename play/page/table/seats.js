// The four plates around the table: who sits there, what they bid and took, whose turn it is, who deals.

import { el, give, mark, put, svg, picture } from "../dom.js";
import { face } from "../art/faces.js";
import { placeOf, state } from "../state.js";
import { t } from "../texts.js";

export const PLACES = ["south", "west", "north", "east"];
const plates = []; // one for each place

export function buildSeats(table) {
  for (const place of PLACES) {
    const plate = {
      face: el("span.face"),
      who: el("span.who"),
      stars: el("span.stars"),
      note: el("span.note", { hidden: true }),
      status: el("span.status"),
      nil: el("span.nil"),
      dealer: el("span.dealer", { title: t("plate.deals") }, "D"),
      turn: el("span.turn", {}, arrow()),
    };
    plate.node = el(`section.seat.${place}`, {}, plate.face, [
      el("div.words", {}, [
        el("p.title", {}, plate.who, plate.stars),
        el("p.second", {}, plate.dealer, plate.note),
      ]),
      el("p.count", {}, plate.status, plate.nil),
      plate.turn,
    ]);
    table.append(plate.node);
    plates.push(plate);
  }
}

export function drawSeats() {
  const { view } = state;
  plates.forEach((plate, i) => drawSeat(plate, view.seats[i], view));
}

// The plate that cards slide from and to.
export const plateOf = (place) => plates[place].node;

function drawSeat(plate, seat, view) {
  const stars = seat.person ? 0 : seat.bot.stars;
  const shown = `${seat.who} ${seat.person}`;
  if (plate.shown !== shown) plate.face.replaceChildren(face(seat.person ? seat.who : seat.bot.name, seat.person));
  plate.shown = shown;
  put(plate.who, seat.called);
  const note = noteOf(seat);
  put(plate.note, note);
  plate.note.hidden = !note;
  put(plate.stars, "★".repeat(stars));
  give(plate.stars, "aria-label", stars ? t("stars", { count: stars }) : null);
  give(plate.stars, "role", stars ? "img" : null);
  put(plate.status, seat.bid === null ? "–" : seat.nil ? String(seat.tricks) : `${seat.tricks} / ${seat.bid}`);
  drawNil(plate.nil, seat.nil);
  plate.dealer.hidden = !seat.dealer;
  plate.turn.hidden = view.turn !== seat.seat;
  mark(plate.node, "to-move", view.turn === seat.seat);
  mark(plate.node, "own-side", seat.side === view.seats[0].side);
  give(plate.node, "aria-label", seatWords(seat, view));
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

function bidWords({ bid, tricks, nil }) {
  if (bid === null) return t("plate.no_bid");
  if (!nil) return t("plate.bid_made", { bid, tricks });
  return nil.alive ? nilWords(nil) : `${nilWords(nil)}, ${t("plate.broken")}`;
}

const nilWords = ({ kind }) => t(kind === "nil" ? "plate.nil" : "plate.blind_nil");

function arrow() {
  return picture(20, 20, svg("path", { d: "M2 2L18 10L2 18L6 10Z", fill: "currentColor" }));
}
