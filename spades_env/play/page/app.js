// Starts the page: builds the table once, then draws what changes. Read this module first.
//
//     connection.js  ⇄ server            state.js   all that is known    keys.js     the keyboard
//     queue.js       views, one by one   table/     draws the table      speech.js   for screen readers
//     moves.js       the person's moves  dialogs/   everything else      settings.js how it looks and behaves
//     learn/         tutorial and drills                                 sound.js    for the ears

import { drawBar, buildBar } from "./table/bar.js";
import { ask, connect, ofLine } from "./connection.js";
import { closeDialog } from "./dialogs/dialog.js";
import { put } from "./dom.js";
import { refreshEnd, showEnd } from "./dialogs/game/end.js";
import { listenToKeys } from "./keys.js";
import { drawLobby } from "./dialogs/people/lobby.js";
import { openMenu } from "./dialogs/menu.js";
import { openNewGame } from "./dialogs/game/new_game.js";
import { buildOffer, drawOffer } from "./learn/offer.js";
import { openPhrases } from "./dialogs/people/phrases.js";
import { forget, onShown, receive } from "./queue.js";
import { openLink } from "./dialogs/records/records.js";
import { askAgain, showGrades } from "./dialogs/records/review.js";
import { openScores } from "./dialogs/game/scores.js";
import { adopt, remembered, takeOver } from "./settings.js";
import { listen } from "./sound.js";
import { announce, checkNotice, notice, say } from "./speech.js";
import { change, onChange, positionOf, state } from "./state.js";
import { buildSoundOffer, drawSoundOffer } from "./table/sound_offer.js";
import { showPhrase } from "./table/bubbles.js";
import { buildTable, drawTable } from "./table/table.js";
import { buildUndo, drawUndo } from "./table/undo.js";
import { t } from "./texts.js";

const PATIENCE = 5; // tries to reconnect before the banner says more
const SOON = 1000; // milliseconds after which the banner says that the table is being opened
const OPENING = t("opening");
let expected = null; // the key of the table that was open when the connection was lost
let before = { key: null, takebacks: 0 }; // key and takebacks of the view that was shown last
let undone = null; // the position after the last takeback

adopt(remembered());
buildBar({ openMenu, openNewGame, openPhrases, openScores });
buildTable({ showEnd: () => showEnd(true) });
buildUndo();
buildOffer();
buildSoundOffer();
onChange(draw);
listenToKeys();
listen();
onShown((view) => {
  announce(view);
  ask("shown", { version: view.version }).catch(() => {});
  autoplay(view);
});
connect({ news, lost, putOut });
awaitTable();

function news(message) {
  if (message.hello) greet(message.hello);
  else if (message.view) showView(message);
  else if (message.lobby) showLobby(message);
  else if (message.grades) showGrades(message.grades);
  else if (message.news) notice(message.news);
  else if (message.said) showPhrase(message);
  else if (message.closed) notice(t("closed"));
  else if (message.error) notice(message.error);
}

function greet(hello) {
  banner(null);
  awaitTable();
  expected = state.key;
  change({ hello, online: true, busy: false });
  takeOver(hello);
  if (hello.faults.length) notice(hello.faults.map((one) => one.words).join(" "));
  askAgain();
  if (!expected || hello.guest) return;
  ask("open", { key: expected }).catch((error) => {
    expected = null;
    if (state.online) location.reload(); // to the table that the server has opened in its place
    notice(error.message);
  });
}

// After a lost connection, show the table that was open, not the one that the server opens by itself.
function isExpected(table) {
  if (expected && table !== expected && !state.hello.guest) return false;
  expected = null;
  return true;
}

function showView({ table, view }) {
  if (!isExpected(table)) return;
  if (state.key && state.key !== table) {
    forget();
    if (state.dialog === "end") closeDialog();
  }
  opened();
  receive(view);
  drawUndo();
  openLink();
}

function showLobby({ table, lobby }) {
  if (!isExpected(table)) return;
  opened();
  forget();
  change({ lobby, view: null, held: null, key: table });
}

// Say that the table is being opened, if it takes long.
function awaitTable() {
  setTimeout(() => state.view || state.lobby || banner(OPENING), SOON);
}

// Hide the banner about opening once the table is there.
function opened() {
  const node = document.getElementById("banner");
  if (node.textContent === OPENING) node.hidden = true;
}

function lost(tries) {
  change({ online: false });
  if (tries > 0 && ofLine("lost")) {
    banner(ofLine("lost"));
  } else if (tries >= PATIENCE) {
    banner(t("lost.long"));
  } else if (tries > 0) {
    banner(t("lost.short"));
  }
}

function putOut() {
  closeDialog();
  change({ online: false });
  banner(t("put_out"));
}

function banner(words) {
  const node = document.getElementById("banner");
  const shown = node.hidden ? null : node.textContent;
  node.hidden = !words;
  if (words) put(node, words);
  if (words !== shown && (words || shown !== OPENING)) say(words ?? t("lost.back"));
}

function draw() {
  checkNotice();
  drawTitle();
  drawBar();
  drawLobby();
  drawUndo();
  drawOffer();
  drawSoundOffer();
  if (state.view) drawTable();
  if (state.view?.outcome && !state.held) showEnd();
  if (state.view?.outcome) refreshEnd();
}

// A tab in the background shows whose turn it is.
function drawTitle() {
  const title = state.online && state.view?.your_turn && !state.held ? t("tab.yours") : t("tab.other");
  if (document.title !== title) document.title = title;
}

// Play the only card allowed, if the settings say so; not after a takeback, since the person may take back more.
function autoplay(view) {
  if (view.key === before.key && view.help.takebacks > before.takebacks) undone = positionOf(view);
  before = { key: view.key, takebacks: view.help.takebacks };
  if (positionOf(view) === undone) return;
  const wait = Math.max(400, state.settings.botPause * 1000);
  if (!state.settings.autoplay || !view.your_turn || view.phase !== "play" || view.legal.length !== 1) return;
  setTimeout(() => {
    if (state.view === view && !state.busy) ask(
      "act",
      { action: view.legal[0], version: view.version },
    ).catch(() => {});
  }, wait);
}
