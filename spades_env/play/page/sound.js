// Sounds, made here and not loaded: a card, a trick, your turn, a hand won, the scenes of a hand. There are none until
// they are chosen, none before the first click or key, and in a hidden page only the one for your turn. That one is
// spared where cards follow each other: it calls for a bid, a lead, and whoever has waited or looks elsewhere.
//
//     listen()           plays what is new at the table, from now on
//     play("turn")       plays one sound, if sound is on

import { onChange, state } from "./state.js";

const VOLUME = 0.2; // of the loudest sound, at full volume
const LONG = 5000; // milliseconds of waiting after which your turn is called
const LENGTH = 0.25; // seconds of noise
const RISE = 0.012; // seconds in which a sound becomes loud: no click
let context = null; // of the audio, made for the first sound
let noise = null;
let touched = false; // was there a gesture? Browsers allow no sound before
let movedAt = 0; // when the person moved last
let heard = null; // the table as it was listened to last

// [when, how long, …] in seconds: noise through a band around a pitch, or a note, which may slide to another.
const SOUNDS = {
  card: [{ at: 0, lasts: 0.07, band: 2400, loud: 0.9 }],
  trick: [{ at: 0, lasts: 0.2, band: 900, loud: 0.7 }],
  turn: [{ at: 0, lasts: 0.18, note: 587 }, { at: 0.13, lasts: 0.3, note: 880 }],
  won: [523, 659, 784, 1047].map((note, i) => ({ at: 0.12 * i, lasts: 0.45, note })),
  nil_broken: [
    ...[5200, 3600, 4400].map((band, i) => ({ at: 0.25 + 0.07 * i, lasts: 0.16, band, loud: 0.9 - 0.2 * i })),
    { at: 0.27, lasts: 0.7, note: 622, to: 233, loud: 0.8 },
  ],
  nil_made: [784, 988, 1175, 1568].map((note, i) => ({ at: 0.11 * i, lasts: 0.7 + 0.2 * i, note, wave: "sine" })),
  set: [
    { at: 0.3, lasts: 0.22, band: 180, loud: 1 },
    { at: 0.3, lasts: 0.4, note: 196, to: 98 },
    { at: 0.55, lasts: 0.7, note: 147, to: 73 },
  ],
  bags: [
    ...Array.from({ length: 10 }, (_, i) => ({ at: 0.2 + 0.08 * i, lasts: 0.09, band: 1100 - 70 * i, loud: 0.8 })),
    { at: 1.05, lasts: 0.5, note: 131, to: 65 },
  ],
  bold: [392, 523, 784].map((note, i) => (
    { at: 0.14 * i, lasts: i < 2 ? 0.2 : 0.7, note, wave: "sawtooth", loud: 0.45 }
  )),
};

export function listen() {
  const touch = () => { touched = true; };
  for (const gesture of ["pointerdown", "keydown"]) document.addEventListener(gesture, touch, { capture: true });
  onChange(hear);
}

export function play(name, after = 0) {
  if (!state.settings.sound || !state.settings.volume || !touched || (document.hidden && name !== "turn")) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  for (const part of SOUNDS[name]) sound(part, context.currentTime + after + part.at);
}

function hear() {
  const before = heard;
  heard = listenedTo();
  if (!before || !heard || before.key !== heard.key || heard.takebacks > before.takebacks) return;
  const news = newsOf(before, heard);
  news.forEach((name, i) => play(name, i * 0.18));
}

// What there is to hear.
function listenedTo() {
  const { view, held } = state;
  if (!view) return null;
  return {
    key: view.key,
    takebacks: view.help.takebacks,
    cards: (held ?? view.trick).cards.map((play) => play.card),
    held: Boolean(held),
    mine: view.your_turn && !held,
    follows: view.trick.cards.length > 0,
    hands: view.sheet.length,
    won: isWon(view.sheet.at(-1)) && !isScene(view),
  };
}

// Did the person's side make more points in a hand than any other?
function isWon(hand) {
  const [own, ...others] = hand?.sides.map((side) => side.points) ?? [];
  return own > Math.max(...others);
}

// Has the end of the last hand a scene, with a sound of its own?
function isScene({ scenes, sheet }) {
  return scenes.some(({ hand_number: hand, kind }) => hand === sheet.length && kind !== "nil_broken");
}

function newsOf(before, now) {
  if (before.mine && !now.mine) movedAt = performance.now();
  const calls = now.mine && !before.mine;
  if (now.hands > before.hands && now.won) return ["won"];
  return [
    now.cards.some((card) => !before.cards.includes(card)) && "card",
    before.held && !now.held && "trick",
    calls && (!now.follows || document.hidden || performance.now() - movedAt > LONG) && "turn",
  ].filter(Boolean);
}

function sound({ lasts, note, to, wave, band, loud = 1 }, start) {
  const volume = context.createGain();
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(VOLUME * loud * state.settings.volume / 100, start + RISE);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + lasts);
  volume.connect(context.destination);
  const source = note ? tone(note, wave) : rustle(band, volume);
  if (note) source.connect(volume);
  if (to) source.frequency.exponentialRampToValueAtTime(to, start + lasts);
  source.start(start);
  source.stop(start + lasts);
}

function tone(pitch, wave = "triangle") {
  const source = context.createOscillator();
  source.type = wave;
  source.frequency.value = pitch;
  return source;
}

function rustle(pitch, volume) {
  const source = context.createBufferSource();
  source.buffer = noise ??= whiteNoise();
  const filter = context.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = pitch;
  source.connect(filter);
  filter.connect(volume);
  return source;
}

function whiteNoise() {
  const buffer = context.createBuffer(1, LENGTH * context.sampleRate, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  return buffer;
}
