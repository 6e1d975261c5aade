// A bot that speaks the line protocol of docs/agents.md; it needs nothing but Node.
// It bids its high spades and aces, and plays its lowest legal card unless it can win the trick.

const RANKS = "23456789TJQKA";
const rank = (card) => RANKS.indexOf(card[0]);

function bid(view) {
  const high = view.hand.filter((card) => card[0] === "A" || (card[1] === "S" && rank(card) >= 8));
  return `bid:${Math.max(1, high.length)}`;
}

function play(view) {
  const cards = [...view.legal_actions].sort((a, b) => rank(a) - rank(b));
  const led = view.table.cards[0];
  const higher = led ? cards.filter((card) => card[1] === led[1] && rank(card) > rank(led)) : [];
  return higher.length ? higher.at(-1) : cards[0];
}

function decide(view) {
  const chosen = view.phase === "blind" ? "look" : view.phase === "bid" ? bid(view) : play(view);
  return view.legal_actions.includes(chosen) ? chosen : view.legal_actions[0];
}

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const message = JSON.parse(line);
    if (message.type === "decide") {
      console.log(JSON.stringify({ id: message.id, action: decide(message.view) }));
    }
  });
