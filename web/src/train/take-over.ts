// SPDX-License-Identifier: Apache-2.0
// What was learned becomes part of the page's document; until then no link and no file holds it.
import { effect, signal, untracked } from '@preact/signals-core';
import { keepWeights } from '../engine/kept.ts';
import { weightsNamed } from '../engine/load.ts';
import { madeAfter, madeFile } from '../files/weights-origin.ts';
import { readWeights, SCALE, valuesOf } from '../files/weights.ts';
import type { Doc, Json } from '../engine/types.ts';
import { isObject } from '../engine/pointer.ts';
import { tensorsGiven } from '../state/given-tensors.ts';
import type { Desk } from './train-state.ts';
import type { Training } from './training.ts';

// What the vocabulary of every task has for a word that is not in it.
const UNKNOWN = '<unknown>';

/** The weights that the document took over last, and the step that they are of. */
const taken = signal<{ name: string; step: number } | undefined>(undefined);

/** The weights as they are, in a file that says how they came to be and what was measured of them. */
export async function savedFrom(training: Training): Promise<Uint8Array | undefined> {
  const { step, fitted, lastMeasured } = training;
  const bytes = await training.save(true);
  return bytes && madeFile(bytes, madeAfter(step, fitted, lastMeasured));
}

/**
 * The inputs as the training has them, with the words that a reader wrote: a training reads one that it does not know
 * as another.
 */
export function inOwnWords(inputs: Doc['inputs'], own: Doc['inputs']): Doc['inputs'] {
  const tokensIn = (input: Json | undefined): Json[] | undefined => (isObject(input) && Array.isArray(input['tokens'])
    ? input['tokens'] : undefined);
  return Object.fromEntries(Object.entries(inputs).map(([name, input]) => {
    const [read, written] = [tokensIn(input), tokensIn(own[name])];
    const same = read && written && read.length === written.length
      && read.every((word, k) => word === written[k] || word === UNKNOWN);
    return [name, same ? { ...input, tokens: written } : input];
  }));
}

/** Puts what was learned into the page's document, under a name that only this browser knows. */
export async function takeOver({ training, store, trained }: Desk): Promise<void> {
  const { step } = training;
  const bytes = await savedFrom(training);
  // A training that ended meanwhile says so itself.
  if (!bytes) return;
  const name = `own-${step}-${bytes.length}-${Date.now().toString(36)}.safetensors`;
  await keepWeights(name, bytes);
  taken.value = { name, step };
  const filled = training.begun?.document ?? trained;
  store.documents.change((draft) => {
    const own = draft.inputs;
    for (const [key, value] of Object.entries(filled)) draft[key] = structuredClone(value) as Json;
    draft.inputs = inOwnWords(draft.inputs, own);
    draft['parameters'] = { ...tensorsGiven(draft['parameters']), from: name };
  });
}

// What storing a weight in a byte may change, as a share of the largest of its matrix.
const ROUNDING = 1 / 200;

/** Whether two files have the same weights, up to the rounding of files that ship. */
export function sameWeights(one: Uint8Array, other: Uint8Array): boolean {
  const [a, b] = [readWeights(one), readWeights(other)];
  const names = [...a.tensors.keys()].filter((name) => !name.endsWith(SCALE));
  return names.length > 0 && names.every((name) => {
    if (a.tensors.get(name)!.shape.join() !== b.tensors.get(name)?.shape.join()) return false;
    const [mine, theirs] = [valuesOf(a, name), valuesOf(b, name)];
    const most = mine.reduce((all, value) => Math.max(all, Math.abs(value)), 0);
    return mine.every((value, k) => Math.abs(value - theirs[k]!) <= ROUNDING * most);
  });
}

/** Of a training that came to the weights that are shown: its step and their file. */
const alike = signal<string | undefined>(undefined);

// With the settings of a model that ships, a training comes to the weights that ship.
async function compare({ training, finished }: Desk, asked: string): Promise<void> {
  const [mine, shown] = [await training.save(true), finished === undefined ? undefined : await weightsNamed(finished)];
  if (mine && shown && sameWeights(mine, shown)) alike.value = asked;
}

/** Tells the rest of the page what was learned and is nowhere else yet; gives back what ends that. */
export function tellUntaken(desk: Desk): () => void {
  let compared = '';
  return effect(() => {
    void desk.training.turns;
    const { training: { step, phase }, finished } = desk;
    const asked = `${step} ${finished}`;
    const known = step === 0 || (taken.value?.step === step && taken.value.name === finished)
      || alike.value === asked;
    // It is asked when it is looked at, and not while the weights still move.
    const rests = phase === 'ready' || phase === 'finished';
    if (!known && rests && finished !== undefined && desk.store.view.place === 'look' && asked !== compared) {
      compared = asked;
      // A file that cannot be read is no reason to say nothing of the training.
      untracked(() => void compare(desk, asked).catch(() => undefined));
    }
    untracked(() => (desk.store.trainings.untaken.value = known ? undefined
      : { step, document: desk.trained, take: () => takeOver(desk) }));
  });
}
