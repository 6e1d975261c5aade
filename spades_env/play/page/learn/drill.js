// The drills: a hand is dealt, the player decides, and the server shows how the bid adds up and what the champion bids,
// or how often each choice wins. kind: "bid" or "nil".

import { SYMBOLS } from "../art/cards.js";
import { ask } from "../connection.js";
import { openDialog } from "../dialogs/dialog.js";
import { button, el, put, table, tableRow } from "../dom.js";
import { makeBoard } from "./board.js";
import { notice, say } from "../speech.js";
import { drawTally } from "./tally.js";
import { decimal, percent, t } from "../texts.js";

const NO_NIL = "bid"; // the answer that says so

let open = null; // the drill that is shown: {kind, number, board, parts}

// home() shows the overview.
export async function openDrill(kind, tally, home) {
  const board = makeBoard(answer);
  const parts = {
    words: el("p.lesson-words"), answers: el("div.row"), result: el("div.drill-result"), tally: el("div.tally"),
  };
  open = { kind, number: null, board, parts };
  const here = open;
  parts.words.id = "drill-words";
  openDialog("drill", t(`lessons.${kind}`), [
    el("div.lesson-columns", {}, [
      el("section.lesson-card", { "aria-labelledby": "drill-words" }, [
        parts.words, parts.result, parts.answers, parts.tally,
        button(t("lessons.overview"), home, "button.quiet-button"),
      ]),
      board.node,
    ]),
  ], { spec: "full", keys: board.keys, closed: () => open === here && (open = null) });
  drawTally(parts.tally, kind, tally);
  await deal(here);
}

async function deal(here) {
  const { kind, board, parts } = here;
  put(parts.words, t("lessons.dealing"));
  parts.result.replaceChildren();
  parts.answers.replaceChildren();
  try {
    const dealt = await ask("drill", { kind });
    if (open !== here) return;
    here.number = dealt.number;
    put(parts.words, t(`lessons.${kind}.ask`));
    say(parts.words.textContent);
    board.rest(false);
    await board.show([kind === "nil" ? withoutBids(dealt.scene) : dealt.scene], { still: true });
    if (kind === "nil") {
      const nil = button(t("lessons.yes_nil"), () => answer("bid:0"), "button.strong");
      parts.answers.replaceChildren(nil, button(t("lessons.no_nil"), () => answer(NO_NIL), "button.strong"));
      nil.focus();
    } else board.focus();
  } catch (error) {
    put(parts.words, error.message);
    notice(error.message);
  }
}

// In the nil drill the question is only nil or not.
const withoutBids = (scene) => ({ ...scene, legal: [], your_turn: false });

async function answer(action) {
  const here = open;
  const { kind, board, parts } = here;
  if (kind === "nil" ? !/^bid/.test(action) : !action.startsWith("bid:")) return;
  board.rest(true);
  parts.answers.replaceChildren();
  put(parts.words, t("lessons.thinking"));
  try {
    const found = await ask("answer_drill", { number: here.number, action });
    if (open !== here) return;
    put(parts.words, found.words);
    say(found.words);
    parts.result.replaceChildren(...(kind === "bid" ? howItAddsUp(found) : chances(found)));
    drawTally(parts.tally, kind, found.tally);
  } catch (error) {
    put(parts.words, error.message);
    notice(error.message);
  }
  const next = button(t("lessons.deal_next"), () => deal(here), "button.strong");
  parts.answers.replaceChildren(next);
  if (open === here) next.focus();
}

// The tricks of the hand by suit, and their sum.
function howItAddsUp({ lines, total, counted }) {
  const name = (suit) => el(`span.suit-${suit}`, { role: "img", "aria-label": t(`suit.${suit}`) }, SYMBOLS[suit]);
  const heads = ["suit", "counts", "tricks"].map((key) => t(`lessons.${key}`));
  const rows = lines.map((line) => [name(line.suit), line.words, decimal(line.total)]);
  const sum = tableRow([t("lessons.together"), "", el("b", {}, decimal(total))], "tr.total");
  return [
    el("h3", {}, t("lessons.count")),
    table("numbers.count-table", heads, [...rows, sum]),
    el("p.quiet", {}, t("lessons.counted", { bid: counted })),
  ];
}

// The chance to win with each choice, and the cards that endanger a nil.
function chances({ chances: found, champion_words: champion, dangers }) {
  const bar = ({ words, chance }) => el("p.chance", {}, [
    el("span", {}, words),
    el("progress", { max: 1, value: chance, "aria-label": words }),
    el("b", {}, percent(chance, 1)),
  ]);
  return [
    el("h3", {}, t("lessons.chances")),
    ...found.map(bar),
    el("p", {}, champion),
    el("h3", {}, t("lessons.dangers")),
    el("ul.plain", {}, dangers.map((words) => el("li", {}, words))),
  ];
}

