// The host's side of a table among friends: their connections end here, and the worker's server does the rest.
//
// A guest is nobody until the server has let them in, by the code of a link or by a cookie. Then both sides agree on how
// each reaches the other again (`spare`), so that either page may be loaded again.

import { recall, remember } from "../kept.js";
import { dial, fingerprintOf, listen, newCertificate, spares, unpacked } from "./peers.js";

const [CALLS, CALLING] = [20, 6000]; // how often a guest is called after a reload, and milliseconds for each call
const RARELY = 60_000; // milliseconds between later calls
const LASTING = 7 * 24 * 3600 * 1000; // milliseconds after which a guest's page is given up
const COMING = 20_000; // milliseconds for a guest to come who was let in
const PARTING = 500; // milliseconds to hear why a connection ends
const PART = 60_000; // characters: browsers take no message of more than 256 kB
const UNREAD = 8 << 20; // bytes that may wait for a guest who reads slowly
const FOR_GOOD = 4000; // from here on, why a guest's connection was ended says that they are no guest any more
const CERTIFICATE = "host/certificate";
const GUEST = "host/guest/"; // and the guest's name in the sessions: the ways to reach their page

// send: to the worker
export function makeHost(send) {
  const guests = new Map(); // by number: {end, asked, guest, part}; asked: to be let in
  const nexts = new Map(); // by certificate: the ends that a guest may dial, see `spares`
  const offers = new Map(); // by name: who waits for an answer
  const listeners = new Set();
  let last = 0;
  let limits = [];
  let certificate = null;

  // The server is there; most: what a guest may send.
  async function begin(most) {
    if (certificate) return;
    limits = most;
    certificate = ownCertificate();
    for (const [name, ways] of await recall(GUEST)) {
      if (ways[0]?.reportedAt > Date.now() - LASTING) callBack(name);
      else remember(name);
    }
  }

  // Reach a guest's page that stayed open while this one was not. It may sleep, so it is called for as long as this one
  // is open, and often again when the network is back.
  async function callBack(name) {
    for (let i = 0; ; i += 1) {
      const [[, ways] = []] = await recall(name);
      if (!ways?.length || [...guests.values()].some(({ guest }) => GUEST + guest === name)) return undefined;
      const { text, secrets } = ways[i % ways.length];
      const end = await dial(await certificate, text, secrets).catch(() => null);
      if (end && await within(CALLING, end.opened)) return meet(end);
      end?.close();
      if (i >= CALLS && await within(RARELY, online())) i = 0;
    }
  }

  function meet(end) {
    const number = ++last;
    const mayCome = allowance(limits);
    const one = { end, asked: false, guest: null, part };
    guests.set(number, one);
    function part() {
      if (guests.delete(number)) send("gone", number);
      end.close();
    }
    const taking = (act) => ({ data }) => (mayCome(data) ? act(data) : part());
    end.hear(taking((text) => send("said", { number, text })), taking((text) => hear(number, one, text)));
    end.lost.then(part);
  }

  function hear(number, one, text) {
    try {
      const { code, cookie, language, ways, leave } = JSON.parse(text);
      if (code && !one.asked) send("admit", { number, code, cookie, language });
      one.asked ||= Boolean(code);
      if (ways && one.guest) remember(GUEST + one.guest, ways.map(checked));
      if (leave) send("signOut", number);
    } catch {
      one.part();
    }
  }

  // What the server says to a guest. kind: for their page (talk), for the table, or the end
  function tell({ number, kind, what }) {
    const one = guests.get(number);
    if (!one) return;
    if (one.end.table.readyState !== "open" || one.end.table.bufferedAmount > UNREAD) {
      one.part();
    } else if (kind === "closed") {
      one.end.talk.send(JSON.stringify({ closed: what }));
      if (what >= FOR_GOOD) forget(one);
      setTimeout(one.part, PARTING);
    } else if (kind === "talk") {
      one.end.talk.send(what);
      const { cookie } = JSON.parse(what);
      if (cookie) welcome(one, cookie.split(".")[0]);
    } else {
      for (let from = 0; from < what.length; from += PART) {
        const sign = from + PART < what.length ? "+" : ".";
        one.end.table.send(sign + what.slice(from, from + PART));
      }
    }
  }

  // Agree with a guest how to reach each other when this connection is lost.
  async function welcome(one, guest) {
    one.guest = guest;
    listeners.forEach((heard) => heard());
    const key = fingerprintOf(one.end);
    if (!nexts.has(key)) nexts.set(key, new Map());
    await spares(await certificate, one.end, nexts.get(key), meet);
  }

  function forget({ end, guest }) {
    const key = fingerprintOf(end);
    nexts.get(key)?.forEach((_, next) => next.close());
    nexts.delete(key);
    remember(GUEST + guest);
  }

  // A link's second part, for one guest. The latest one is given again until it is answered or another is asked for.
  async function offer(another) {
    const waiting = [...offers.values()].at(-1);
    if (waiting && !another) return waiting.text;
    const end = await listen(await certificate);
    offers.set(unpacked(end.text).name, end);
    return end.text;
  }

  // Take a guest's answer, "NAME.TEXT"; returns the key of what is to be said about it.
  async function answer(words) {
    try {
      const [name, text] = words.trim().split("=").at(-1).split(".");
      const parts = unpacked(text);
      const end = offers.get(name);
      if (!end) return "friends.old_answer";
      offers.delete(name);
      await end.met(parts);
      if (!await within(COMING, end.opened)) return (end.close(), "friends.unreached");
      meet(end);
      return "friends.arrived";
    } catch {
      return "friends.no_answer";
    }
  }

  const onArrival = (heard) => listeners.add(heard);
  const hasBegun = () => certificate !== null;
  return { begin, hasBegun, tell, offer, answer, onArrival };
}

async function ownCertificate() {
  const [[, kept] = []] = await recall(CERTIFICATE);
  if (kept?.expires > Date.now()) return kept;
  const fresh = await newCertificate();
  await remember(CERTIFICATE, fresh);
  return fresh;
}

// A way to dial that a guest has sent; an error where it is none.
function checked({ text, secrets: { name, secret } }) {
  unpacked(text);
  return { text, secrets: { name: String(name), secret: String(secret) }, reportedAt: Date.now() };
}

const online = () => new Promise((done) => {
  addEventListener("online", done, { once: true, signal: AbortSignal.timeout(RARELY) });
});

// Did it happen in time?
const within = (wait, event) =>
  Promise.race([event.then(() => true), new Promise((done) => { setTimeout(done, wait, false); })]);

// May one more message come? The server counts in the same way; this keeps what waits for it short.
function allowance([longest, rate, burst]) {
  let [left, at] = [burst, performance.now()];
  return (message) => {
    const now = performance.now();
    left = Math.min(burst, left + ((now - at) / 1000) * rate) - 1;
    at = now;
    return (message.length ?? message.byteLength ?? message.size) <= longest && left >= 0;
  };
}
