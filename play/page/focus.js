// Where the focus goes after a game was dealt or a move taken back: to whatever the person does next.

import { state } from "./state.js";

const BID = 3; // the bid to begin with: never nil, which is a risk

const find = (words) => document.querySelector(words);

// The button that answers what is asked in the middle of the table; a bid, if there is one to start from.
export function choiceNow(bid = BID) {
  const bids = [bid, BID].map((number) => find(`.panel .bid[aria-label="bid ${number}"]`));
  return bids.find(Boolean) ?? find(".panel :is(.ask, .offer, .bids) button");
}

// The stop of the keys is a card that may be played, but for one that still has the focus from before.
export function playableCard() {
  return find(".hand .legal[tabindex='0']") ?? find(".hand .legal");
}

// While others move it is the table, where Space skips the wait.
export function focusNext(bid = BID) {
  const asked = state.view?.your_turn && !state.held;
  const next = asked && (choiceNow(bid) ?? playableCard());
  (next || document.getElementById("table")).focus();
}
