// Keeps one version of the page whole, so that it starts without a network. A new version is fetched beside it and used
// when no tab has the old one any more, or at the next reload where only one has.

const CACHE = "spades VERSION";
const ROOT = ["./", "app.webmanifest", "icon.svg"]; // of the same name in every version
const KEPT = [...ROOT.map((name) => new Request(name, { cache: "no-cache" })), ...FILES];
const WEIGHTS = /\/VERSION\/weights\//;

addEventListener("install", (event) => event.waitUntil(install()));

// Besides the page itself, keep the weights that another version has kept, if they can be had.
async function install() {
  const cache = await caches.open(CACHE);
  await cache.addAll(KEPT);
  const others = await Promise.all((await namesOfOthers()).map(async (name) => (await caches.open(name)).keys()));
  const weights = new Set(others.flat().flatMap(({ url }) => url.split("/weights/").slice(1)));
  await Promise.all([...weights].map((name) => cache.add(`VERSION/weights/${name}`).catch(() => {})));
}

addEventListener("message", () => skipWaiting()); // from start.js, where no tab has the old version's table open

addEventListener("activate", (event) => {
  event.waitUntil(namesOfOthers().then((names) => Promise.all(names.map((name) => caches.delete(name)))));
});

const namesOfOthers = async () => (await caches.keys()).filter((name) => name.startsWith("spades ") && name !== CACHE);

addEventListener("fetch", (event) => {
  if (event.request.url.startsWith(registration.scope)) event.respondWith(answer(event.request));
});

async function answer(request) {
  const cache = await caches.open(CACHE);
  const found = await cache.match(request.url.split(/[?#]/)[0]);
  if (!found && !WEIGHTS.test(request.url)) return fetch(request);
  if (found) return found;
  const weights = await fetch(request.url);
  if (weights.ok) await cache.put(request.url, weights.clone()).catch(() => {}); // there may be no space
  return weights;
}
