// SPDX-License-Identifier: Apache-2.0
// The log probability that a language model gives to each token of a text. The engine runs each window once, up to what
// the unembedding reads; then it computes the logits of a few rows at a time, because all logits of a window may take
// hundreds of megabytes.
import type { Whole } from '../engine/open-document.ts';
import type { Doc, Failure, Json, JsonObject } from '../engine/types.ts';
import { isObject } from '../engine/pointer.ts';
import { membersOf } from '../state/model.ts';
import type { Writes } from '../models/types.ts';
import type { Window } from './windows.ts';

/** Has the engine compute one of the two documents; undefined where it was given up. */
export type Compute = (of: 'hidden' | 'logits', document: Doc) => Promise<Whole | Failure | undefined>;

// So many numbers keep the page busy for about 10 ms.
const LOGITS = 1_000_000;
const HIDDEN = 50_000;
const HIDDEN_INPUT = 'hidden-rows';

/** The log softmax of one row of logits at one token. */
export function logSoftmax(logits: Float32Array, first: number, classes: number, id: number): number {
  let most = -Infinity;
  for (let k = first; k < first + classes; k++) if (logits[k]! > most) most = logits[k]!;
  let sum = 0;
  for (let k = first; k < first + classes; k++) sum += Math.exp(logits[k]! - most);
  return logits[first + id]! - most - Math.log(sum);
}

const column = (data: readonly number[]): JsonObject => ({ shape: [data.length, 1], data: [...data] });

// What the module that predicts reads, by the name of an output.
function readBy(document: Doc, predicts: string): string | undefined {
  const inputs = membersOf(document).find(({ name }) => name === predicts)?.value['inputs'];
  const source = isObject(inputs) ? inputs['x'] : undefined;
  return typeof source !== 'string' ? undefined : source.includes('.') ? source : `${source}.output`;
}

/** The document of one window, with what its last module reads as its only result. */
export function hiddenDocument(document: Doc, { input, zeros = [] }: Writes, ids: readonly number[],
  wanted: string): Doc {
  const { gradient: _, ...rest } = document as Doc & { gradient?: Json };
  return { ...rest, outputs: [wanted], inputs: { ...document.inputs, [input]: column(ids),
    ...Object.fromEntries(zeros.map((name) => [name, column(ids.map(() => 0))])) } } as Doc;
}

/** The same model with a text of one token, whose last module reads these rows instead. */
export function logitsDocument(document: Doc, writes: Writes, rows: number, hidden: Float32Array): Doc {
  const { predicts } = writes;
  const bare = hiddenDocument(document, writes, [0], `${predicts}.logits`) as JsonObject;
  const model = (bare['model'] as JsonObject[]).map((one) =>
    (one['name'] === predicts ? { ...one, inputs: { ...one['inputs'] as JsonObject, x: HIDDEN_INPUT } } : one));
  // What changes the rest of the model is in the rows already, and may be of tokens that are not here.
  const changes = (Array.isArray(bare['interventions']) ? bare['interventions'] as JsonObject[] : [])
    .filter(({ of }) => String(of).startsWith(`${predicts}.`));
  const { interventions: _, ...rest } = bare;
  return { ...rest, model, ...(changes.length > 0 ? { interventions: changes } : {}),
    inputs: { ...bare['inputs'] as JsonObject,
      [HIDDEN_INPUT]: { shape: [rows, hidden.length / rows], data: Array.from(hidden) } } } as unknown as Doc;
}

const refusal = (message: string): Failure => ({ ok: false, error: { path: '', message } });

function outputOf({ directory, numbers }: Whole, name: string): { data: Float32Array; shape: number[] } | undefined {
  const at = directory.tensors.findIndex((one) => one.group === 'outputs' && one.name === name);
  return at < 0 ? undefined : { data: numbers[at]!, shape: directory.tensors[at]!.shape };
}

/**
 * The log probabilities of the tokens of a text, NaN where nothing predicts one. `goOn`: hears how many of all are
 * there, and says whether to go on; undefined where it did not.
 */
export async function logProbabilities(compute: Compute, document: Doc, writes: Writes, text: readonly number[],
  windows: readonly Window[], goOn: (done: number) => boolean): Promise<Float64Array | Failure | undefined> {
  const found = new Float64Array(text.length).fill(NaN);
  const wanted = readBy(document, writes.predicts);
  if (wanted === undefined) return refusal(`“${writes.predicts}” has no input “x”`);
  // How many classes there are, the first answer tells.
  let rows = 1;
  for (const { ids, from, to, row } of windows) {
    const run = await compute('hidden', hiddenDocument(document, writes, ids, wanted));
    if (!run || !goOn(from)) return undefined;
    if (!('directory' in run)) return run;
    const hidden = outputOf(run, wanted);
    if (!hidden) return refusal(`there is no result “${wanted}”`);
    const width = hidden.shape.at(-1)!;
    for (let at = from; at < to;) {
      const given = new Float32Array(rows * width);
      // A token is predicted by the row before its own.
      const first = row - 1 + at - from;
      given.set(hidden.data.subarray(first * width, Math.min(first + rows, ids.length) * width));
      const answer = await compute('logits', logitsDocument(document, writes, rows, given));
      if (!answer || !goOn(at)) return undefined;
      if (!('directory' in answer)) return answer;
      const logits = outputOf(answer, `${writes.predicts}.logits`);
      if (!logits) return refusal(`there is no result “${writes.predicts}.logits”`);
      const classes = logits.shape.at(-1)!;
      const until = Math.min(to, at + rows);
      for (let token = at; token < until; token++)
        found[token] = logSoftmax(logits.data, (token - at) * classes, classes, text[token]!);
      at = until;
      rows = Math.max(1, Math.min(ids.length, Math.floor(HIDDEN / width), Math.floor(LOGITS / classes)));
    }
    if (!goOn(to)) return undefined;
  }
  return found;
}

/** The mean negative log likelihood over the tokens that have a probability, and how many those are. */
export function meanLoss(logProbability: Float64Array): { mean: number; tokens: number } {
  let [sum, tokens] = [0, 0];
  for (const value of logProbability) {
    if (Number.isNaN(value)) continue;
    sum -= value;
    tokens++;
  }
  return { mean: sum / tokens, tokens };
}
