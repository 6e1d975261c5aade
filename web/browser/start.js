// The table without a server to connect to: the page's line leads to a worker, in which the server runs.

import { useLine } from "./page/connection.js";
import { el } from "./page/dom.js";
import { notice } from "./page/speech.js";
import { decimal, t, translated } from "./page/texts.js";

const SIZE = 1; // of all that the worker counts, in bytes; the build writes it here
const loading = document.getElementById("loading");
const words = loading.querySelector("p");
const progress = loading.querySelector("progress");
const inMB = (bytes) => decimal(bytes / 1e6);
const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" }); // starts beside the page
let line = null;
let answered = null; // settles the question of a menu entry
let loaded = 0;

words.textContent = t("site.loading");
progress.setAttribute("aria-label", t("site.progress"));

const handlers = {
  bytes: (bytes) => {
    loaded += bytes;
    progress.value = loaded / SIZE;
    words.textContent = t("site.loaded", { loaded: inMB(loaded), size: inMB(SIZE) });
  },
  waiting: () => { words.textContent = t("site.elsewhere"); },
  ready: () => {
    loading.hidden = true;
    navigator.serviceWorker?.register("service.js").catch(() => {}); // what it keeps has just been fetched
    navigator.storage?.persist?.();
  },
  text: (text) => line?.onmessage?.({ data: text }),
  done: (answer) => answered(answer && translated(JSON.parse(answer)).error),
  exported: (content) => answered(content),
  failed: (why) => {
    loading.hidden = false;
    words.textContent = t("site.failed", { why: t(why) });
  },
};

worker.onmessage = ({ data }) => Object.entries(data).forEach(([name, value]) => handlers[name](value));
worker.onerror = (event) => handlers.failed(event.message);
const send = (what, given) => worker.postMessage({ what, given });

function ask(what, given) {
  send(what, given);
  return new Promise((done) => { answered = done; });
}

// What a WebSocket is to the page. Opening another one only begins a new conversation with the same server.
function open() {
  const mine = { readyState: WebSocket.OPEN, send: (text) => send("text", text), close() { mine.readyState = WebSocket.CLOSED; } };
  line = mine;
  send("open");
  return mine;
}

function choose(accept, use) {
  const input = el("input", { type: "file", accept });
  input.addEventListener("change", async () => {
    const [file] = input.files;
    const why = await use(file.name, new Uint8Array(await file.arrayBuffer()));
    if (why) notice(why);
    else location.reload();
  });
  input.click();
}

async function save() {
  const link = el("a", { href: URL.createObjectURL(new Blob([await ask("export")], { type: "application/zip" })) });
  link.download = "spades.zip";
  link.click();
  URL.revokeObjectURL(link.href);
}

useLine({
  open,
  entries: [
    [t("site.save"), save],
    [t("site.replace"), () => choose(".zip", (name, content) => ask("import", content))],
    [t("site.level"), () => choose(".safetensors", (name, content) => ask("level", { name, content }))],
  ],
});
await import("./page/app.js");
