/** Short synthesised sounds. Silent until the first gesture, as browsers demand, and where they are switched off. */
import { idle } from './page.svelte.ts';
import { settings } from './settings.svelte.ts';

interface Tone {
  readonly wave: OscillatorType | 'noise';
  /** Pitch in hertz at the beginning and the end; for noise the middle of its band. */
  readonly from: number;
  readonly to?: number;
  readonly at?: number;
  readonly length: number;
  readonly gain: number;
}

const bell = (pitch: number, at: number): Tone => ({ wave: 'sine', from: pitch, at, length: 0.9, gain: 0.3 });
const note = (pitch: number, at: number): Tone => ({ wave: 'triangle', from: pitch, at, length: 0.5, gain: 0.35 });

const SOUNDS = {
  card: [{ wave: 'noise', from: 2600, length: 0.07, gain: 0.5 }],
  draw: [
    { wave: 'noise', from: 4200, length: 0.06, gain: 0.4 },
    { wave: 'noise', from: 3200, at: 0.08, length: 0.07, gain: 0.4 },
  ],
  step: [{ wave: 'sine', from: 210, to: 130, at: 0.05, length: 0.09, gain: 0.45 }],
  lift: [{ wave: 'sine', from: 320, to: 430, length: 0.06, gain: 0.14 }],
  refuse: [{ wave: 'sine', from: 190, to: 160, length: 0.12, gain: 0.2 }],
  turn: [bell(880, 0), bell(1318, 0.16)],
  talk: [{ wave: 'sine', from: 660, to: 740, length: 0.12, gain: 0.18 }],
  low: [0, 0.22, 0.44].map((at): Tone => ({ wave: 'square', from: 1040, at, length: 0.06, gain: 0.12 })),
  win: [note(523, 0), note(659, 0.14), note(784, 0.28), note(1047, 0.42), note(1319, 0.62)],
  lose: [note(392, 0), note(330, 0.2), note(262, 0.4)],
  even: [note(392, 0), note(392, 0.25)],
} as const satisfies Record<string, readonly Tone[]>;

export type SoundName = keyof typeof SOUNDS;

let audio: AudioContext | undefined;
let touched = false;
/** Sounds that wait for the audio context. */
let waiting: SoundName[] = [];
if (typeof addEventListener === 'function') {
  for (const gesture of ['pointerdown', 'keydown']) addEventListener(gesture, touch, { once: true, capture: true });
}

const isSilent = (): boolean => settings.mute || settings.volume <= 0 || typeof AudioContext === 'undefined';

function touch(): void {
  touched = true;
  void idle().then(prepare);
}

/** Make the audio context. The page stands still meanwhile, for as long as the browser's audio takes to start. */
function prepare(): void {
  if (audio || isSilent()) return;
  audio = new AudioContext();
  for (const name of waiting.splice(0)) sound(name);
}

export function sound(name: SoundName): void {
  if (!touched || isSilent()) return;
  if (!audio) {
    waiting = [name];
    void idle().then(prepare);
    return;
  }
  if (audio.state === 'suspended') void audio.resume();
  for (const tone of SOUNDS[name]) ring(audio, tone);
}

function ring(context: AudioContext, tone: Tone): void {
  const start = context.currentTime + (tone.at ?? 0);
  const end = start + tone.length;
  const volume = context.createGain();
  volume.gain.setValueAtTime(tone.gain * settings.volume, start);
  volume.gain.exponentialRampToValueAtTime(0.0005, end);
  volume.connect(context.destination);
  const source = tone.wave === 'noise' ? noise(context, tone, volume) : pitched(context, tone, tone.wave, volume);
  source.start(start);
  source.stop(end + 0.05);
}

function pitched(context: AudioContext, tone: Tone, wave: OscillatorType, out: AudioNode): AudioScheduledSourceNode {
  const source = context.createOscillator();
  const start = context.currentTime + (tone.at ?? 0);
  source.type = wave;
  source.frequency.setValueAtTime(tone.from, start);
  if (tone.to) source.frequency.exponentialRampToValueAtTime(tone.to, start + tone.length);
  source.connect(out);
  return source;
}

function noise(context: AudioContext, tone: Tone, out: AudioNode): AudioScheduledSourceNode {
  const buffer = context.createBuffer(1, Math.ceil(context.sampleRate * tone.length), context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  const band = context.createBiquadFilter();
  band.type = 'bandpass';
  band.frequency.value = tone.from;
  const source = context.createBufferSource();
  source.buffer = buffer;
  source.connect(band).connect(out);
  return source;
}
