// SPDX-License-Identifier: Apache-2.0
// Weights that a reader sets by hand in a trained model: energies are added to the scores of a row until the row is
// what was asked for.
import { maximum } from '../lists.ts';
import type { Client } from '../engine/client.ts';
import { Result, type Tensor } from '../engine/result.ts';
import type { Directory, Json, Located } from '../engine/types.ts';
import type { Book } from '../state/catalogue.ts';
import { membersOf } from '../state/model.ts';
import { get, isObject, join, set } from '../engine/pointer.ts';
import type { TrainingDocument } from './messages.ts';
import { weightsIn } from '../files/packed.ts';
import { readWeights, valuesOf } from '../files/weights.ts';

/** So often the energies are corrected: one head is there at once; of several heads the mean has to come near. */
const ROUNDS = 16;
const NEAR = 0.005;
const LEAST = 1e-9;

export interface Patched {
  weights: Float32Array;
  shape: number[];
  /** What it says at each row, and the chance that it gives to each row's right word. */
  words: string[];
  chance: number[];
  /** Rows behind the one that was set moved too: a decoder's state carries on what was looked at. */
  follows: boolean;
}

export class NotPatched extends Error {}

/** The document as it would be looked at: finished, its learned numbers written into it. */
export function finished(document: TrainingDocument, file: Uint8Array): TrainingDocument {
  const copy = structuredClone(document) as TrainingDocument & Record<string, Json>;
  delete (copy as Record<string, unknown>)['training'];
  const numbers: Record<string, Json> = {};
  const read = readWeights(file);
  for (const name of weightsIn(read))
    numbers[name] = { shape: read.tensors.get(name)!.shape, data: valuesOf(read, name) };
  copy['parameters'] = numbers;
  return copy;
}

/** The same, asked of the example that another document watches. */
export const watching = (document: TrainingDocument, { inputs }: TrainingDocument): TrainingDocument =>
  Object.assign({ ...document }, { inputs: structuredClone(inputs) });

// Where a mask may be chosen for the attention that a map belongs to, and what adds a number to each score there.
function places(
  book: Book, document: TrainingDocument, map: string, within: string | undefined,
): { path: string; kind: string; masks: string[]; beside: { path: string; id: string }[] } | undefined {
  const member = membersOf(document).find(({ name }) => name !== undefined && map.startsWith(`${name}.`));
  const choices = book.choices(document);
  const owners = choices.filter(({ path, slot }) =>
    slot.kind === 'alignment' && member && path.startsWith(`${member.path}/`))
    .map(({ path }) => path.slice(0, path.lastIndexOf('/')));
  // A part may hold several attentions: a mask of another one would change another map.
  const owner = owners.find((one) => one === within) ?? (within === member?.path ? owners[0] : undefined);
  if (owner === undefined) return undefined;
  const holder = get(document, owner);
  const slot = isObject(holder) ? book.member(holder)?.slots.find(({ kind }) => kind === 'mask') : undefined;
  if (!slot) return undefined;
  // Which of them takes any number, trying says.
  const masks = book.of(slot.kind)
    .filter(({ knobs, roles, parameters }) => knobs.length === 1 && knobs[0]!.type === 'matrix' && roles.length
    + parameters.length === 0);
  // What the document leaves out is as it was: a mask may go with another default.
  const beside = choices.flatMap(({ path, mechanism }) =>
    (mechanism && path.slice(0, path.lastIndexOf('/')) === owner && get(document, path) === undefined
      ? [{ path, id: mechanism.id }] : []));
  return { path: owner + join(slot.name), kind: slot.kind, masks: masks.map(({ id }) => id), beside };
}

async function run(client: Client, document: TrainingDocument): Promise<Result> {
  const answer = await client.ask({ kind: 'run', document: JSON.stringify(document) });
  const directory = JSON.parse(answer?.text ?? '{}') as Directory | { ok: false; error: Located };
  if (!directory.ok) throw new NotPatched(`${directory.error?.path} ${directory.error?.message}`);
  return new Result(directory, answer!.data!);
}

// The mean of a map's heads.
function meanOf({ data, shape }: Tensor): Float32Array {
  const size = shape.at(-1)! * shape.at(-2)!;
  const heads = data.length / size;
  const mean = new Float32Array(size);
  data.forEach((x, k) => (mean[k % size]! += x / heads));
  return mean;
}

// The chances of all classes at each row, and what the classes are called.
function said(result: Result, document: TrainingDocument, truth: readonly string[]): Pick<Patched, 'words' | 'chance'> {
  const answer = result.tensors.findLast(({ group, kind, role, dimensions }) => group === 'outputs'
    && role === 'output' && kind !== 'index' && dimensions?.at(-1)?.role === 'class');
  if (!answer) throw new NotPatched('');
  const classes = answer.shape.at(-1)!;
  // It answers another example than the one whose truth this is.
  if (answer.data.length !== truth.length * classes) throw new NotPatched('');
  const lists = membersOf(document).map(({ value }) => (value as Record<string, Json>)['vocabulary'])
    .filter((list): list is string[] => Array.isArray(list) && list.length === classes);
  const vocabulary = lists.at(-1) ?? [];
  const rows = truth.map((right, k) => {
    const row = Array.from(answer.data.subarray(k * classes, (k + 1) * classes));
    const most = maximum(row);
    const sizes = answer.kind === 'probability' ? row : row.map((x) => Math.exp(x - most));
    const sum = sizes.reduce((total, x) => total + x, 0);
    return { word: vocabulary[row.indexOf(most)] ?? '', chance: (sizes[vocabulary.indexOf(right)] ?? 0) / sum };
  });
  return { words: rows.map(({ word }) => word), chance: rows.map(({ chance }) => chance) };
}

/** The row with one weight set, the others in the same proportions, so that it sums to what it summed to. */
export function withWeight(row: Float32Array, column: number, weight: number): number[] {
  const sum = row.reduce((total, x) => total + x, 0);
  const rest = sum - row[column]!;
  return Array.from(row, (x, k) =>
    (k === column ? weight : rest > LEAST ? (x * (sum - weight)) / rest : (sum - weight) / (row.length - 1)));
}

/**
 * What the model says if one weight of a row is another; without a weight, as it is. `document` has its vocabularies;
 * `map` is the map's name.
 */
export async function byHand(
  client: Client, book: Book, document: TrainingDocument, map: string,
    at: { row: number; column: number; weight: number | undefined }, truth: readonly string[],
): Promise<Patched> {
  const first = await run(client, document);
  const own = first.whole(map, 'outputs');
  const within = first.directory.modules?.find(({ name }) => name === own?.within)?.path;
  const where = places(book, document, map, within);
  if (!where || !own) throw new NotPatched('');
  const [rows, columns] = [own.shape.at(-2)!, own.shape.at(-1)!];
  const usual = meanOf(own);
  if (at.weight === undefined) return { weights: usual, shape: [rows, columns], ...said(first, document, truth),
    follows: false };
  const wanted = withWeight(usual.subarray(at.row * columns, (at.row + 1) * columns), at.column, at.weight);
  let refused: unknown = new NotPatched('');
  for (const type of where.masks) {
    const energies = new Float64Array(columns);
    try {
      let result = first;
      for (let round = 0; round < ROUNDS; round++) {
        const got = meanOf(result.whole(map, 'outputs')!).subarray(at.row * columns, (at.row + 1) * columns);
        if (round > 0 && maximum(wanted.map((x, k) => Math.abs(x - got[k]!))) < NEAR) break;
        wanted.forEach((x, k) => (energies[k]! += Math.log(Math.max(x, LEAST) / Math.max(got[k]!, LEAST))));
        const values = Array.from({ length: rows }, (_, i) =>
          (i === at.row ? [...energies] : Array<number>(columns).fill(0)));
        const copy = structuredClone(document);
        const before = get(copy, where.path);
        for (const { path, id } of where.beside) set(copy, path, { type: id });
        const knob = book.find(where.kind, type)!.knobs[0]!.name;
        set(copy, where.path, [...(Array.isArray(before) ? before : before === undefined || before === null ? []
          : [before]), { type, [knob]: values }] as Json);
        result = await run(client, copy);
      }
      const weights = meanOf(result.whole(map, 'outputs')!);
      const follows = weights.subarray((at.row + 1) * columns)
        .some((x, k) => Math.abs(x - usual[(at.row + 1) * columns + k]!) >= NEAR);
      return { weights, shape: [rows, columns], ...said(result, document, truth), follows };
    } catch (problem) {
      refused = problem;
    }
  }
  throw refused;
}
