// A guest's page has no server of its own: its line leads to the host's tab, whose link is in the address.
//
// The first time the host has to be given an answer by hand. From then on both pages know how to reach each other again,
// for as long as one of them stays open.

import { recall, remember } from "../kept.js";
import { LINK, shown } from "./links.js";
import { useLine } from "../page/connection.js";
import { button, el } from "../page/dom.js";
import { language, t } from "../page/texts.js";
import { dial, newCertificate, newSecrets, spares, unpacked } from "./peers.js";

const DIALLING = 4000; // milliseconds
const [GOING_ON, SIGNED_OUT, PUT_OUT] = [1001, 4001, 4002]; // why the server closes a connection
const [code, text] = location.hash.slice(LINK.length).split(".");
const name = `guest/${code}`;
const loading = document.getElementById("loading");
const [words, progress] = [loading.querySelector("p"), loading.querySelector("progress")];

let record = null; // what this browser knows of the table: {certificate, secrets, cookie, ways, answered}
let current = null; // the connection to the host: {end, waiting, …}; waiting: messages for a page that isn't there yet
let socket = null; // what the page takes for a WebSocket
const own = new Map(); // the ends that the host may dial, see `spares`
let tried = 0; // ways to dial; each works once
let started = false;
let over = false;

const keep = () => remember(name, record);

async function start() {
  words.textContent = t("friends.connecting");
  progress.hidden = true;
  try {
    unpacked(text);
  } catch {
    return fail(t("friends.bad_link"));
  }
  await alone();
  record = (await recall(name))[0]?.[1] ?? {};
  if (!(record.certificate?.expires > Date.now())) {
    record = { cookie: record.cookie, certificate: await newCertificate(), secrets: newSecrets() };
  }
  record.ways ??= [{ text, secrets: record.secrets }];
  record.answered ??= [];
  await keep();
  if (record.answered.includes(text)) return run();
  return network().then(showAnswer);
}

// A table is open in one tab of a browser.
async function alone() {
  const busy = setTimeout(() => { words.textContent = t("site.elsewhere"); }, 1000);
  await new Promise((done) => {
    navigator.locks.request(name, () => (done(), new Promise(() => {}))).catch(done);
  });
  clearTimeout(busy);
}

// Without a network this page has no address to put into an answer.
async function network() {
  if (navigator.onLine) return;
  words.textContent = t("friends.offline");
  await new Promise((done) => addEventListener("online", done, { once: true }));
  words.textContent = t("friends.connecting");
}

// Show what the host needs to know of this page, and dial until they do.
async function showAnswer() {
  let box = null;
  while (!current) {
    const end = await dial(record.certificate, text, record.secrets);
    if (!box) {
      const answer = `${location.origin}${location.pathname}#answer=${unpacked(text).name}.${await end.answer()}`;
      box = show(t("friends.joining"), [
        el("p", {}, t("friends.send")),
        el("div.link", {}, shown(t("friends.answer"), answer)),
        el("p.quiet", {}, t("friends.keep_open")),
        el("p.quiet", {}, t("friends.trust_host")),
      ]);
    }
    await Promise.race([end.opened.then(() => meet(end)), end.lost]);
    if (!current) end.close();
  }
}

function show(title, nodes) {
  loading.hidden = true;
  const node = el("dialog.recovery.invite", { "aria-labelledby": "friends-title" }, [
    el("header", {}, el("h2", { id: "friends-title", tabindex: "-1" }, title)),
    el("div.body", {}, el("div", {}, nodes)),
  ]);
  node.addEventListener("cancel", (event) => event.preventDefault());
  node.addEventListener("close", () => node.isConnected && node.showModal()); // by a second Escape
  document.querySelector(".recovery")?.remove();
  document.body.append(node);
  node.showModal();
  node.querySelector("h2").focus();
  return node;
}

const fail = (why) => show(t("friends.cant_join"), [
  el("p", { role: "alert" }, why),
  el("div.row", {}, button(t("site.try_again"), () => location.reload())),
]);

// Two ends are open now; the host learns who this is.
function meet(end) {
  if (current) part(current);
  const mine = { end, waiting: [], code: GOING_ON, admitted: false };
  let parts = "";
  current = mine;
  const take = ({ data }) => {
    parts += data.slice(1);
    if (data[0] === "+") return;
    mine.waiting.push(parts);
    parts = "";
    pass();
  };
  end.hear(take, ({ data }) => hear(mine, JSON.parse(data)));
  end.lost.then(() => part(mine));
  end.talk.send(JSON.stringify({ code, language, cookie: record.cookie ?? null }));
}

function hear(mine, { cookie, ways, refused, closed }) {
  if (cookie) settle(mine, cookie);
  if (ways) learn(ways);
  if (refused) refuse(mine, refused);
  if (closed) mine.code = closed;
  if ([SIGNED_OUT, PUT_OUT].includes(closed)) remember(name).then(() => mine.end.close());
}

// How the host can be reached from now on. No answer is needed any more, even if an older link is opened.
function learn(ways) {
  Object.assign(record, { ways, answered: [...new Set([...record.answered, text])] });
  keep();
}

async function settle(mine, cookie) {
  Object.assign(record, { cookie });
  mine.admitted = true;
  if (!started) run();
  else attach();
  keep();
  await spares(record.certificate, mine.end, own, meet);
}

// There is no way to this table any more.
function refuse(mine, why) {
  remember(name);
  over = true;
  mine.end.close();
  fail(why);
}

function part(mine) {
  mine.end.close();
  if (current !== mine) return;
  current = null;
  const gone = socket;
  socket = null;
  gone?.leave(mine.code);
  if (!started && !over) fail(t("friends.lost"));
}

// The page starts when there is a connection, or when there was one before.
async function run() {
  started = true;
  document.querySelector(".recovery")?.remove();
  loading.hidden = true;
  useLine({ open, entries: [[t("sign_out.guest"), askToLeave]], lost: t("friends.lost") });
  await import("../page/app.js");
}

async function askToLeave() {
  const { openSignOut } = await import("../page/dialogs/sign_out.js");
  openSignOut(leave, true);
}

function leave() {
  if (current?.end.talk.readyState !== "open") throw new Error(t("unreachable"));
  history.replaceState(null, "", location.pathname);
  current.end.talk.send(JSON.stringify({ leave: true }));
}

// What a WebSocket is to the page. Each needs a connection of its own.
function open() {
  const mine = {
    readyState: WebSocket.CONNECTING,
    send: (message) => {
      if (current?.end.table.readyState === "open") current.end.table.send(message);
      else if (current) part(current);
    },
    close: () => {
      mine.readyState = WebSocket.CLOSED;
      if (socket !== mine) return;
      socket = null;
      current?.end.close();
    },
    leave: (why) => {
      mine.readyState = WebSocket.CLOSED;
      mine.onclose?.({ code: why });
    },
  };
  socket = mine;
  if (current) attach();
  else if (!over) reach(mine);
  return mine;
}

async function reach(mine) {
  const way = record.ways[tried++ % record.ways.length];
  const end = await dial(record.certificate, way.text, way.secrets).catch(() => null);
  const opened = end && await Promise.race([
    end.opened.then(() => true),
    end.lost,
    new Promise((done) => { setTimeout(done, DIALLING); }),
  ]);
  if (opened && !current) return meet(end);
  end?.close();
  if (!current && socket === mine) mine.leave(GOING_ON);
  return undefined;
}

function attach() {
  if (!socket || !current?.admitted) return;
  socket.readyState = WebSocket.OPEN;
  queueMicrotask(pass);
}

function pass() {
  while (socket?.onmessage && socket.readyState === WebSocket.OPEN && current?.waiting.length) {
    socket.onmessage({ data: current.waiting.shift() });
  }
}

addEventListener("pagehide", () => current?.end.close());
await start();
