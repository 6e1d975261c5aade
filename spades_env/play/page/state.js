// All that the page knows, in one flat object. To change it, call `change`, which draws the page once at the end of the
// task, however often it was called.

export const FOR_BOTH = "both"; // stands for all blind bids for both partners where an action is to be confirmed

export const state = {
  // The server
  online: false, // is the connection up?
  hello: null, // the first message of the server: docs/protocol.md

  // The table on the screen
  key: null, // which one
  view: null, // what this seat knows, as it is shown now; later views wait in queue.js
  held: null, // a finished trick that still lies on the table: {cards, winning}
  still: true, // the view does not follow from the one before: no card slides
  lobby: null, // the occupied and free seats, for a person without a seat
  peek: null, // the index of the earlier trick that is shown, in knownTricks()

  // The person's move
  cursor: null, // the card that the arrow keys are on
  lifted: null, // the card that was tapped once
  confirm: null, // the action that is to be confirmed: a nil, "blind", a blind bid, or FOR_BOTH: one of them
  hint: null, // {stamp, best, heading, words, reason, weighed: {action: {weight, bar, words, best}}}
  busy: false, // the request that is not answered yet, if there is one: "act", "hint"

  // Beside the table
  dialog: null, // the name of the open dialog
  importing: false, // is a game being imported?
  settings: null, // see settings.js
};

const drawers = [];
const endsSeen = new Set(); // keys of games whose end need not be shown any more
let isDrawingDue = false;

// f is called after every change.
export function onChange(f) {
  drawers.push(f);
}

export function change(patch = {}) {
  Object.assign(state, patch);
  if (isDrawingDue) return;
  isDrawingDue = true;
  queueMicrotask(() => {
    isDrawingDue = false;
    drawers.forEach((draw) => draw());
  });
}

// The sentences that say which of the person's variants or settings the server could not read.
export function damaged(table) {
  return (state.hello?.faults ?? []).filter((one) => one.table === table).map((one) => one.words);
}

// A text that identifies a position. A version would not do: asking for a hint makes a new one.
export function positionOf(view) {
  return view && `${view.key} ${view.hand_number} ${view.events.length} ${view.help.takebacks}`;
}

// The hint for the position on the screen, if one was given.
export function hintNow() {
  return state.hint && state.hint.stamp === positionOf(state.view) ? state.hint : null;
}

// The person's cards from left to right, in the order of the settings, without those that lie on the table.
export function handCards() {
  const { view, held } = state;
  if (!view) return [];
  const gone = new Set((held ?? view.trick).cards.filter((play) => play.seat === view.seat).map((play) => play.card));
  return ordered(view.lanes).map(({ suit, cards }) => ({ suit, cards: cards.filter((card) => !gone.has(card)) }));
}

// A hand's cards by suit, [{suit, cards}], in the order of the settings.
export function ordered(lanes) {
  const { suitOrder, ascending } = state.settings;
  const sorted = [...lanes].sort((a, b) => suitOrder.indexOf(a.suit[0]) - suitOrder.indexOf(b.suit[0]));
  return sorted.map(({ suit, cards }) => ({ suit, cards: ascending ? [...cards].reverse() : cards }));
}

// Where a seat is on the screen: 0 south (the person's own), then clockwise.
export function placeOf(seat) {
  return state.view.seats.findIndex((one) => one.seat === seat);
}

// All tricks that can be looked at: those of the last hand, then those of this hand.
export function knownTricks() {
  const { view } = state;
  const numbered = (tricks, hand) => tricks.map((trick, i) => ({ ...trick, hand, number: i + 1 }));
  const before = view.previous ? numbered(view.previous.tricks, view.previous.hand_number) : [];
  return [...before, ...numbered(view.tricks, view.hand_number)];
}

// A character or bot by its key; one that the server does not list is shown by its key alone.
export function characterOf(key) {
  return state.hello.roster.find((one) => one.key === key) ?? { key, name: key, stars: 0, style: "", about: "" };
}

// The end of a game is shown once, and not at all for a game that was imported.
export const isEndSeen = (key) => endsSeen.has(key);
export const markEndSeen = (key) => void endsSeen.add(key);
