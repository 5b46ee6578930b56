// SPDX-License-Identifier: Apache-2.0
// What each part of a language model adds to the logit of a next word: its direct effect. The last norm divides the sum
// of all parts by one number, the scale of this text. With that number held fixed, the norm and the unembedding are
// linear, so the logit is a sum over the embedding, each head and each feed-forward layer (docs/import.md).
import type { Result, Tensor } from '../engine/result.ts';
import type { Doc } from '../engine/types.ts';
import { isObject } from '../engine/pointer.ts';
import { append, maximum } from '../lists.ts';
import type { WeightsData } from '../files/data.ts';
import { WeightSlices } from '../files/weight-slices.ts';
import { type Member, membersOf } from '../state/model.ts';

export interface LogitPart {
  kind: 'embedding' | 'head' | 'attention' | 'feedForward' | 'biases';
  /** From 1. */
  layer?: number;
  /** The module of its attention. */
  module?: string;
  /** From 0. */
  head?: number;
  value: number;
}

export interface LogitParts {
  parts: LogitPart[];
  /** As the model computed it. */
  logit: number;
}

/** The modules between the embedding and the logits of a model whose parts add up. */
interface Stack {
  embedding: string;
  layers: readonly string[];
  norm: Member | undefined;
  predicts: Member;
}

const inputOf = ({ value }: Member): string | undefined => {
  const { inputs } = value;
  return isObject(inputs) && typeof inputs['x'] === 'string' ? inputs['x'] : undefined;
};
const NORMS: readonly unknown[] = ['layer-norm', 'rmsnorm'];
// In the other orders a norm comes after each sum, and no part reaches the logits as it is. A document may leave out
// the order, which is 'pre' then.
const ORDERS: readonly unknown[] = [undefined, 'pre', 'parallel'];

/** The stack of a document; undefined if the parts of its model do not add up to the logits. */
export function stackOf(document: Doc, predicts: string): Stack | undefined {
  const members = new Map(membersOf(document).map((member) => [member.name, member]));
  const before = (member: Member | undefined): Member | undefined => member && members.get(inputOf(member) ?? '');
  const last = members.get(predicts);
  if (last?.value['type'] !== 'om-softmax' || last.value['cap'] !== undefined) return undefined;
  const norm = NORMS.includes(before(last)?.value['type']) ? before(last) : undefined;
  const layers: string[] = [];
  let member = norm ? before(norm) : before(last);
  for (; member?.value['type'] === 'transformer-block'; member = before(member)) {
    if (!ORDERS.includes(member.value['order'])) return undefined;
    layers.unshift(member.name);
  }
  return member && layers.length > 0 ? { embedding: member.name, layers, norm, predicts: last } : undefined;
}

/** Whether a result leaves out numbers without which there are no parts, as it does for a long text. */
export function leavesOut({ left, directory }: Result, predicts: string): boolean {
  const stack = stackOf(directory.document, predicts);
  if (!stack) return false;
  const { embedding, layers } = stack;
  // Without the outputs of single heads their attention is one part.
  const needed = new Set([`${predicts}.logits`, `${embedding}.output`, `${embedding}.context`,
    `${layers.at(-1)!}.output`, ...layers.flatMap((name) => [`${name}.attention.context`, `${name}.ffn.output`])]);
  return left.some(({ name, group }) => group === 'outputs' && needed.has(name));
}

/** The weights of a model: in its result as far as they are there, or in its file. */
class Weights {
  private slices: Promise<WeightSlices> | undefined;

  constructor(private readonly result: Result, private readonly file: WeightsData | undefined) {}

  private async stored(name: string): Promise<WeightSlices | undefined> {
    const slices = await (this.file && (this.slices ??= WeightSlices.of(this.file)));
    return slices?.has(name) ? slices : undefined;
  }

  private here(name: string): Tensor | undefined {
    return this.result.whole(name, 'parameters');
  }

  async all(name: string): Promise<ArrayLike<number> | undefined> {
    return this.here(name)?.data ?? (await this.stored(name))?.all(name);
  }

  /** What the logit of a word is the product with. */
  async unembedding({ name }: Member, word: number): Promise<ArrayLike<number> | undefined> {
    const own = `${name}.W_c`;
    const { tie } = this.result.directory.document;
    const tied = isObject(tie) ? tie[own] : undefined;
    const from = isObject(tied) && typeof tied['transpose'] === 'string' ? tied['transpose'] : undefined;
    const known = this.here(own);
    if (known) return column(known, word);
    const table = from === undefined ? undefined : this.here(from);
    if (table) return table.data.subarray(word * table.shape[1]!, (word + 1) * table.shape[1]!);
    return from === undefined ? (await this.stored(own))?.column(own, word)
      : (await this.stored(from))?.row(from, word);
  }
}

const column = ({ data, shape }: Tensor, at: number): number[] =>
  Array.from({ length: shape[0]! }, (_, row) => data[row * shape[1]! + at]!);

const inner = (one: ArrayLike<number>, other: ArrayLike<number>): number => {
  let sum = 0;
  for (let k = 0; k < one.length; k++) sum += one[k]! * other[k]!;
  return sum;
};
const mean = (list: ArrayLike<number>): number => inner(list, new Float64Array(list.length).fill(1)) / list.length;
const number = ({ value }: Member, knob: string): number => (typeof value[knob] === 'number' ? value[knob] : 0);

// A row of a result's matrix, or of one of its heads.
const rowIn = ({ data, shape }: Tensor, row: number, head = 0): Float32Array => {
  const [rows, width] = [shape.at(-2)!, shape.at(-1)!];
  return data.subarray((head * rows + row) * width, (head * rows + row + 1) * width);
};

// Rounding: parts may be much larger than their sum.
const NEAR = 1e-3;
const isNear = (one: number, other: number, parts: readonly number[]): boolean =>
  Math.abs(one - other) <= NEAR * maximum(parts.map(Math.abs), 1);

/**
 * The parts of a word's logit at a row of the text, or of its difference from the logit of another word. Undefined
 * where they do not add up to the number that the model computed.
 */
export async function logitParts(result: Result, predicts: string, row: number, [word, other]: readonly [number,
  number | undefined], file?: WeightsData): Promise<LogitParts | undefined> {
  const stack = stackOf(result.directory.document, predicts);
  const output = (name: string): Tensor | undefined => result.whole(name, 'outputs');
  const logits = output(`${predicts}.logits`);
  if (!stack || !logits) return undefined;
  const weights = new Weights(result, file);
  const words = other === undefined ? [word] : [word, other];
  const columns = await Promise.all(words.map((one) => weights.unembedding(stack.predicts, one)));
  if (columns.includes(undefined)) return undefined;
  const [to, from] = columns as ArrayLike<number>[];
  const direction = Float64Array.from(to!, (value, k) => value - (from?.[k] ?? 0));
  const of = (numbers: ArrayLike<number> | undefined) => words.reduce((sum, one, k) =>
    sum + (k === 0 ? 1 : -1) * (numbers?.[one] ?? 0), 0);
  const logit = of(rowIn(logits, row));
  let biases = of(await weights.all(`${predicts}.b_c`));
  const through = await lastNorm(stack, output(`${stack.layers.at(-1)!}.output`), row, weights, direction);
  if (!through) return undefined;
  biases += through.shift;
  const embedding = output(`${stack.embedding}.output`) ?? output(`${stack.embedding}.context`);
  if (!embedding) return undefined;
  const parts: LogitPart[] = [{ kind: 'embedding', value: inner(rowIn(embedding, row), through.direction) }];
  for (const [k, name] of stack.layers.entries()) {
    const layer = k + 1;
    const [attention, fed] = [output(`${name}.attention.context`), output(`${name}.ffn.output`)];
    if (!attention || !fed) return undefined;
    const whole = inner(rowIn(attention, row), through.direction);
    const own = await headsOf(`${name}.attention`, output(`${name}.attention.heads`), row, weights, through.direction);
    const module = `${name}.attention`;
    if (own && isNear(own.bias + own.heads.reduce((a, b) => a + b, 0), whole, own.heads)) {
      append(parts, own.heads.map((value, head): LogitPart => ({ kind: 'head', layer, module, head, value })));
      biases += own.bias;
    } else {
      parts.push({ kind: 'attention', layer, module, value: whole });
    }
    parts.push({ kind: 'feedForward', layer, value: inner(rowIn(fed, row), through.direction) });
  }
  if (biases !== 0) parts.push({ kind: 'biases', value: biases });
  const values = parts.map(({ value }) => value);
  return isNear(values.reduce((a, b) => a + b, 0), logit, values) ? { parts, logit } : undefined;
}

// What a number of the last sum adds to the logit, with the norm's scale for this row held fixed; and what the norm's
// own shift adds.
async function lastNorm({ norm }: Stack, sum: Tensor | undefined, row: number, weights: Weights,
  direction: Float64Array): Promise<{ direction: Float64Array; shift: number } | undefined> {
  if (!sum) return undefined;
  if (!norm) return { direction, shift: 0 };
  const x = rowIn(sum, row);
  const gamma = await weights.all(`${norm.name}.gamma`);
  if (!gamma) return undefined;
  const isLayer = norm.value['type'] === 'layer-norm';
  const centre = isLayer ? mean(x) : 0;
  const scale = Math.sqrt(mean(Float64Array.from(x, (value) => (value - centre) ** 2)) + number(norm, 'eps'));
  const scaled = direction.map((value, k) => value * (gamma[k]! + number(norm, 'offset')) / scale);
  // Each part is centred, which is the same as centring what it is multiplied by.
  const middle = isLayer ? mean(scaled) : 0;
  const beta = isLayer ? await weights.all(`${norm.name}.beta`) : undefined;
  return { direction: scaled.map((value) => value - middle), shift: beta ? inner(beta, direction) : 0 };
}

// What each head adds through its rows of the output projection, and what the projection's bias adds.
async function headsOf(module: string, contexts: Tensor | undefined, row: number, weights: Weights,
  direction: Float64Array): Promise<{ heads: number[]; bias: number } | undefined> {
  const projection = contexts && await weights.all(`${module}.heads.W_O`);
  if (!projection || contexts.shape.length !== 3) return undefined;
  const [count, , width] = contexts.shape as [number, number, number];
  if (projection.length !== count * width * direction.length) return undefined;
  const bias = await weights.all(`${module}.heads.b_O`);
  const heads = Array.from({ length: count }, (_, head) => {
    const own = rowIn(contexts, row, head);
    let sum = 0;
    for (let k = 0; k < width; k++) {
      const at = (head * width + k) * direction.length;
      let product = 0;
      for (let c = 0; c < direction.length; c++) product += (projection[at + c] ?? 0) * direction[c]!;
      sum += own[k]! * product;
    }
    return sum;
  });
  return { heads, bias: bias ? inner(bias, direction) : 0 };
}
