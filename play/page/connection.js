// The one WebSocket: requests with their answers, news that comes unasked, and coming back when the line was lost.

const WAITS = [200, 400, 800, 1500, 3000]; // milliseconds before the next try
const waiting = new Map(); // id → how to answer
let socket = null;
let last = 0;
let tries = 0;
let handlers = {};

// handlers: news(message), lost(tries), back()
export function connect(given) {
  handlers = given;
  open();
}

// Ask the server; the promise holds its answer, or an Error with its sentence.
export function ask(what, fields = {}) {
  return new Promise((resolve, reject) => {
    if (socket?.readyState !== WebSocket.OPEN) {
      reject(new Error("The table cannot be reached just now"));
      return;
    }
    const id = ++last;
    waiting.set(id, { resolve, reject });
    socket.send(JSON.stringify({ id, do: what, ...fields }));
  });
}

function open() {
  socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live`);
  socket.onmessage = (event) => receive(JSON.parse(event.data));
  socket.onclose = lose;
}

function receive(message) {
  tries = 0;
  if (message.re === undefined || message.re === null) handlers.news(message);
  else answer(message);
}

function answer(message) {
  const asked = waiting.get(message.re);
  waiting.delete(message.re);
  if (!asked) return;
  if (message.error) asked.reject(new Error(message.error));
  else asked.resolve(message);
}

function lose() {
  for (const { reject } of waiting.values()) reject(new Error("The connection was lost: try again"));
  waiting.clear();
  handlers.lost(tries);
  setTimeout(open, WAITS[Math.min(tries, WAITS.length - 1)]);
  tries += 1;
}
