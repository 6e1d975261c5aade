// The four plates around the table: who sits there, what they bid and took, whose turn it is, who deals.

import { el, give, mark, put, svg, picture } from "../dom.js";
import { face } from "../art/faces.js";
import { state } from "../state.js";

export const PLACES = ["south", "west", "north", "east"];
const plates = []; // one for each place

export function buildSeats(table) {
  for (const place of PLACES) {
    const plate = {
      face: el("span.face"),
      who: el("span.who"),
      stars: el("span.stars"),
      where: el("span.where"),
      note: el("span.note", { hidden: true }),
      status: el("span.status"),
      nil: el("span.nil"),
      dealer: el("span.dealer", { title: "deals" }, "D"),
      turn: el("span.turn", {}, arrow()),
    };
    plate.node = el(`section.seat.${place}`, {}, plate.face, [
      el("div.words", {}, [
        el("p.title", {}, plate.who, plate.stars),
        el("p.second", {}, plate.where, plate.dealer, plate.note),
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
  put(plate.who, seat.who);
  const note = noteOf(seat);
  put(plate.note, note);
  plate.note.hidden = !note;
  put(plate.stars, "★".repeat(stars));
  give(plate.stars, "aria-label", stars ? `${stars} stars` : null);
  give(plate.stars, "role", stars ? "img" : null);
  put(plate.where, seat.name);
  put(plate.status, seat.bid === null ? "–" : seat.status.replace(/ ?\/? ?(blind )?nil$/, "") || String(seat.tricks));
  drawNil(plate.nil, seat.nil);
  plate.dealer.hidden = !seat.dealer;
  plate.turn.hidden = view.turn !== seat.seat;
  mark(plate.node, "to-move", view.turn === seat.seat);
  mark(plate.node, "own-side", seat.side === view.seats[0].side);
  give(plate.node, "aria-label", seatWords(seat, view));
}

// "away", or the person that a bot plays for.
const noteOf = (seat) => (seat.away ? "away" : seat.kept_for ? `for ${seat.kept_for}` : "");

// A badge for a nil, broken in two when the nil is.
function drawNil(node, nil) {
  node.hidden = !nil;
  if (!nil) return;
  put(node, nil.kind);
  mark(node, "broken", !nil.alive);
  give(node, "title", nil.alive ? null : "broken");
}

export function seatWords(seat, view) {
  const stars = seat.person ? "" : `, ${seat.bot.stars} stars`;
  const bid = seat.bid === null ? "no bid yet" : `${seat.status}${seat.nil && !seat.nil.alive ? ", broken" : ""}`;
  const more = [noteOf(seat), seat.dealer && "deals", view.turn === seat.seat && "to move"].filter(Boolean);
  return [`${seat.name}: ${seat.who}${stars}`, bid, ...more].join(", ");
}

function arrow() {
  return picture(20, 20, svg("path", { d: "M2 2L18 10L2 18L6 10Z", fill: "currentColor" }));
}
