// The small table of a lesson: the others, the trick, the person's hand and bids, drawn from a scene of the server.
//
//            north                  board = makeBoard(choose)     choose(action): a card or a bid was pressed
//     west   trick   east           board.node                    to be put into a dialog
//            own hand               await board.show(frames)      scenes one after the other, at the table's pace
//            bids                   board.rest(on)                while it rests, nothing can be chosen

import { cardFace, cardWords, colourOf, markPlayable, openCard } from "../art/cards.js";
import { face } from "../art/faces.js";
import { arrange, el, give, mark, plainNumber, put } from "../dom.js";
import { moving, twoTaps } from "../settings.js";
import { say } from "../speech.js";
import { ordered, state } from "../state.js";
import { t } from "../texts.js";

const PLACES = ["south", "west", "north", "east"];

// shows: what stands beside the cards: bids, scores.
export function makeBoard(choose, shows = ["bids"]) {
  const board = { choose, shows, resting: false, scene: null, skip: null, buttons: new Map(), lifted: null };
  board.seats = PLACES.map((place) => makeSeat(place));
  board.slots = PLACES.map((place) => el(`div.slot.${place}`));
  board.trick = el("div.lesson-trick", { role: "group", "aria-label": t("trick") }, board.slots);
  board.scores = el("div.lesson-scores", { hidden: true });
  board.hand = el("div.lesson-hand", { role: "group", "aria-label": t("your_hand") });
  board.bids = el("div.lesson-bids", { role: "group", "aria-label": t("bids"), hidden: true });
  board.node = el("section.lesson-board", { "aria-label": t("lessons.table") }, [
    board.scores, board.seats.map((seat) => seat.node), board.trick, board.hand, board.bids,
  ]);
  board.node.addEventListener("click", (event) => event.target.closest("button") || board.skip?.());
  return {
    node: board.node,
    show: (frames, how = {}) => show(board, frames, how),
    rest: (on) => rest(board, on),
    focus: () => focusFirst(board),
    keys: (event) => keys(board, event),
  };
}

function makeSeat(place) {
  const seat = { face: el("span.face"), who: el("b"), status: el("span.status"), shown: null };
  const face = place === "south" ? null : seat.face;
  seat.node = el(`div.lesson-seat.${place}`, {}, face, el("p", {}, seat.who, seat.status));
  return seat;
}

// Show scenes one after the other. A finished trick stays for a while, and goes when the person leads.
// still: nothing follows from what was shown before; keep: the last trick stays.
async function show(board, frames, { still = false, keep = false }) {
  for (const [i, scene] of frames.entries()) {
    const ended = !still && board.scene && scene.played > board.scene.played;
    draw(board, scene, ended ? scene.last : scene.trick);
    if (!still && scene.event) say(`${scene.event}.`);
    const last = i === frames.length - 1;
    if (ended && (!last || (scene.your_turn && !keep))) {
      await wait(board, state.settings.trickStay);
      if (last) draw(board, scene, scene.trick);
    } else if (!last) await wait(board, state.settings.botPause);
  }
}

function wait(board, seconds) {
  return new Promise((resolve) => {
    board.skip = resolve;
    setTimeout(resolve, 1000 * seconds);
  });
}

function rest(board, on) {
  board.resting = on;
  mark(board.node, "resting", on);
}

function draw(board, scene, trick) {
  board.scene = scene;
  lift(board, null);
  scene.seats.forEach((seat, i) => drawSeat(board, board.seats[i], seat));
  drawScores(board, scene);
  drawTrick(board, scene, trick);
  drawHand(board, scene, trick);
  drawBids(board, scene);
}

function drawSeat(board, parts, seat) {
  if (!seat.person && parts.shown !== seat.bot.name) parts.face.replaceChildren(face(seat.bot.name, false));
  parts.shown = seat.bot.name;
  put(parts.who, seat.called);
  const again = board.lifted && parts === board.seats[0];
  put(parts.status, again ? t("tap_again") : board.shows.includes("bids") ? statusOf(seat, board.scene.phase) : "");
  mark(parts.node, "to-move", board.scene.turn === seat.seat);
}

function statusOf({ bid, tricks, nil }, phase) {
  if (bid === null) return t("plate.no_bid");
  if (phase === "bid" && !nil) return t("lessons.bid_shown", { bid });
  return nil ? t(nil.alive ? "plate.nil" : "plate.broken") : t("plate.bid_made", { bid, tricks });
}

function drawScores(board, scene) {
  board.scores.hidden = !board.shows.includes("scores");
  if (board.scores.hidden) return;
  board.scores.replaceChildren(...scene.sides.map((side) => el("p", {}, [
    el("span", {}, side.called), el("b", {}, plainNumber(side.score)),
    side.bags === null ? null : el("small", {}, t("bags_of", { bags: side.bags, count: side.bag_limit })),
  ])));
}

function drawTrick(board, scene, trick) {
  const placeOf = (seat) => scene.seats.findIndex((one) => one.seat === seat);
  board.slots.forEach((slot, place) => {
    const at = trick.cards.findIndex((play) => placeOf(play.seat) === place);
    const card = at < 0 ? "" : trick.cards[at].card;
    if ((slot.dataset.card ?? "") !== card) {
      slot.dataset.card = card;
      slot.replaceChildren(...(card ? [openCard(card, scene.trumps)] : []));
      mark(slot, "slides", card && moving());
    }
    if (!card) return;
    mark(slot, "is-winning", trick.winning === trick.cards[at].seat);
    const words = `${scene.seats[place].called}: ${cardWords(card)}`;
    const wins = trick.winning === trick.cards[at].seat;
    const key = at === 0 ? (wins ? "card.led_winning" : "card.led") : wins && "card.winning";
    give(slot.firstChild, "aria-label", key ? t(key, { card: words }) : words);
  });
}

// The cards in the order of the settings; one is in the tab order, and arrow keys move among them.
function drawHand(board, scene, trick) {
  const cards = ordered(scene.lanes).flatMap((lane) => lane.cards);
  const focused = document.activeElement?.dataset?.card;
  const hadFocus = board.hand.contains(document.activeElement);
  const nodes = cards.map((card) => board.buttons.get(card) ?? makeCard(board, card));
  arrange(board.hand, nodes);
  const stop = cards.find((card) => scene.legal.includes(card)) ?? cards[0];
  nodes.forEach((node, i) => drawCard(node, cards[i], scene, cards[i] === (cards.includes(focused) ? focused : stop)));
  mark(board.hand, "many", cards.length > 7);
  board.hand.style.setProperty("--cards", Math.max(cards.length, 1));
  if (hadFocus && !board.hand.contains(document.activeElement)) focusFirst(board);
}

function makeCard(board, card) {
  const face = cardFace(card, board.scene.trumps);
  const node = el(`button.card.suit-${colourOf(card)}`, { type: "button", "data-card": card }, face);
  node.addEventListener("click", (event) => press(board, card, event));
  node.addEventListener("focus", () => {
    for (const one of board.hand.querySelectorAll("button")) give(one, "tabindex", one === node ? 0 : -1);
  });
  board.buttons.set(card, node);
  return node;
}

// As at the table, one press plays a card, or the first press lifts it and the second plays it.
function press(board, card, event) {
  const { legal, your_turn: isTurn } = board.scene;
  if (!twoTaps(event) || board.lifted === card || !legal.includes(card) || !isTurn) return pick(board, card);
  lift(board, card);
  return say(t("tap_again"));
}

function lift(board, card) {
  board.lifted = card;
  for (const [one, node] of board.buttons) mark(node, "lifted", one === card);
  drawSeat(board, board.seats[0], board.scene.seats[0]);
}

function drawCard(node, card, scene, isStop) {
  markPlayable(node, card, scene);
  give(node, "tabindex", isStop ? 0 : -1);
}

function drawBids(board, scene) {
  const offered = scene.phase === "bid" ? scene.legal.filter((action) => action.startsWith("bid:")) : [];
  board.bids.hidden = !offered.length;
  if (board.bids.children.length === offered.length) return;
  board.bids.replaceChildren(...offered.map((action) => {
    const number = action.slice(4);
    const nil = number === "0" && Boolean(scene.nil);
    const about = { type: "button", onclick: () => pick(board, action), "data-bid": number };
    const node = el("button.bid", about, nil ? t("nil") : number);
    give(node, "aria-label", nil ? t("bid_nil") : t("bid_number", { bid: number }));
    return node;
  }));
}

function pick(board, action) {
  board.skip?.();
  lift(board, null);
  if (!board.resting && board.scene.your_turn) board.choose(action);
}

function focusFirst(board) {
  const bids = !board.bids.hidden && board.bids.querySelector("button");
  (bids || board.hand.querySelector("[tabindex='0']"))?.focus();
}

// Arrow keys move among cards or bids, digits bid. Returns whether the key was used.
function keys(board, event) {
  const steps = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const group = event.target.closest?.(".lesson-hand, .lesson-bids");
  if (steps && group) {
    const nodes = [...group.querySelectorAll("button")];
    nodes.at((nodes.indexOf(document.activeElement) + steps) % nodes.length).focus();
    return true;
  }
  const bid = /^\d$/.test(event.key) && !board.bids.hidden && board.bids.querySelector(`[data-bid="${event.key}"]`);
  if (bid) pick(board, `bid:${event.key}`);
  return Boolean(bid);
}
