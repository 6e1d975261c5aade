"""A browser's audio that notes in `window.played` each sound that a page makes, instead of making it."""

STUB = """
window.played = [];
class Node { connect() {} }
class Source extends Node {
  constructor(kind) { super(); this.kind = kind; this.frequency = { exponentialRampToValueAtTime() {} }; }
  start() { window.played.push(this.kind); }
  stop() {}
}
const gain = {
  setValueAtTime() {},
  linearRampToValueAtTime(value) { window.loudest = Math.max(window.loudest ?? 0, value); },
  exponentialRampToValueAtTime() {},
};
window.AudioContext = class {
  constructor() {
    window.contexts = (window.contexts ?? 0) + 1;
    Object.assign(this, { state: 'running', currentTime: 0, sampleRate: 8000 });
  }
  createGain() { return Object.assign(new Node(), { gain }); }
  createOscillator() { return new Source('note'); }
  createBufferSource() { return new Source('noise'); }
  createBiquadFilter() { return Object.assign(new Node(), { frequency: {} }); }
  createBuffer(_, length) { return { getChannelData: () => new Float32Array(length) }; }
};
"""
