// Fairness that anybody can check: the hashes shown before the cards, the deals and salts behind them, the check done
// here and how to do it elsewhere; ten thousand deals counted.

import { ask } from "../connection.js";
import { openDialog } from "./dialog.js";
import { button, el, put } from "../dom.js";
import { notice } from "../speech.js";
import { state } from "../state.js";

const HOW =
  "Before anyone sees a card, the table shows a hash of the deal and a salt. After the hand you get both: hash them " +
  "again, and you know the deal was settled before the bidding. Bots get what a person in their seat could see, and " +
  "nothing else.";
const WHO =
  "The table shows each person one hand of a deal. It can't know who sits at a browser: anyone with the link, the " +
  "host included, can come in a second time under another name. And whoever runs the server can read its files. Play " +
  "with people you trust.";

export function openFairness() {
  const { fair, key, hand_number } = state.view;
  const first = hand_number - fair.hands.length + 1;
  const proofs = el("div.proofs");
  const deals = el("div.deals");
  openDialog("fairness", "Fairness", [
    el("p", {}, HOW),
    fair.words.map((sentence) => el("p", {}, sentence)),
    el("p", {}, WHO),
    el("h3", {}, "Shown before the cards"),
    el(
      "dl.hashes",
      {},
      hashRow(`The game's ${fair.drawn_from}`, fair.game),
      fair.hands.map((hash, i) => hashRow(`Hand ${first + i}`, hash)),
    ),
    el("div.row", {}, [
      button("Check the finished hands", () => showProofs(proofs, key), "button.strong"),
      button("Ten thousand deals", () => showDeals(deals)),
    ]),
    el("p.quiet", {}, "Checking finished hands settles them: they can no longer be taken back."),
    proofs,
    deals,
  ], { spec: "wide" });
}

const hashRow = (words, hash) => [el("dt", {}, words), el("dd", {}, el("code", {}, hash))];

async function showProofs(box, key) {
  try {
    const found = (await ask("proofs", { key })).proofs;
    const proofs = [...found.game, ...found.hands];
    if (!proofs.length) put(box, "No hand is finished yet: its deal is still a secret.");
    else box.replaceChildren(...(await Promise.all(proofs.map(proofRow))));
  } catch (error) {
    notice(error.message);
  }
}

// Is the hash of salt and deal the one that was shown? Browsers cannot hash over plain HTTP from another machine.
async function proofRow({ commitment, salt, told }) {
  const fair = state.view.fair;
  const shown = [fair.game, ...fair.hands].includes(commitment);
  const good = shown && (crypto.subtle ? (await sha256(`${salt} ${told}`)) === commitment : null);
  const [head, cards] = told.split(": ");
  return el("section.proof", {}, [
    el("h4", {}, `${head.charAt(0).toUpperCase()}${head.slice(1)} `, verdict(good)),
    cards ? el("p", {}, el("code", {}, cards)) : null,
    el("p.quiet", {}, "In a shell: ", el("code", {}, `printf %s "${salt} ${told}" | sha256sum`)),
  ]);
}

function verdict(good) {
  if (good === null) return el("small", {}, "this browser checks only over HTTPS or on the server's own machine");
  return el(`span.${good ? "good" : "bad"}`, {}, good ? "✓ it matches its hash" : "✗ it does not match its hash");
}

async function sha256(text) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function showDeals(box) {
  put(box, "Counting …");
  try {
    const counts = await ask("deals");
    const head = `${counts.deals.toLocaleString("en")} deals`;
    box.replaceChildren(el("h3", {}, head), el("p", {}, counts.words), ...counts.figures.map(figure));
  } catch (error) {
    put(box, error.message);
  }
}

function figure({ name, rows, words }) {
  const head = [el("td"), ...["Expected", "Found"].map((title) => el("th", { scope: "col" }, title))];
  const body = rows.map((row) =>
    el("tr", {}, el("th", { scope: "row" }, row.words), [
      el("td", {}, row.expected.toLocaleString("en")),
      el("td", {}, row.found.toLocaleString("en")),
    ]),
  );
  return el("details.group", {}, el("summary", {}, name), [
    el("table.numbers", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, body)),
    el("p.quiet", {}, words),
  ]);
}
