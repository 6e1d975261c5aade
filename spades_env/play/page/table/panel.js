// The panel in the middle of the table while no cards lie there: the result of the last hand, the offer to bid blind,
// the bids and their sum, the passed cards, the question before a nil and before a blind bid.

import { act, claim } from "../moves.js";
import { arrange, button, el, give, lasting, mark, put, signed } from "../dom.js";
import { cardText } from "../art/cards.js";
import { choiceNow, playableCard } from "./focus.js";
import { isBidding } from "./seats.js";
import { tallyWords } from "./sides.js";
import { say } from "../speech.js";
import { FOR_BOTH, change, state } from "../state.js";
import { drawWeight, weightNode } from "./weight.js";
import { t } from "../texts.js";

const MOST_COLUMNS = 7; // of bids
let panel = null;
const parts = {};
const bids = new Map(); // action → button
let askedFrom = null; // the node that had the focus before a question was asked

// showEnd() opens the dialog about the end of the game.
export function buildPanel(table, showEnd) {
  panel = el("section.panel", { "aria-label": t("your_choice") });
  parts.result = el("div.result");
  parts.offer = el("div.offer");
  parts.bids = el("div.bids", { role: "group", "aria-label": t("bids") });
  parts.ask = el("div.ask", { role: "group" });
  parts.passed = el("p.passed");
  parts.tally = el("p.bid-sum");
  parts.claim = button(t("take_rest"), claim);
  parts.end = el("div.row", {}, button(t("how_it_ended"), showEnd));
  table.append(panel);
}

export function drawPanel() {
  const { held, peek } = state;
  const focused = document.activeElement;
  const hadFocus = panel.contains(focused);
  const wasAsked = parts.ask.isConnected;
  arrange(panel, held || peek !== null ? [] : choices());
  const isAsked = parts.ask.isConnected;
  if (isAsked && !wasAsked) askFrom(focused);
  else if (hadFocus && !panel.contains(document.activeElement)) keepFocus(wasAsked && !isAsked ? askedFrom : null);
}

function choices() {
  const { view, confirm } = state;
  const shown = [];
  if (isResultShown(view)) shown.push(drawResult(view));
  if (isBidding(view)) shown.push(drawTally(view));
  if (confirm) shown.push(drawAsk(view, confirm));
  else if (view.phase === "blind" && view.your_turn) shown.push(drawOffer(view));
  else if (view.phase === "bid" && view.your_turn) shown.push(drawBids(view));
  if (view.passing) shown.push(drawPassed(view));
  if (view.can.claim && view.seats[0].cards > 1) shown.push(parts.claim);
  if (view.outcome) shown.push(parts.end);
  return shown.filter(Boolean);
}

// Say the question, and put the focus on its first answer.
function askFrom(focused) {
  askedFrom = focused;
  say(parts.ask.firstChild.textContent);
  parts.ask.querySelector("button").focus();
}

// Put the focus back where it was before the question, or on what replaced the button that was pressed.
function keepFocus(before) {
  if (before?.isConnected && before !== document.body) return before.focus();
  const next = choiceNow() ?? panel.querySelector("button") ?? playableCard();
  return (next ?? document.getElementById("table")).focus();
}

// Is the result of the last hand shown? It is until a card of the next one is played.
const isResultShown = (view) => view.sheet.length > 0 && ["blind", "bid", "over"].includes(view.phase);

function drawResult(view) {
  const hand = view.sheet.at(-1);
  const daily = view.daily?.hands[view.sheet.length - 1];
  const key = `${view.key} ${hand.hand_number} ${hand.sides.map((side) => side.score)} ${daily?.champion}`;
  if (parts.result.dataset.key !== key) {
    parts.result.dataset.key = key;
    parts.result.replaceChildren(
      el("h2", {}, t("hand", { hand: hand.hand_number })),
      ...hand.sides.map(resultLine),
      ...(daily ? [el("p.beside-champion", {}, besideChampion(daily))] : []),
    );
  }
  return parts.result;
}

// The lead that the hand of a daily deal has brought, beside the champion's.
function besideChampion({ own, champion }) {
  const known = champion !== null;
  return t(known ? "daily.panel" : "daily.panel_open", { own: signed(own), champion: known ? signed(champion) : "" });
}

function resultLine(side) {
  return el("p", {}, [
    el("span.name", {}, side.called),
    el("b", {}, signed(side.points)),
    el("span.why", {}, side.words),
  ]);
}

// What the table has bid so far, beside what can be taken, or that nobody bids in this hand.
function drawTally({ bid_so_far: sum, seats }) {
  const bidsItself = seats[0].contract === "hand";
  if (!sum && !bidsItself) return null;
  put(parts.tally, bidsItself ? t("bids_itself") : tallyWords(sum));
  return parts.tally;
}

function drawOffer(view) {
  const { blind_nil: nil, blind_bid: forBoth } = view;
  const words = (nil ?? forBoth)?.words ?? t("cards_dealt");
  const key = words + view.legal.length;
  if (parts.offer.dataset.key !== key) {
    parts.offer.dataset.key = key;
    const look = offerButton(t("look"), "look", "button.strong");
    const blind = nil && offerButton(t("blind_nil_worth", { bonus: nil.bonus }), "blind");
    const both = forBoth && button(t("ask.both_which"), () => change({ confirm: FOR_BOTH }));
    parts.offer.replaceChildren(el("p", {}, words), el("div.row", {}, look, blind, both));
  }
  for (const node of parts.offer.querySelectorAll("[data-action]")) drawWeight(node.lastChild, node.dataset.action);
  return parts.offer;
}

// Lay buttons out in as few rows as there must be, of about equal length.
function inColumns(box, count) {
  lasting(box, "--columns", Math.ceil(count / Math.ceil(count / MOST_COLUMNS)));
}

function offerButton(words, action, spec) {
  const node = button(words, () => act(action), spec);
  give(node, "data-action", action);
  node.append(weightNode());
  return node;
}

function drawBids(view) {
  const offered = view.legal.filter((action) => action.startsWith("bid:"));
  arrange(parts.bids, offered.map((action) => bidButton(action)));
  inColumns(parts.bids, offered.length);
  for (const action of offered) {
    const node = bids.get(action);
    const number = action.slice(4);
    const nil = number === "0" && Boolean(view.nil);
    put(node.firstChild, nil ? t("nil") : number);
    mark(node, "nil-bid", nil);
    give(node, "aria-label", nil ? t("bid_nil") : t("bid_number", { bid: number }));
    give(node, "data-bid", number);
    drawWeight(node.lastChild, action);
  }
  return parts.bids;
}

function bidButton(action) {
  if (!bids.has(action)) {
    bids.set(action, el("button.bid", { type: "button", onclick: () => act(action) }, el("span"), weightNode()));
  }
  return bids.get(action);
}

function drawAsk(view, action) {
  if (parts.ask.dataset.key !== action + view.version) {
    parts.ask.dataset.key = action + view.version;
    const { question, words, yes } = questionOf(view, action);
    const no = button(t("ask.no"), () => change({ confirm: null }));
    give(parts.ask, "aria-label", question);
    parts.ask.replaceChildren(
      el("p", {}, words),
      action === FOR_BOTH
        ? blindBids(view.blind_bid, no)
        : el("div.row", {}, button(yes, () => act(action, true), "button.strong"), no),
    );
  }
  for (const node of parts.ask.querySelectorAll("[data-action]")) drawWeight(node.lastChild, node.dataset.action);
  return parts.ask;
}

// The blind bids for both partners with what they are worth, and the way back.
function blindBids({ bids: offered }, no) {
  const nodes = offered.map(({ bid, points }) => {
    const node = el("button.blind-bid", { type: "button", onclick: () => act(`bid:${bid}`, true) }, [
      el("b", {}, String(bid)), el("small", {}, `±${points}`), weightNode(),
    ]);
    give(node, "data-action", `bid:${bid}`);
    give(node, "aria-label", `${t("bid_blind", { bid })}, ±${points}`);
    return node;
  });
  const box = el("div.blind-bids", {}, nodes, no);
  inColumns(box, nodes.length + 1);
  return box;
}

function questionOf(view, action) {
  if (action === "blind") return { question: t("ask.blind"), words: view.blind_nil.words, yes: t("ask.yes_blind") };
  if (action === FOR_BOTH) return { question: t("ask.both_which"), words: view.blind_bid.words };
  if (view.phase === "bid") return { question: t("ask.nil"), words: view.nil.words, yes: t("ask.yes_nil") };
  const { bid, words } = view.blind_bid.bids.find((one) => action === `bid:${one.bid}`);
  return { question: t("ask.both_which"), words, yes: t("ask.yes_both", { bid }) };
}

// The cards that partners give each other, until the first card is played.
function drawPassed(view) {
  const { given, received, count, to } = view.passing;
  if (view.phase === "play" && (view.tricks.length || view.trick.cards.length)) return null;
  if (view.phase !== "pass" && !received.length) return null;
  const partner = view.seats.find((one) => one.seat === to);
  const list = (cards) => cards.map(cardText).join(" ");
  const words = received.length
    ? t("passed.done", { who: partner.called, given: list(given), received: list(received) })
    : t("passed.plan", { who: partner.called, cards: t("swap", { count }), given: list(given) });
  put(parts.passed, words);
  return parts.passed;
}
