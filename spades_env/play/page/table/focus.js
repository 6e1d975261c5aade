// Where the focus goes after a deal or a takeback: to what the person does next.

import { state } from "../state.js";

const BID = 3; // the bid to begin with: never nil, which is a risk

const find = (selector) => document.querySelector(selector);

// The button that answers the question in the middle of the table; among bids, this one or the usual one.
export function choiceNow(bid = BID) {
  const bids = [bid, BID].map((number) => find(`.panel .bid[data-bid="${number}"]`));
  return bids.find(Boolean) ?? find(".panel .bid:not(.nil-bid)") ?? find(".panel :is(.ask, .offer, .bids) button");
}

// A card that may be played; if possible, the one in the tab order.
export function playableCard() {
  return find(".hand .legal[tabindex='0']") ?? find(".hand .legal");
}

// Put the focus on what the person does next; on the table, where Space skips the wait, while others move.
export function focusNext(bid = BID) {
  const asked = state.view?.your_turn && !state.held;
  const next = asked && (choiceNow(bid) ?? playableCard());
  (next || document.getElementById("table")).focus();
}
