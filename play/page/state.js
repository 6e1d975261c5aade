// All that the page knows, in one flat object. Whoever changes it calls `change`, which draws once when all is said.

export const state = {
  // The server
  online: false, // is the connection up?
  hello: null, // what the server said first: docs/protocol.md

  // The table on the screen
  key: null, // which one
  view: null, // what the own seat knows, as shown now; later views wait in queue.js
  held: null, // a finished trick that still lies there: {cards, winning}
  still: true, // the view before was another position: nothing flies
  lobby: null, // who sits where, for whoever has no seat
  peek: null, // number of the earlier trick being looked at, counted from the first one that is known

  // The own move
  cursor: null, // the card that the keys stand on
  lifted: null, // the card that was tapped once
  confirm: null, // the action that asks to be confirmed: "bid:0" or "blind"
  hint: null, // {stamp, by, heading, words, weighed: {action: {weight, bar, words}}}
  busy: false, // something was asked of the server and is not yet answered

  // Beside the table
  dialog: null, // name of the open dialog
  importing: false, // is a game being read in?
  settings: null, // see settings.js
};

const drawers = [];
let asked = false;

// f is called after every change.
export function onChange(f) {
  drawers.push(f);
}

export function change(patch = {}) {
  Object.assign(state, patch);
  if (asked) return;
  asked = true;
  queueMicrotask(() => {
    asked = false;
    drawers.forEach((draw) => draw());
  });
}

// What the server could not read of the person's own variants or settings, in sentences.
export function damaged(table) {
  return (state.hello?.faults ?? []).filter((one) => one.table === table).map((one) => one.words);
}

// What a hint belongs to: a position, not a version, which grows with the hint itself.
export function positionOf(view) {
  return view && `${view.key} ${view.hand_number} ${view.events.length} ${view.help.takebacks}`;
}

// The hint for the position on the screen, if one was given.
export function hintNow() {
  return state.hint && state.hint.stamp === positionOf(state.view) ? state.hint : null;
}

// The own cards from left to right, as the settings want them; those on the table are no longer in the hand.
export function handCards() {
  const { view, held, settings } = state;
  if (!view) return [];
  const gone = new Set((held ?? view.trick).cards.filter((play) => play.seat === view.seat).map((play) => play.card));
  const order = settings.suitOrder;
  const lanes = [...view.lanes].sort((a, b) => order.indexOf(a.suit[0]) - order.indexOf(b.suit[0]));
  return lanes.map(({ suit, cards }) => {
    const left = cards.filter((card) => !gone.has(card));
    return { suit, cards: settings.ascending ? left.reverse() : left };
  });
}

// Where a seat is on the screen: 0 south (the own one), then clockwise.
export function placeOf(seat) {
  return state.view.seats.findIndex((one) => one.seat === seat);
}

// All tricks that can be looked at: those of the hand before, then those of this hand.
export function knownTricks() {
  const { view } = state;
  const told = (tricks, hand) => tricks.map((trick, i) => ({ ...trick, hand, number: i + 1 }));
  const before = view.previous ? told(view.previous.tricks, view.previous.hand_number) : [];
  return [...before, ...told(view.tricks, view.hand_number)];
}
