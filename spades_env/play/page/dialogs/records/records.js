// The saved games: to continue, to review, to copy as text or as a link; and the import of games.

import { ask, ofLine } from "../../connection.js";
import { closeDialog, openDialog, refill, sureButton } from "../dialog.js";
import { button, el } from "../../dom.js";
import { face } from "../../art/faces.js";
import { focusNext } from "../../table/focus.js";
import { packed, unpacked } from "./packing.js";
import { askReview, openReview } from "./review.js";
import { attempt, hush, notice } from "../../speech.js";
import { change, markEndSeen, state } from "../../state.js";
import { language, t } from "../../texts.js";

const LINK = "#record=";
const SHOWN = 60; // games in the list

export function openRecords() {
  openDialog("records", t("menu.games"), el("p", {}, "…"), { spec: "wide" });
  show();
}

const show = () => attempt(async () => {
  const { sittings } = await ask("sittings");
  const latest = t("games.latest", { shown: SHOWN, all: sittings.length });
  const more = sittings.length > SHOWN && el("p.quiet", {}, latest);
  refill("records", el("ul.games", {}, sittings.slice(0, SHOWN).map(row)), more, importing());
});

function row(one) {
  const here = state.view?.key === one.key;
  const date = one.changed
    ? new Date(one.changed).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" })
    : t("games.no_time");
  return el("li", {}, [
    el("span.faces", {}, facesOf(one)),
    el("div", {}, [
      el("b", {}, one.title),
      el("small", {}, here ? t("games.here", { result: one.result }) : one.result),
      el("small", {}, date),
    ]),
    el("div.row", {}, buttonsFor(one, here)),
  ]);
}

// The person's face first, then clockwise.
function facesOf({ seats, seat }) {
  const around = [...seats.slice(seat ?? 0), ...seats.slice(0, seat ?? 0)];
  return around.map(({ who, person }) => el("span.face.tiny", { title: who }, face(who, person)));
}

function buttonsFor(one, here) {
  const open = async (key) => {
    await ask("open", { key });
    closeDialog();
    focusNext();
  };
  return [
    one.state === "open" && !here && button(t("games.resume"), guarded(() => open(one.key))),
    one.state === "open" && !here && givingUp(one),
    one.played && button(t("review"), () => askReview(one.key, one.unsettled, openRecords)),
    one.state === "over" && button(t("games.copy_text"), () => copyRecord(one.key)),
    one.state === "over" && button(t("games.save"), guarded(() => saveFile(one.key))),
    one.state === "over" && ofLine("open") && button(t("games.copy_link"), guarded(() => copyLink(one.key))),
  ].filter(Boolean);
}

// A button's action that shows a refusal of the server.
const guarded = (act) => () => {
  hush();
  return attempt(act);
};

const givingUp = ({ key, forfeit }) =>
  sureButton(t("games.abandon"), t(forfeit ? "games.sure_loss" : "games.sure"), guarded(() => giveUp(key)));

async function giveUp(key) {
  await ask("give_up", { key });
  await show();
}

const textOf = async (key) => (await ask("text", { key })).text;

export const copyRecord = (key) => guarded(async () => copyText(await textOf(key)))();

// Everybody can open such a link, but only where there is no server: at one, only its owner may.
async function copyLink(key) {
  const link = `${location.origin}${location.pathname}${LINK}${await packed(await textOf(key))}`;
  await copyText(link);
}

export async function copyText(text, done = t("copied")) {
  try {
    await navigator.clipboard.writeText(text);
    notice(done);
  } catch {
    offer(text);
  }
}

// Show the text to be copied by hand, since browsers forbid copying over plain HTTP from another machine.
function offer(text) {
  const area = el("textarea", { rows: 5, readonly: "", spellcheck: "false", value: text });
  document.getElementById("to-copy")?.remove();
  const labelled = el("label.field", { id: "to-copy" }, el("span", {}, t("games.by_hand")), area);
  document.querySelector("dialog .body")?.prepend(labelled);
  area.select();
  area.focus();
  notice(t("copy_by_key"));
}

async function saveFile(key) {
  const link = el("a", { href: URL.createObjectURL(new Blob([await textOf(key)], { type: "text/plain" })) });
  link.download = `spades-${key}.txt`;
  link.click();
  URL.revokeObjectURL(link.href);
}

function importing() {
  const area = el("textarea", { rows: 5, id: "import", spellcheck: "false" });
  const file = el("input", { type: "file", accept: "text/plain,.txt" });
  file.addEventListener("change", guarded(async () => {
    area.value = await file.files[0].text();
  }));
  return el("section.import", {}, [
    el("h3", {}, t("import.title")),
    el("label.field", {}, el("span", {}, t("import.text")), area),
    el("label.field", {}, el("span", {}, t("import.file")), file),
    button(t("import.look"), guarded(() => look(area.value)), "button.strong"),
  ]);
}

// Import a game, which the server opens. When its review is closed, go back to the table that was open before.
async function look(text) {
  const home = state.key;
  change({ importing: true }); // so that its end is not shown
  try {
    const { key } = await ask("import", { text });
    markEndSeen(key);
    await openReview(key, null, () => goBack(home));
  } finally {
    change({ importing: false });
  }
}

// The server has forgotten a table on which nothing was done, and has another one ready.
function goBack(key) {
  ask("open", { key }).catch(() => location.reload());
}

// A link holds a game in its fragment, which browsers do not send to the server.
export async function openLink() {
  if (!location.hash.startsWith(LINK)) return;
  const word = location.hash.slice(LINK.length);
  history.replaceState(null, "", location.pathname);
  try {
    await look(await unpacked(word));
  } catch (error) {
    notice(error instanceof DOMException || error instanceof TypeError ? t("link.no_game") : error.message);
  }
}

addEventListener("hashchange", openLink);
