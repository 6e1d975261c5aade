// Keeps one version of the page whole, so that it starts without a network. A new version is fetched beside it and used
// when no tab has the old one any more, or at the next reload where only one has.

const CACHE = "spades VERSION";
const ROOT = ["./", "app.webmanifest", "icon.svg"]; // of the same name in every version
const KEPT = [...ROOT.map((name) => new Request(name, { cache: "no-cache" })), ...FILES];
const WEIGHTS = /\/VERSION\/weights\//;

addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(KEPT)));
});

addEventListener("message", () => skipWaiting()); // from start.js, where no tab has the old version's table open

addEventListener("activate", (event) => {
  const others = caches.keys().then((names) => names.filter((name) => name.startsWith("spades ") && name !== CACHE));
  event.waitUntil(others.then((names) => Promise.all(names.map((name) => caches.delete(name)))));
});

addEventListener("fetch", (event) => {
  if (event.request.url.startsWith(registration.scope)) event.respondWith(answer(event.request));
});

async function answer(request) {
  const cache = await caches.open(CACHE);
  const found = await cache.match(request.url.split(/[?#]/)[0]);
  if (!found && !WEIGHTS.test(request.url)) return fetch(request);
  if (found) return found;
  const weights = await fetch(request.url);
  if (weights.ok) await cache.put(request.url, weights.clone());
  return weights;
}
