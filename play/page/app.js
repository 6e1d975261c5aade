// Starts the page: builds the table once, then draws whatever changes. Who reads the code begins here.
//
//     connection.js  ⇄ server          state.js    all that is known          keys.js     the keyboard
//     queue.js       views, in time    table.js    draws the table            speech.js   what is said
//     deeds.js       moves of ours     dialog.js   everything beside the table

import { drawBar, buildBar } from "./bar.js";
import { ask, connect } from "./connection.js";
import { closeDialog } from "./dialog.js";
import { put } from "./dom.js";
import { showEnd } from "./end.js";
import { listenToKeys } from "./keys.js";
import { drawLobby } from "./lobby.js";
import { forget, onShown, receive } from "./queue.js";
import { openLink } from "./records.js";
import { askAgain, tellLosses } from "./review.js";
import { adopt, remembered, takeOver } from "./settings.js";
import { checkNotice, notice, say, tell } from "./speech.js";
import { change, onChange, positionOf, state } from "./state.js";
import { buildTable, drawTable } from "./table.js";
import { buildUndo, drawUndo } from "./undo.js";

const PATIENCE = 5; // tries after which the banner says more
const SOON = 1000; // milliseconds in which a table is there
const OPENING = "Opening the table…";
let expected = null; // the key of the table that is to come back
let before = { key: null, takebacks: 0 }; // of the view that was shown last
let undone = null; // the position that a takeback led to

adopt(remembered());
buildBar();
buildTable();
buildUndo();
onChange(draw);
listenToKeys();
onShown((view) => {
  tell(view);
  ask("shown", { version: view.version }).catch(() => {});
  autoplay(view);
});
connect({ news, lost });
awaitTable();

function news(message) {
  if (message.hello) greet(message.hello);
  else if (message.view) look(message);
  else if (message.lobby) stand(message);
  else if (message.losses) tellLosses(message.losses);
  else if (message.news) notice(message.news);
  else if (message.closed) notice("This game was given up");
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

// After the line was lost only the table that was open is of interest, not the one that the server would open.
function isExpected(table) {
  if (expected && table !== expected && !state.hello.guest) return false;
  expected = null;
  return true;
}

function look({ table, view }) {
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

function stand({ table, lobby }) {
  if (!isExpected(table)) return;
  opened();
  forget();
  change({ lobby, view: null, held: null, key: table });
}

// A page that waits says so.
function awaitTable() {
  setTimeout(() => state.view || state.lobby || banner(OPENING), SOON);
}

// The table is there: nobody waits for it any more.
function opened() {
  const node = document.getElementById("banner");
  if (node.textContent === OPENING) node.hidden = true;
}

function lost(tries) {
  change({ online: false });
  if (tries >= PATIENCE) {
    banner("The server does not answer. Is it running? If it was started anew, open the address that it printed.");
  } else if (tries > 0) {
    banner("The connection is lost. The table comes back by itself.");
  }
}

function banner(words) {
  const node = document.getElementById("banner");
  const shown = node.hidden ? null : node.textContent;
  node.hidden = !words;
  if (words) put(node, words);
  if (words !== shown) say(words ?? "The table is back");
}

function draw() {
  checkNotice();
  drawBar();
  drawLobby();
  drawUndo();
  if (state.view) drawTable();
  if (state.view?.outcome && !state.held) showEnd();
}

// A card that is the only one allowed goes by itself, if the settings say so; where a move was taken back, the person
// decides.
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
