// Connections from browser to browser (WebRTC), and the short texts in which one says how it can be reached.
//
//     listen(certificate)                → an end with a text that says how to dial; met(parts): who will, see `unpacked`
//     dial(certificate, text, secrets)   → an end that reaches whoever listens there and knows these secrets; answer()
//                                          says who dials, where they don't
//
// Both ends of a connection choose its certificate and its secrets (ICE's user name and password) themselves, where a
// browser lets them. So a page that was loaded again can be reached by what was agreed before: no third place is needed.
// A text has addresses, secrets and the certificate's fingerprint; its bytes are laid out in `packed`.

const [IPV4, IPV6, MDNS] = [4, 6, 16]; // kinds of addresses; MDNS stands for 16 bytes of a name.local
const MOST_ADDRESSES = 6;
const GATHERING = 2000; // milliseconds to find all addresses
const [NAME, SECRET] = [8, 24]; // lengths of ICE's user name and password
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const FINE = /^[A-Za-z0-9+/]{4,256}$/; // what ICE allows in both
const FINGERPRINT = 32; // bytes of a SHA-256
const SPARES = 3;
const GIVES_UP = CSS.supports("-moz-appearance: none"); // Firefox does, five seconds after the last address has failed
const PATIENCE = 4000; // milliseconds until it gets another one
const NOBODY = 1; // a port
const YEAR = 365 * 24 * 3600 * 1000; // browsers keep no certificate for longer

export const newCertificate = () =>
  RTCPeerConnection.generateCertificate({ name: "ECDSA", namedCurve: "P-256", expires: YEAR });

const letters = (count) => [...crypto.getRandomValues(new Uint8Array(count))].map((byte) => LETTERS[byte % 64]).join("");
export const newSecrets = () => ({ name: letters(NAME), secret: letters(SECRET) });

// One end: table carries what the server and the guest's page say, talk what the two pages say. Messages that come before
// `hear` wait for it.
function made(certificate) {
  const pc = new RTCPeerConnection({ certificates: [certificate] });
  const [table, talk] = ["table", "talk"].map((label, id) => pc.createDataChannel(label, { negotiated: true, id }));
  const opened = Promise.all([table, talk].map((channel) => new Promise((done) => { channel.onopen = done; })));
  const early = [];
  table.onmessage = talk.onmessage = (event) => early.push(event);
  const hear = (onTable, onTalk) => {
    [table.onmessage, talk.onmessage] = [onTable, onTalk];
    for (const event of early) event.target.onmessage(event);
  };
  const lost = new Promise((done) => {
    table.onclose = done;
    pc.onconnectionstatechange = () => ["failed", "closed"].includes(pc.connectionState) && done();
  });
  const close = () => (pc.close(), table.onclose?.());
  return { pc, table, talk, opened, lost, hear, close };
}

export async function listen(certificate) {
  const end = made(certificate);
  await end.pc.setLocalDescription(await end.pc.createOffer());
  await gathered(end.pc);
  const text = packed(read(end.pc.localDescription.sdp));
  const met = async (parts) => {
    await end.pc.setRemoteDescription({ type: "answer", sdp: written({ addresses: [], ...parts }, "active") });
    const [own] = unpacked(text).addresses;
    if (GIVES_UP && own) keepWaiting(end, own.host);
  };
  return { ...end, text, met };
}

// Give an end always one more address to try, its own with a port where nobody is, until it is opened or lost.
function keepWaiting({ pc, opened, lost }, host) {
  let count = 0;
  const add = () => {
    count += 1;
    const candidate = `candidate:${count} 1 udp ${count} ${host} ${NOBODY + count} typ host`;
    pc.addIceCandidate({ candidate, sdpMid: "0", sdpMLineIndex: 0 }).catch(() => {}); // it was closed meanwhile
  };
  const timer = setInterval(add, PATIENCE);
  Promise.race([opened, lost]).then(() => clearInterval(timer));
  add();
}

export async function dial(certificate, text, secrets) {
  const end = made(certificate);
  await end.pc.setRemoteDescription({ type: "offer", sdp: written(unpacked(text), "actpass") });
  const { sdp } = await end.pc.createAnswer();
  const own = sdp.replace(/(?<=a=ice-ufrag:)\S+/g, secrets.name).replace(/(?<=a=ice-pwd:)\S+/g, secrets.secret);
  const set = (words) => end.pc.setLocalDescription({ type: "answer", sdp: words });
  await set(own).catch(() => set(sdp));
  return { ...end, answer: () => gathered(end.pc).then(() => packed(read(end.pc.localDescription.sdp))) };
}

// Listen for whoever is at the other side of a connection, so that they can dial when it is lost: SPARES times, since it
// may be lost again before more is agreed. ends: those that listen already, with the ways to dial; the other side is told
// all of them as soon as there is one more.
export async function spares(certificate, end, ends, met) {
  const { fingerprint } = read(end.pc.remoteDescription.sdp);
  const tell = () => end.talk.readyState === "open" && end.talk.send(JSON.stringify({ ways: [...ends.values()] }));
  if (ends.size) tell();
  while (ends.size < SPARES) {
    const [next, secrets] = [await listen(certificate), newSecrets()];
    await next.met({ ...secrets, fingerprint });
    ends.set(next, { text: next.text, secrets });
    next.opened.then(() => (ends.delete(next), met(next)));
    tell();
  }
}

export const fingerprintOf = ({ pc }) => read(pc.remoteDescription.sdp).fingerprint.join(" ");

// All addresses are found, or some in time: a description without any leads nowhere.
const gathered = (pc) => new Promise((done) => {
  let late = false;
  const look = () => {
    if (pc.iceGatheringState === "complete" || (late && read(pc.localDescription.sdp).addresses.length)) done();
  };
  pc.onicegatheringstatechange = pc.onicecandidate = look;
  setTimeout(() => { late = true; look(); }, GATHERING);
  look();
});

// What matters of a browser's own description.
function read(sdp) {
  const one = (what) => what.exec(sdp)[1];
  const candidates = [...sdp.matchAll(/^a=candidate:\S+ 1 udp \d+ (\S+) (\d+) typ/gim)];
  return {
    name: one(/^a=ice-ufrag:(\S+)/m),
    secret: one(/^a=ice-pwd:(\S+)/m),
    fingerprint: one(/^a=fingerprint:sha-256 (\S+)/im).split(":").map((byte) => parseInt(byte, 16)),
    addresses: candidates.slice(0, MOST_ADDRESSES).map(([, host, port]) => ({ host, port: Number(port) })),
  };
}

// A description for the browser: nothing of it but these parts comes from the other side.
function written({ name, secret, fingerprint, addresses }, setup) {
  const inHex = (byte) => byte.toString(16).padStart(2, "0").toUpperCase();
  return [
    "v=0", "o=- 1 1 IN IP4 0.0.0.0", "s=-", "t=0 0", "a=group:BUNDLE 0",
    "m=application 9 UDP/DTLS/SCTP webrtc-datachannel", "c=IN IP4 0.0.0.0", "a=mid:0",
    `a=ice-ufrag:${name}`, `a=ice-pwd:${secret}`, `a=fingerprint:sha-256 ${fingerprint.map(inHex).join(":")}`,
    `a=setup:${setup}`, "a=sctp-port:5000", "a=max-message-size:262144",
    ...addresses.map(({ host, port }, i) => `a=candidate:${i} 1 udp ${2113937151 - i} ${host} ${port} typ host`), "",
  ].join("\r\n");
}

// The text: name and secret with their lengths, the fingerprint, then each address with its kind and port.
function packed({ name, secret, fingerprint, addresses }) {
  const counted = (words) => [words.length, ...new TextEncoder().encode(words)];
  const bytes = [...counted(name), ...counted(secret), ...fingerprint];
  for (const { host, port } of addresses) {
    const address = addressBytes(host);
    if (address) bytes.push(...address, port >> 8, port & 255);
  }
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function addressBytes(host) {
  if (host.endsWith(".local")) {
    const digits = host.slice(0, -".local".length).replaceAll("-", "");
    return digits.length === 32 ? [MDNS, ...digits.match(/../g).map((pair) => parseInt(pair, 16))] : null;
  }
  if (!host.includes(":")) return [IPV4, ...host.split(".").map(Number)];
  const [before, after] = host.split("::").map((half) => (half ? half.split(":") : []));
  const zeros = after ? Array(8 - before.length - after.length).fill("0") : [];
  const groups = [...before, ...zeros, ...(after ?? [])].map((group) => parseInt(group, 16));
  return [IPV6, ...groups.flatMap((group) => [group >> 8, group & 255])];
}

// The parts of a text that somebody else wrote; an error where it is none.
export function unpacked(text) {
  const bytes = [...atob(text.replaceAll("-", "+").replaceAll("_", "/"))].map((one) => one.charCodeAt(0));
  const take = (count) => {
    if (bytes.length < count) throw new Error("cut off");
    return bytes.splice(0, count);
  };
  const word = () => {
    const found = String.fromCharCode(...take(take(1)[0]));
    if (!FINE.test(found)) throw new Error("no secret");
    return found;
  };
  const found = { name: word(), secret: word(), fingerprint: take(FINGERPRINT), addresses: [] };
  while (bytes.length) {
    const [kind] = take(1);
    if (![IPV4, IPV6, MDNS].includes(kind) || found.addresses.length === MOST_ADDRESSES) throw new Error("no address");
    const host = hostOf(kind, take(kind === IPV4 ? 4 : 16));
    const [high, low] = take(2);
    found.addresses.push({ host, port: high * 256 + low });
  }
  return found;
}

function hostOf(kind, bytes) {
  if (kind === IPV4) return bytes.join(".");
  const pairs = bytes.map((byte) => byte.toString(16).padStart(2, "0"));
  const fours = Array.from({ length: 8 }, (_, i) => pairs[2 * i] + pairs[2 * i + 1]);
  if (kind === IPV6) return fours.join(":");
  return `${fours[0]}${fours[1]}-${fours[2]}-${fours[3]}-${fours[4]}-${fours[5]}${fours[6]}${fours[7]}.local`;
}
