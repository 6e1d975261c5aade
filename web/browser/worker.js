// The server of the page, in Python. One tab at a time has it: the others wait until that one is closed.

import { boot, HOME } from "./boot.js";
import { allFiles, keep } from "./kept.js";
import { loadPyodide } from "./pyodide/pyodide.mjs";

const at = (name) => new URL(name, import.meta.url).href;
let line = null;

// Count what comes, to show how far it is. A copy is counted, so that the browser keeps the compiled code.
const plainFetch = globalThis.fetch;
globalThis.fetch = async (...request) => {
  const answer = await plainFetch(...request);
  if (!answer.ok) throw new Error(`${answer.url} is not there (${answer.status})`);
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
  for (const name of await levels) {
    py.FS.createLazyFile(`${HOME}/agents/levels`, name, at(`levels/${name}`), true, false); // fetched when it is read
  }
  py.FS.mkdirTree("/data/levels");
  for (const [name, content] of await allFiles()) py.FS.writeFile(`/data/${name}`, content);
  return py.pyimport("spades_page").started(keep);
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
    postMessage({ failed: "Something went wrong in the page's own server" });
  }
};
