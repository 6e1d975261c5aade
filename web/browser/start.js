// The table without a server to connect to: the page's line leads to a worker, in which the server runs.

import { makeHost } from "./webrtc/host.js";
import { invitationTo } from "./webrtc/invitation.js";
import { useLine } from "./page/connection.js";
import { el } from "./page/dom.js";
import { notice } from "./page/speech.js";
import { decimal, language, t } from "./page/texts.js";
import { download, showFailure, showUnkept } from "./recovery.js";

const SIZE = 1; // of all that the worker counts, in bytes; the build writes it here
const PATIENCE = 1000; // milliseconds to wait for another tab
const service = navigator.serviceWorker;
const loading = document.getElementById("loading");
const words = loading.querySelector("p");
const progress = loading.querySelector("progress");
const inMB = (bytes) => decimal(bytes / 1e6);

words.textContent = t("site.loading");
progress.setAttribute("aria-label", t("site.progress"));
service?.addEventListener("controllerchange", () => loading.hidden || location.reload()); // from another tab
await takeNewest().catch(() => {});

const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" }); // starts beside the page
let line = null;
let answered = null; // settles the question of a menu entry
let loaded = 0;
let old = false; // are there games that others have replaced?

// A newer version that is here already takes over, unless a tab has the table open. Reloading alone wouldn't do it: to
// the browser the page never goes meanwhile.
async function takeNewest() {
  const { waiting } = (await service?.getRegistration()) ?? {};
  if (!waiting) return;
  await navigator.locks.request("spades", { signal: AbortSignal.timeout(PATIENCE) }, async () => {
    const ended = new Promise((done) => { waiting.onstatechange = () => waiting.state !== "activating" && done(); });
    waiting.postMessage("take over");
    await ended;
    location.reload();
    await new Promise(() => {});
  });
}

const handlers = {
  bytes: (bytes) => {
    loaded += bytes;
    if (loaded < SIZE) progress.value = loaded / SIZE;
    else progress.removeAttribute("value"); // Python starts now, which nobody can measure
    const key = loaded < SIZE ? "site.loaded" : "site.starting";
    words.textContent = t(key, { loaded: inMB(loaded), size: inMB(SIZE) });
  },
  waiting: () => { words.textContent = t("site.elsewhere"); },
  ready: (given) => {
    ({ old } = given);
    host.begin(given.limits);
    loading.hidden = true;
    service?.register("service.js").catch(() => {}); // what it keeps has just been fetched
    navigator.storage?.persist?.();
  },
  text: (text) => line?.onmessage?.({ data: text }),
  friend: (told) => host.tell(told),
  done: (why) => answered(why),
  exported: (content) => answered(content),
  outdated: () => service?.getRegistration().then((it) => it?.update()).catch(() => {}), // for the next reload
  unkept: showUnkept,
  failed: ({ why, ofKept }) => {
    loading.hidden = true;
    showFailure(t("site.failed"), [ofKept && t("site.damaged"), why], ofKept);
  },
  broken: (why) => showFailure(t("site.broken"), [t("site.still_saved"), why]),
};

worker.onmessage = ({ data }) => Object.entries(data).forEach(([name, value]) => handlers[name](value));
worker.onerror = (event) => handlers.failed({ why: event.message });
const send = (what, given) => worker.postMessage({ what, given });
const host = makeHost(send);

function ask(what, given) {
  send(what, given);
  return new Promise((done) => { answered = done; });
}

// What a WebSocket is to the page. Opening another one only begins a new conversation with the same server.
function open() {
  const mine = { readyState: WebSocket.OPEN, send: (text) => send("text", text), close() { mine.readyState = WebSocket.CLOSED; } };
  line = mine;
  send("open", language);
  return mine;
}

// Show why something was refused, or load the page anew.
function settle(why) {
  if (why) notice(why);
  else location.reload();
}

function choose(accept, use) {
  const input = el("input", { type: "file", accept });
  input.addEventListener("change", async () => {
    const [file] = input.files;
    settle(await use(file.name, new Uint8Array(await file.arrayBuffer())));
  });
  input.click();
}

useLine({
  open,
  ...invitationTo(host),
  get entries() {
    return [
      [t("site.save"), async () => download(await ask("export"))],
      [t("site.replace"), () => choose(".zip", (name, content) => ask("import", content))],
      old && [t("site.back"), async () => settle(await ask("back"))],
      [t("site.level"), () => choose(".safetensors", (name, content) => ask("level", { name, content }))],
    ];
  },
});
await import("./page/app.js");
