// What is kept: the store's files and the person's own levels, in the browser's database. Changes are made together or
// not at all. The files that others have replaced stay under BEFORE, so that they can be had back.
//
// The worker uses this module, and so does the page where the worker could not start.

const [FILES, OWN, FRIENDS] = ["files", "spades", "spades-friends"]; // a store's name, and databases
const BEFORE = "before/";
const OURS = /^(spades\.db(-wal)?|levels\/[^/]+\.safetensors)$/; // as in kept.py
const SESSIONS = "server.json"; // who may come in; never a part of an export
const opening = {};
let memory = null; // in place of the database, where the browser has none for this page

// Keep nothing from now on.
export function keepNothing() {
  memory = new Map();
}

function database(name) {
  opening[name] ??= new Promise((done, failed) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(FILES);
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });
  return opening[name];
}

async function change(act, name = OWN) {
  if (memory) return act({ put: (content, name) => memory.set(name, content), delete: (name) => memory.delete(name) });
  const transaction = (await database(name)).transaction(FILES, "readwrite", { durability: "strict" });
  const ended = new Promise((done, failed) => {
    transaction.oncomplete = done;
    transaction.onabort = () => failed(transaction.error ?? new DOMException("", "AbortError"));
  });
  try {
    act(transaction.objectStore(FILES));
  } catch (error) {
    ended.catch(() => {});
    try {
      transaction.abort();
    } catch {} // it is over already
    throw error;
  }
  return ended;
}

async function everything(name = OWN) {
  if (memory) return [...memory];
  const files = (await database(name)).transaction(FILES).objectStore(FILES);
  const result = (request) => new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });
  const [names, contents] = await Promise.all([result(files.getAllKeys()), result(files.getAll())]);
  return names.map((one, i) => [one, contents[i]]).filter(([one]) => typeof one === "string");
}

// All files as [name, content]. What is not ours is passed over, and stays.
export const allFiles = async () => (await everything()).filter(([name]) => OURS.test(name));

export const filesOfServer = async () => (await everything()).filter(([name]) => OURS.test(name) || name === SESSIONS);

// What the page remembers of friends, as [name, what], where the browser lets it. It has a database of its own: in Firefox
// a worker can't read the certificates of connections, nor anything beside them.
export const remember = (name, what) => change(put([[name, what]]), FRIENDS).catch(() => {});
export const recall = (begin) =>
  everything(FRIENDS).then((all) => all.filter(([name]) => name.startsWith(begin)), () => []);

// The files that were replaced last, by the names that they had.
export async function oldFiles() {
  const old = (await everything()).filter(([name]) => name.startsWith(BEFORE));
  return old.map(([name, content]) => [name.slice(BEFORE.length), content]);
}

const put = (changes) => (files) => {
  for (const [name, content] of changes) content ? files.put(content, name) : files.delete(name);
};

// Keep changes, as [name, content]; without content a file is removed.
export const keep = (changes) => change(put(changes));

// Keep files in place of all others, which become the old ones. Where there are none, the old ones stay.
export async function replaceAll(files) {
  const [now, old] = [await allFiles(), await oldFiles()];
  await keep([
    ...(now.length ? old.map(([name]) => [BEFORE + name]) : []),
    ...now.map(([name, content]) => [BEFORE + name, content]),
    ...now.map(([name]) => [name]),
    ...files,
  ]);
}

export const bringBack = async () => replaceAll(await oldFiles());

// Find out whether anything can be kept; an error says why not.
export const tryToKeep = () => change((files) => {
  files.put("", "trial");
  files.delete("trial");
});
