// Fairness that anybody can check: the hashes shown before the cards, the deals and salts behind them, the check done
// here and how to do it elsewhere; ten thousand deals counted.

import { ask } from "../../connection.js";
import { openDialog } from "../dialog.js";
import { button, el, put, table, upper } from "../../dom.js";
import { attempt } from "../../speech.js";
import { state } from "../../state.js";
import { grouped, t } from "../../texts.js";

export function openFairness() {
  const { fair, key, hand_number } = state.view;
  const first = hand_number - fair.hands.length + 1;
  const proofs = el("div.proofs");
  const deals = el("div.deals");
  openDialog("fairness", t("fairness"), [
    el("p", {}, t("fairness.how")),
    fair.words.map((sentence) => el("p", {}, sentence)),
    el("p", {}, t("fairness.who")),
    el("h3", {}, t("fairness.shown")),
    el(
      "dl.hashes",
      {},
      hashRow(t(`fairness.game.${fair.drawn_from}`), fair.game),
      fair.hands.map((hash, i) => hashRow(t("hand", { hand: first + i }), hash)),
    ),
    el("div.row", {}, [
      button(t("fairness.check"), () => showProofs(proofs, key), "button.strong"),
      button(t("fairness.deals"), () => showDeals(deals)),
    ]),
    el("p.quiet", {}, t("fairness.settles")),
    proofs,
    deals,
  ], { spec: "wide" });
}

const hashRow = (words, hash) => [el("dt", {}, words), el("dd", {}, el("code", {}, hash))];

const showProofs = (box, key) => attempt(async () => {
  const found = (await ask("proofs", { key })).proofs;
  const proofs = [...found.game, ...found.hands];
  if (!proofs.length) put(box, t("fairness.secret_yet"));
  else box.replaceChildren(...(await Promise.all(proofs.map(proofRow))));
});

// Is the hash of salt and deal the one that was shown? Browsers cannot hash over plain HTTP from another machine.
async function proofRow({ commitment, salt, told }) {
  const fair = state.view.fair;
  const shown = [fair.game, ...fair.hands].includes(commitment);
  const good = shown && (crypto.subtle ? (await sha256(`${salt} ${told}`)) === commitment : null);
  const [head, cards] = told.split(": ");
  return el("section.proof", {}, [
    el("h4", {}, `${upper(head)} `, verdict(good)),
    cards ? el("p", {}, el("code", {}, cards)) : null,
    el("p.quiet", {}, `${t("fairness.shell")} `, el("code", {}, `printf %s "${salt} ${told}" | sha256sum`)),
  ]);
}

function verdict(good) {
  if (good === null) return el("small", {}, t("fairness.cannot"));
  return el(`span.${good ? "good" : "bad"}`, {}, t(good ? "fairness.good" : "fairness.bad"));
}

async function sha256(text) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function showDeals(box) {
  put(box, t("fairness.counting"));
  try {
    const counts = await ask("deals");
    const head = t("fairness.count", { count: grouped(counts.deals) });
    box.replaceChildren(el("h3", {}, head), el("p", {}, counts.words), ...counts.figures.map(figure));
  } catch (error) {
    put(box, error.message);
  }
}

function figure({ name, rows, words }) {
  const heads = ["", t("fairness.expected"), t("fairness.found")];
  const counts = rows.map((row) => [row.words, grouped(row.expected), grouped(row.found)]);
  return el("details.group", {}, el("summary", {}, name), [
    table("numbers", heads, counts),
    el("p.quiet", {}, words),
  ]);
}
