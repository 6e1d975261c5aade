// What is kept: files in the browser's database. A file is written whole or not at all.

const FILES = "files";

const opened = new Promise((done, failed) => {
  const request = indexedDB.open("spades", 1);
  request.onupgradeneeded = () => request.result.createObjectStore(FILES);
  request.onsuccess = () => done(request.result);
  request.onerror = () => failed(request.error);
});

async function change(act) {
  const transaction = (await opened).transaction(FILES, "readwrite", { durability: "strict" });
  act(transaction.objectStore(FILES));
  await new Promise((done, failed) => {
    transaction.oncomplete = done;
    transaction.onabort = () => failed(transaction.error);
  });
}

// Keep a file, or forget it if it has no content.
export const keep = (name, content) => change((files) => (content ? files.put(content, name) : files.delete(name)));

// All files as [name, content].
export async function allFiles() {
  const files = (await opened).transaction(FILES).objectStore(FILES);
  const result = (request) => new Promise((done) => { request.onsuccess = () => done(request.result); });
  const [names, contents] = await Promise.all([result(files.getAllKeys()), result(files.getAll())]);
  return names.map((name, i) => [name, contents[i]]);
}
