// The form for a new game: who plays, by which rules. Both are remembered for the next time; "Deal" starts the game.

import { ask } from "../../connection.js";
import { closeDialog, field, numberInput, openDialog } from "../dialog.js";
import { button, el, give, put } from "../../dom.js";
import { openLearn } from "../../learn/learn.js";
import { focusNext } from "../../table/focus.js";
import { PLACES, difficultyBar, drawPlayers } from "./players.js";
import { drawRules } from "./rules_form.js";
import { leavingButton } from "../people/leaving.js";
import { attempt, hush } from "../../speech.js";
import { state } from "../../state.js";
import { t } from "../../texts.js";

// The choices so far: rules as the server sent them, bots by seat (the person sits in seat 0), the place that is chosen
// for, the person's statistics, the difficulty. fair: does the server pick the opponents? fight: its words.
let draft = null;
const parts = {};

export async function openNewGame() {
  draft = { ...begin(), place: 2, record: null, difficulty: null, fight: null, tab: "players" };
  parts.body = el("div.pane");
  parts.difficulty = el("p.difficulty", { "aria-live": "polite" });
  parts.more = more();
  parts.tabs = ["players", "rules"].map(
    (tab) => button(t(tab), () => turn(tab), "button.tab"),
  );
  openDialog("new-game", t("new_game"), [
    el("div.tabs", {}, parts.tabs, button(t("lessons.menu"), openLearn, "button.learn-link")),
    parts.body,
    el("footer", {}, parts.difficulty, leavingButton(t("deal"), deal)),
  ], { spec: "wide" });
  turn("players");
  showDifficulty();
  fetchRecord();
  pickOpponents();
}

// Begin with the last game, rotated so that the person sits South.
function begin() {
  const { hello } = state;
  const last = hello.last ?? {};
  const rotated = last.bots && [...last.bots.slice(last.seat), ...last.bots.slice(0, last.seat)];
  const known = new Set(hello.roster.map((one) => one.key));
  const usual = state.view?.seats.map((seat) => seat.bot.agent) ?? [];
  const wanted = rotated ?? (usual.every((bot) => known.has(bot)) && usual.length ? usual : []);
  const bots = PLACES.map((_, i) => (known.has(wanted[i]) ? wanted[i] : hello.adviser.key));
  const text = last.rules ?? state.view?.rules.text ?? hello.presets[0].text;
  const ready = [...hello.presets, ...hello.variants].find((one) => one.text === text);
  if (!ready) takeRules(ask("rules", { text }));
  return { rules: ready ?? hello.presets[0], bots, seconds: last.move_seconds ?? null, fair: last.fair ?? false };
}

function turn(tab) {
  draft.tab = tab;
  parts.tabs.forEach((node, i) => give(node, "aria-pressed", String(["players", "rules"][i] === tab)));
  show();
}

function show() {
  if (draft.tab === "players") drawPlayers(parts.body, draft, chosen);
  else drawRules(parts.body, draft, takeRules);
  if (draft.tab === "rules") parts.body.append(parts.more);
}

// Take a choice: a bot for a place, another place, or a fair fight.
function chosen(changes) {
  const picksAgain = draft.fair || changes.fair;
  Object.assign(draft, changes);
  show();
  showDifficulty();
  if (picksAgain && (changes.bots || changes.fair)) pickOpponents();
}

// Let the server pick the opponents of a fair fight; it says why where it does not.
async function pickOpponents() {
  const asked = draft;
  const fight = await attempt(() => ask("fair", { rules: asked.rules.text, bots: asked.bots, seat: 0 }));
  if (!fight || draft !== asked) return;
  draft.fight = fight;
  if (draft.fair) draft.bots = fight.bots;
  if (draft.tab === "players") show();
  showDifficulty();
}

// Wait for rules from the server and show them, or its refusal.
async function takeRules(answer) {
  hush();
  const rules = await attempt(() => answer);
  if (!draft) return;
  draft.rules = rules ?? draft.rules;
  show();
  if (!rules) return;
  showDifficulty();
  pickOpponents();
}

async function showDifficulty() {
  try {
    const found = await ask("difficulty", { rules: draft.rules.text, bots: draft.bots, seat: 0 });
    draft.difficulty = found.difficulty;
    difficultyBar(parts.difficulty, found);
  } catch (error) {
    put(parts.difficulty, error.message);
  }
}

async function fetchRecord() {
  try {
    draft.record = (await ask("statistics")).statistics;
    if (draft.tab === "players") show();
  } catch {
    // The characters are shown without the person's record.
  }
}

// Options that few people want: a time limit for moves, chosen cards.
function more() {
  const seconds = numberInput(1, 3600, draft.seconds ?? "", t("new.no_limit"));
  seconds.addEventListener("change", () => Object.assign(draft, { seconds: Number(seconds.value) || null }));
  const seed = el("input", { type: "text", inputmode: "numeric", maxlength: 19, autocomplete: "off" });
  seed.addEventListener("input", () => {
    seed.value = seed.value.replace(/\D/g, "");
    draft.seed = seed.value || null;
  });
  const deal = el("input", { type: "text", maxlength: 400, autocomplete: "off" });
  deal.placeholder = "2C 5C … | … | … | …";
  deal.addEventListener("input", () => Object.assign(draft, { deal: deal.value.trim() || null }));
  return el("details.group", {}, el("summary", {}, t("new.more")), [
    field(t("new.seconds"), seconds),
    field(t("new.seed"), seed),
    field(t("new.deal"), deal),
    el("p.quiet", {}, t("new.not_counted")),
  ]);
}

function deal() {
  const { rules, bots, seconds, fair, seed, deal } = draft;
  const chosen = { rules: rules.text, bots, seat: 0, move_seconds: seconds, fair };
  if (seed) chosen.seed = seed;
  if (deal) chosen.deal = deal;
  start(chosen, closeDialog);
}

// Start a game, and remember how it was set up.
const start = (chosen, begun = () => {}) => attempt(async () => {
  await ask("new", chosen);
  begun();
  focusNext();
  const { seed, deal, ...last } = chosen; // the next game has other cards
  state.hello.last = last;
});

// Start a game like the last one that was set up; without one, choose.
export async function nextGame() {
  const { last } = state.hello;
  if (!last) return openNewGame();
  try {
    await ask("new", last);
    focusNext();
  } catch {
    openNewGame(); // a bot of that game may be gone
  }
}

// Start another game with the same players, rules and time for a move.
export function rematch(view) {
  const bots = PLACES.map((seat) => view.seats.find((one) => one.seat === seat).bot.agent);
  const fair = state.hello.last?.fair ?? false;
  start({ rules: view.rules.text, bots, seat: view.seat, move_seconds: view.clock.per_move ?? null, fair });
}
