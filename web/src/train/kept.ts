// SPDX-License-Identifier: Apache-2.0
// The last checkpoint of the training under way stays in the browser's own database, so that a reload loses nothing.
// What it showed is written piece by piece: all of it at each checkpoint would stop the page longer and longer.
import { append } from '../lists.ts';
import { within } from '../engine/kept.ts';
import { keepText, recalled } from '../engine/stored.ts';
import { History } from './history.ts';
import type { Checkpoint, TrainingDocument } from './messages.ts';

/** A part of a history, as it grew between two checkpoints. */
export type Piece = Pick<History, 'steps' | 'measured' | 'pictures'>;

/** What is kept of a training, under a key with its id; its pieces are numbered from 0 under names of their own. */
interface Head {
  id: string;
  document: TrainingDocument;
  checkpoint: Checkpoint;
  pieces: number;
  /** When it was written, in milliseconds since 1970. */
  at?: number;
}

const KEY = 'last';
/** Windows of one page train beside each other: each has a record of its own, and so many are kept. */
const MOST = 6;
const headKey = (id: string): string => `training:${id}`;
const HEADS = ['training:', 'training;'] as const;
const pieceKey = (id: string, piece: number): string => `${KEY}:${id}:${piece}`;
const piecesOf = (id: string): IDBKeyRange => IDBKeyRange.bound(pieceKey(id, 0).slice(0, -1), `${KEY}:${id};`);
/** Under this the page says in time, while it is left, how far its training had come, by the training's id. */
const FAR = 'attention-playground.trained';
/** Under this a window remembers which training is its own: a reload of it goes on with that one. */
const OWN = 'attention-playground.training';

const NOTHING = { steps: 0, measured: 0, pictures: 0 };

/** Cuts what a history gained since the last piece. */
export class Pieces {
  private taken = NOTHING;
  /** Of the next piece. */
  number = 0;

  /** What is new; undefined where something that is written already is history no more. */
  private gained({ steps, measured, pictures }: Piece): Piece | undefined {
    const { taken } = this;
    if (steps.length < taken.steps || measured.length < taken.measured || pictures.length < taken.pictures)
      return undefined;
    return { steps: steps.slice(taken.steps), measured: measured.slice(taken.measured),
      pictures: pictures.slice(taken.pictures) };
  }

  /** The next piece of a history: everything, where the last ones are of another. */
  next(history: Piece, goesOn = true): Piece {
    const own = goesOn && this.number > 0 ? this.gained(history) : undefined;
    if (!own) this.number = 0;
    this.number++;
    this.taken = { steps: history.steps.length, measured: history.measured.length,
      pictures: history.pictures.length };
    return own ?? { steps: [...history.steps], measured: [...history.measured], pictures: [...history.pictures] };
  }
}

let document: TrainingDocument | undefined;
let id = '';
let pieces = new Pieces();
let last: Promise<unknown> = Promise.resolve();

/**
 * Whenever the page may be left for good, remembers the step that the training is at, behind its last checkpoint; gives
 * back what ends that.
 */
export function tellWhenLeft(step: () => number): () => void {
  const tell = () => {
    if (id === '') return;
    // Those of other windows stay, the newest of them. Where nothing can be kept, it goes on from the checkpoint.
    const others = Object.entries(farNow()).filter(([one]) => one !== id).slice(1 - MOST);
    keepText(FAR, JSON.stringify(Object.fromEntries([...others, [id, step()]])));
  };
  addEventListener('pagehide', tell);
  // A tab that nobody sees may be closed without a word.
  globalThis.document.addEventListener('visibilitychange', tell);
  return () => {
    removeEventListener('pagehide', tell);
    globalThis.document.removeEventListener('visibilitychange', tell);
  };
}

function farNow(): Record<string, unknown> {
  try {
    const found = JSON.parse(recalled(FAR) ?? '{}') as Record<string, unknown> | [string?, number?];
    // An older page kept one of them.
    return Array.isArray(found) ? { [String(found[0])]: found[1] } : found;
  } catch {
    return {};
  }
}

function farOf(training: string): number | undefined {
  const step = farNow()[training];
  return typeof step === 'number' && Number.isSafeInteger(step) ? step : undefined;
}

const headsNow = async (): Promise<Head[]> => (await within<Head[]>('readonly',
  (store) => store.getAll(IDBKeyRange.bound(...HEADS)) as IDBRequest<Head[]>) ?? [])
  .toSorted((one, other) => (other.at ?? 0) - (one.at ?? 0));

// Forgets the oldest of them.
async function forget(): Promise<void> {
  for (const { id: one } of (await headsNow()).slice(MOST)) await within('readwrite', (store) => {
    store.delete(headKey(one));
    return store.delete(piecesOf(one));
  });
}

async function write(own: string, of: TrainingDocument, written: Pieces,
  { checkpoint, history }: { checkpoint: Checkpoint; history: History }): Promise<void> {
  // Other windows of the same page may have trained so much meanwhile that this one was forgotten.
  const goesOn = written.number > 0
    && (await within('readonly', (store) => store.getKey(pieceKey(own, written.number - 1)))) !== undefined;
  const piece = written.next(history, goesOn);
  const head: Head = { id: own, document: of, checkpoint, pieces: written.number, at: Date.now() };
  await within('readwrite', (store) => {
    if (written.number === 1) store.delete(piecesOf(own));
    store.put(piece, pieceKey(own, written.number - 1));
    return store.put(head, headKey(own));
  });
  if (recalled(OWN, 'sessionStorage') === own) return;
  // Where nothing can be kept, a reload goes on with the newest.
  keepText(OWN, own, 'sessionStorage');
  await forget();
}

/** Remembers which document is being trained, and then its last checkpoint with what it showed. */
export function keep(next: TrainingDocument | undefined,
  state?: { checkpoint: Checkpoint; history: History }): void {
  if (next) {
    document = next;
    id = `${Date.now().toString(36)}${Math.random().toString(36).slice(2)}`;
    pieces = new Pieces();
  }
  if (!state || !document) return;
  const [own, of, written] = [id, document, pieces];
  last = last.then(() => (own === id ? write(own, of, written, state) : undefined));
}

/** What was being trained when the page was left, and how far it had come where that is behind its checkpoint. */
export async function kept(): Promise<{ document: TrainingDocument;
from: { checkpoint: Uint8Array; history: History }; until?: number } | undefined> {
  const heads = await headsNow();
  const mine = recalled(OWN, 'sessionStorage');
  // A window goes on with its own; a new one with the newest, or with what an older page kept.
  const found = heads.find((one) => one.id === mine) ?? heads[0]
    ?? (await within<Head | undefined>('readonly', (store) => store.get(KEY) as IDBRequest<Head | undefined>));
  if (!found?.pieces) return undefined;
  const history = new History();
  for (let piece = 0; piece < found.pieces; piece++) {
    const part = await within<Piece | undefined>('readonly',
      (store) => store.get(pieceKey(found.id, piece)) as IDBRequest<Piece | undefined>);
    // Without one of them what follows is no history; the checkpoint stands.
    if (!part) break;
    history.add(part);
    append(history.pictures, part.pictures);
  }
  history.checkpoints.push(found.checkpoint);
  history.cut(found.checkpoint.step);
  const far = farOf(found.id);
  return { document: found.document, from: { checkpoint: found.checkpoint.bytes, history },
    ...(far !== undefined && far > found.checkpoint.step ? { until: far } : {}) };
}
