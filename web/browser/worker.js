// The server of the page, in Python. One tab at a time has it: the others wait until that one is closed.

import { boot, HOME } from "./boot.js";
import { allFiles, keep } from "./kept.js";
import { loadPyodide } from "./pyodide/pyodide.mjs";

const UNREACHABLE = 40; // the number of "Network unreachable"
const at = (name) => new URL(name, import.meta.url).href;
let line = null;

// Count what comes, to show how far it is. A copy is counted, so that the browser keeps the compiled code.
const plainFetch = globalThis.fetch;
globalThis.fetch = async (...request) => {
  const answer = await plainFetch(...request);
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`);
  count(answer.clone().body.getReader());
  return answer;
};

async function count(reader) {
  for (let part = await reader.read(); !part.done; part = await reader.read()) postMessage({ bytes: part.value.length });
}

async function start() {
  const archive = fetch(at("app.zip")).then((answer) => answer.arrayBuffer());
  const levels = fetch(at("levels.json")).then((answer) => answer.json());
  const py = await boot(loadPyodide, at("pyodide/"), await archive);
  globalThis.fetch = plainFetch;
  for (const [name, size] of Object.entries(await levels)) addLevel(py.FS, name, size);
  py.FS.mkdirTree("/data/levels");
  for (const [name, content] of await allFiles()) py.FS.writeFile(`/data/${name}`, content);
  return py.pyimport("spades_page").started(keep);
}

// A level's file has its size at once, and its content when it is first read. Python gets an OSError if it can't be had.
function addLevel(files, name, size) {
  const node = files.create(`${HOME}/agents/levels/${name}`, 0o444);
  const { read } = node.stream_ops;
  node.usedBytes = size;
  node.stream_ops = {
    ...node.stream_ops,
    read(...given) {
      node.contents = fetched(`levels/${name}`, files);
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
  if (request.status !== 200) throw new files.ErrnoError(UNREACHABLE);
  return new Uint8Array(request.response);
}

// The lock is held until the worker ends.
const server = new Promise((done, failed) => {
  navigator.locks.query().then(({ held }) => held.some(({ name }) => name === "spades") && postMessage({ waiting: true }));
  navigator.locks.request("spades", () => start().then(done, failed).then(() => new Promise(() => {})));
});
server.catch((error) => postMessage({ failed: String(error.message ?? error) }));

const requests = {
  open: (page) => {
    line?.hang_up();
    line = page.connect((text) => postMessage({ text }));
    postMessage({ ready: true });
  },
  text: (page, text) => line.push(text),
  level: async (page, { name, content }) => postMessage({ done: await page.add_level(name, content) }),
  import: async (page, content) => postMessage({ done: await page.import_all(content) }),
  export: (page) => postMessage({ exported: page.export().toJs() }),
};

onmessage = async ({ data: { what, given } }) => {
  try {
    await requests[what](await server, given);
  } catch (error) {
    console.error(error);
    postMessage({ failed: "site.broken" });
  }
};
