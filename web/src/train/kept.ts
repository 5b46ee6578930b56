// SPDX-License-Identifier: Apache-2.0
// The last checkpoint of the training under way stays in the browser's own database, so that a reload loses nothing.
import { within } from '../engine/kept.ts';
import { History } from './history.ts';
import type { TrainingDocument } from './messages.ts';

export interface Kept {
  document: TrainingDocument;
  checkpoint: Uint8Array;
  history: Pick<History, 'steps' | 'measured' | 'pictures' | 'checkpoints'>;
}

const KEY = 'last';

let document: TrainingDocument | undefined;

/** Remembers which document is being trained, and then its last checkpoint with what it showed. */
export function keep(next: TrainingDocument | undefined, state?: { checkpoint: Uint8Array; history: History }): void {
  if (next) document = next;
  if (!state || !document) return;
  const { steps, measured, pictures, checkpoints } = state.history;
  const kept: Kept = { document, checkpoint: state.checkpoint,
    history: { steps, measured, pictures, checkpoints: checkpoints.slice(-1) } };
  void within('readwrite', (store) => store.put(kept, KEY));
}

/** What was being trained when the page was left. */
export async function kept(): Promise<{ document: TrainingDocument;
from: { checkpoint: Uint8Array; history: History } } | undefined> {
  const found = await within<Kept | undefined>('readonly', (store) => store.get(KEY) as IDBRequest<Kept | undefined>);
  if (!found) return undefined;
  const history = new History();
  history.steps.push(...found.history.steps);
  history.measured.push(...found.history.measured);
  history.pictures.push(...found.history.pictures);
  history.checkpoints.push(...found.history.checkpoints);
  const step = found.history.checkpoints.at(-1)?.step ?? 0;
  history.cut(step);
  return { document: found.document, from: { checkpoint: found.checkpoint, history } };
}
