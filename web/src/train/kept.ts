// SPDX-License-Identifier: Apache-2.0
// The last checkpoint of the training under way stays in the browser's own database, so that a reload loses nothing.
// What it showed is written piece by piece: all of it at each checkpoint would stop the page longer and longer.
import { within } from '../engine/kept.ts';
import { History } from './history.ts';
import type { Checkpoint, TrainingDocument } from './messages.ts';

/** A part of a history, as it grew between two checkpoints. */
export type Piece = Pick<History, 'steps' | 'measured' | 'pictures'>;

/** What stands under KEY; its pieces are numbered from 0 under names of their own. */
interface Head {
  id: string;
  document: TrainingDocument;
  checkpoint: Checkpoint;
  pieces: number;
}

const KEY = 'last';
const pieceKey = (id: string, piece: number): string => `${KEY}:${id}:${piece}`;
/** Under this the page says in time, while it is left, how far the training had come. */
const FAR = 'attention-playground.trained';
const EVERY_PIECE = [`${KEY}:`, `${KEY};`] as const;

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
    try {
      localStorage.setItem(FAR, JSON.stringify([id, step()]));
    } catch {
      // Where nothing can be kept, it goes on from the checkpoint.
    }
  };
  addEventListener('pagehide', tell);
  // A tab that nobody sees may be closed without a word.
  globalThis.document.addEventListener('visibilitychange', tell);
  return () => {
    removeEventListener('pagehide', tell);
    globalThis.document.removeEventListener('visibilitychange', tell);
  };
}

function farOf(training: string): number | undefined {
  try {
    const [of, step] = JSON.parse(localStorage.getItem(FAR) ?? '[]') as [string?, number?];
    return of === training && Number.isSafeInteger(step) ? step : undefined;
  } catch {
    return undefined;
  }
}

async function write(own: string, of: TrainingDocument, written: Pieces,
  { checkpoint, history }: { checkpoint: Checkpoint; history: History }): Promise<void> {
  // Another window of the same page may have begun a training meanwhile, which is then the last one.
  const goesOn = written.number > 0
    && (await within('readonly', (store) => store.getKey(pieceKey(own, written.number - 1)))) !== undefined;
  const piece = written.next(history, goesOn);
  const head: Head = { id: own, document: of, checkpoint, pieces: written.number };
  await within('readwrite', (store) => {
    if (written.number === 1) store.delete(IDBKeyRange.bound(...EVERY_PIECE));
    store.put(piece, pieceKey(own, written.number - 1));
    return store.put(head, KEY);
  });
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
  const found = await within<Head | undefined>('readonly', (store) => store.get(KEY) as IDBRequest<Head | undefined>);
  if (!found?.pieces) return undefined;
  const history = new History();
  for (let piece = 0; piece < found.pieces; piece++) {
    const part = await within<Piece | undefined>('readonly',
      (store) => store.get(pieceKey(found.id, piece)) as IDBRequest<Piece | undefined>);
    // Without one of them what follows is no history; the checkpoint stands.
    if (!part) break;
    history.steps.push(...part.steps);
    history.measured.push(...part.measured);
    history.pictures.push(...part.pictures);
  }
  history.checkpoints.push(found.checkpoint);
  history.cut(found.checkpoint.step);
  const far = farOf(found.id);
  return { document: found.document, from: { checkpoint: found.checkpoint.bytes, history },
    ...(far !== undefined && far > found.checkpoint.step ? { until: far } : {}) };
}
