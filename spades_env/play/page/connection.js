// The WebSocket: requests with their answers, news from the server, and a new connection when the old one is lost.
//
// A connection can be dead without being closed. So quick requests have a time limit, after which the connection counts
// as lost. Requests are answered in their order, except for those in BACKGROUND.

import { language, t } from "./texts.js";

const WAITS = [200, 400, 800, 1500, 3000]; // milliseconds before the next try
const PATIENCE = 10_000; // milliseconds to wait for an answer, or for a connection
const MORE_PATIENCE = 60_000; // the same while the server sends something, or may be loading a bot
const QUICK = ["act", "takeback", "claim", "hint", "shown"];
const BACKGROUND = ["grades", "compare", "deals", "drill", "answer_drill"];
const [SIGNED_OUT, PUT_OUT] = [4001, 4002]; // why the server closes a connection for good
const waiting = new Map(); // id → {what, asked, resolve, reject}: what was asked, when, and how to settle its promise
let socket = null;
let last = 0;
let heard = 0; // when the last message came
let tries = 0;
let handlers = {};
let line = null; // where there is no server to connect to

// Take another line than a WebSocket: {open, entries, invite, lost}. open() returns what can be used like a WebSocket;
// entries: those of the menu that come with it, [words, act]; invite(box, path, arrived) fills the dialog about others;
// lost: what is said when the line stays broken.
export function useLine(given) {
  line = given;
}

export const ofLine = (what) => line?.[what];

// handlers: news(message) for messages that answer no request, lost(tries) when the connection is lost,
// putOut() when the host has put this person out
export function connect(given) {
  handlers = given;
  if (!line) addEventListener("offline", hangUp);
  open();
}

// Ask the server. The promise resolves to its answer, or rejects with an Error in its words.
export function ask(what, fields = {}) {
  return new Promise((resolve, reject) => {
    if (socket?.readyState !== WebSocket.OPEN) {
      reject(new Error(t("unreachable")));
      return;
    }
    const id = ++last;
    waiting.set(id, { what, asked: performance.now(), resolve, reject });
    socket.send(JSON.stringify({ id, do: what, ...fields }));
    if (QUICK.includes(what)) expect(id);
  });
}

function open() {
  socket = line ? line.open() : new WebSocket(`${location.origin.replace("http", "ws")}/live?language=${language}`);
  socket.onmessage = (event) => receive(JSON.parse(event.data));
  socket.onclose = (event) => close(event?.code);
  const opening = socket;
  setTimeout(() => opening === socket && socket.readyState === WebSocket.CONNECTING && hangUp(), PATIENCE);
}

// The connection is closed: for good, or until the next try.
function close(code) {
  if (code === SIGNED_OUT) location.reload();
  else if (code === PUT_OUT) end();
  else lose();
}

// Close the connection if no answer comes in time.
function expect(id) {
  setTimeout(() => {
    if (!waiting.has(id)) return;
    if (mayTakeLonger(id)) expect(id);
    else hangUp();
  }, PATIENCE);
}

// Has a message come since the request was made, or does the request wait behind a slow one?
function mayTakeLonger(id) {
  const since = performance.now() - MORE_PATIENCE;
  const { asked } = waiting.get(id);
  const slow = (one) => one.asked > since && !QUICK.includes(one.what) && !BACKGROUND.includes(one.what);
  return (heard > asked && asked > since) || [...waiting].some(([other, one]) => other < id && slow(one));
}

// A dead connection takes a minute to close, so this does not wait for it.
function hangUp() {
  if (socket.readyState > WebSocket.OPEN) return;
  socket.onmessage = null;
  socket.onclose = null;
  socket.close();
  lose();
}

function receive(message) {
  tries = 0;
  heard = performance.now();
  if (message.re === undefined || message.re === null) handlers.news(message);
  else answer(message);
}

function answer(message) {
  const asked = waiting.get(message.re);
  waiting.delete(message.re);
  if (!asked) return;
  if (message.error) asked.reject(new Error(message.error));
  else asked.resolve(message);
}

function end() {
  giveUp(t("put_out"));
  handlers.putOut();
}

function giveUp(words) {
  for (const { reject } of waiting.values()) reject(new Error(words));
  waiting.clear();
}

function lose() {
  giveUp(t("try_again"));
  handlers.lost(tries);
  setTimeout(open, WAITS[Math.min(tries, WAITS.length - 1)]);
  tries += 1;
}
