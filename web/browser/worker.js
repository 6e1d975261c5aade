// The server of the page, in Python. One tab at a time has it: the others wait until that one is closed.

import { boot, HOME } from "./boot.js";
import { allFiles, bringBack, filesOfServer, keep, keepNothing, oldFiles, replaceAll, tryToKeep } from "./kept.js";
import { loadPyodide } from "./pyodide/pyodide.mjs";
import { zipped } from "./zip.js";

const [UNREACHABLE, STALE] = [40, 72]; // the numbers of "Network unreachable" and "Stale file handle"
const at = (name) => new URL(name, import.meta.url).href;
const CACHE = `spades ${at(".").split("/").at(-2)}`; // service.js calls it so
const friends = new Map(); // lines of guests, by number; null until they are let in
let line = null;
let giveUp = null; // ends the start where something can't be loaded: Pyodide would wait for ever

// The files that are kept can't be used.
class KeptError extends Error {}

// Count what comes, to show how far it is. A copy is counted, so that the browser keeps the compiled code.
const plainFetch = globalThis.fetch;
globalThis.fetch = async (...request) => {
  try {
    const answer = await plainFetch(...request);
    if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`);
    count(answer.clone().body.getReader()).catch(giveUp);
    return answer;
  } catch (error) {
    giveUp(error);
    throw error;
  }
};

async function count(reader) {
  for (let part = await reader.read(); !part.done; part = await reader.read()) postMessage({ bytes: part.value.length });
}

async function start() {
  const archive = fetch(at("app.zip")).then((answer) => answer.arrayBuffer());
  const weights = fetch(at("weights.json")).then((answer) => answer.json());
  const files = keptFiles();
  const sizes = await weights;
  const py = await boot(loadPyodide, at("pyodide/"), await archive, Object.keys(sizes));
  globalThis.fetch = plainFetch;
  for (const [name, size] of Object.entries(sizes)) addWeights(py.FS, name, size);
  py.FS.mkdirTree("/data/levels");
  return opened(py, await files);
}

// All that is kept. Where nothing can be, the page is told, and the games are in memory alone.
async function keptFiles() {
  try {
    const files = await filesOfServer();
    if (!files.length) await tryToKeep();
    return files;
  } catch (error) {
    keepNothing();
    postMessage({ unkept: String(error) });
    return [];
  }
}

const whyNot = (error) => (error.name === "QuotaExceededError" ? error.name : String(error));

function opened(py, files) {
  try {
    for (const [name, content] of files) py.FS.writeFile(`/data/${name}`, content);
    const change = (act) => (changes) => act(changes).then(() => "", whyNot);
    const exchange = (given) => (given.length ? replaceAll(given) : bringBack());
    const page = py.pyimport("web.browser.spades_page").started(change(keep), change(exchange));
    if (typeof page !== "string") return page;
    throw new KeptError(page);
  } catch (error) {
    console.warn(error);
    const Kind = files.length ? KeptError : Error;
    throw new Kind(error.message.trim().split("\n").at(-1)); // the last line of Python's traceback
  }
}

// A file of weights has its size at once, its content when it is first read. Python gets an OSError if it can't be had.
function addWeights(files, name, size) {
  const node = files.create(`${HOME}/agents/${name}`, 0o444);
  const { read } = node.stream_ops;
  node.usedBytes = size;
  node.stream_ops = {
    ...node.stream_ops,
    read(...given) {
      node.contents = fetched(`weights/${name}`, files);
      node.stream_ops.read = read;
      return read(...given);
    },
  };
}

function fetched(name, files) {
  const request = new XMLHttpRequest();
  request.open("GET", at(name), false);
  request.responseType = "arraybuffer";
  try {
    request.send();
  } catch {} // there is no network: the status is 0
  if (request.status === 200) {
    keepWeights(at(name), request.response).catch(() => {}); // there may be no space
    return new Uint8Array(request.response);
  }
  if (!request.status) throw new files.ErrnoError(UNREACHABLE);
  postMessage({ outdated: true }); // the host has the files of another version
  throw new files.ErrnoError(STALE);
}

// At the first visit there is no service worker yet that would do it.
const keepWeights = async (url, content) => (await caches.open(CACHE)).put(url, new Response(content));

// The lock is held until the worker ends. A browser that keeps nothing for the page may refuse it.
const server = new Promise((done, failed) => {
  giveUp = failed;
  const begin = () => start().then(done, failed);
  navigator.locks.query().then(({ held }) => held.some(({ name }) => name === "spades") && postMessage({ waiting: true }))
    .catch(() => {});
  navigator.locks.request("spades", () => begin().then(() => new Promise(() => {}))).catch(begin);
});
server.catch((error) => postMessage({ failed: { why: error.message, ofKept: error instanceof KeptError } }));

const requests = {
  open: async (page, language) => {
    const old = await oldFiles();
    line?.hang_up();
    line = page.connect((text) => postMessage({ text }), language);
    postMessage({ ready: { old: old.length > 0, limits: page.limits } });
  },
  text: (page, text) => line.push(text),
  admit: async (page, { number, code, cookie, language }) => {
    friends.set(number, null);
    const tell = (kind, what) => postMessage({ friend: { number, kind, what } });
    const friend = (await page.admit(code, cookie, language, tell)) ?? null;
    if (friends.has(number)) friends.set(number, friend);
    else friend?.hang_up();
  },
  said: async (page, { number, text }) => friends.get(number)?.push(text),
  signOut: async (page, number) => friends.get(number)?.sign_out(),
  gone: async (page, number) => {
    friends.get(number)?.hang_up();
    friends.delete(number);
  },
  level: async (page, { name, content }) => postMessage({ done: await page.add_level(name, content) }),
  import: async (page, content) => postMessage({ done: await page.import_all(content) }),
  back: async (page) => postMessage({ done: await page.bring_back() }),
  export: async () => postMessage({ exported: await zipped(await allFiles()) }),
};

onmessage = async ({ data: { what, given } }) => {
  const page = await server.catch(() => null);
  if (!page) return; // the page shows why
  try {
    await requests[what](page, given);
  } catch (error) {
    console.error(error);
    postMessage({ broken: error.message });
  }
};
