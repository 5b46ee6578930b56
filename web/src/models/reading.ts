// SPDX-License-Identifier: Apache-2.0
// What the files of a model are together, and their weights as one file: questions to the worker, and its answers.
import { keptFile } from '../engine/kept.ts';
import { comesWithPage } from '../engine/weight-files.ts';
import type { NamedFile } from '../files/same-file.ts';
import type { Doc, JsonObject, Located } from '../engine/types.ts';
import { isObject } from '../engine/pointer.ts';
import { parse } from '../state/parse.ts';
import type { ModelLine } from './line.ts';
import { MOST_BYTES } from './limits.ts';
import type { Failed, Opened, Question, Stored, TensorLine } from './types.ts';

export type Found =
  | { kind: 'opened'; opened: Opened }
  | { kind: 'question'; question: Question }
  | { kind: 'refused'; error: Located }
  | { kind: 'large'; opened: Opened };

/** Asks what the files are; undefined where the reader gave up meanwhile. */
export async function recognise(line: ModelLine, files: File[],
  answers: Record<string, number>): Promise<Found | undefined> {
  const answer = await line.ask({ kind: 'open', files, answers });
  if (!answer) return undefined;
  const said = JSON.parse(answer.text) as Opened | { question: Question } | Failed;
  if ('error' in said) return { kind: 'refused', error: said.error };
  if ('question' in said) return { kind: 'question', question: said.question };
  return { kind: said.bytes > MOST_BYTES ? 'large' : 'opened', opened: said };
}

const LONGEST_DOCUMENT = 8_000_000;

/**
 * A document and the file of weights that it names, as `attend import` and this page save them; undefined where there
 * are none.
 */
export async function pairIn(files: readonly File[]): Promise<Stored | undefined> {
  for (const file of files) {
    if (!/\.json$/i.test(file.name) || file.size > LONGEST_DOCUMENT) continue;
    const decoded = parse(await file.text().catch(() => ''));
    if (!('document' in decoded)) continue;
    const { document } = decoded;
    const { parameters } = document;
    const from = isObject(parameters) ? parameters['from'] : undefined;
    const weights = files.find(({ name }) => name === from);
    if (weights) return { document, file: weights };
  }
  return undefined;
}

/**
 * Reads all weights of the model that was looked at; `small`: its large matrices as int8; `port`: where they go
 * meanwhile; `kept`: with what they are compared.
 */
export async function store(line: ModelLine, from: string,
  { small, port, kept }: { small: boolean; port: MessagePort | undefined; kept: readonly NamedFile[] },
  progress: (done: number, all: number) => void): Promise<Stored | Failed | undefined> {
  const answer = await line.ask({ kind: 'store', from, small, port, kept }, progress, port ? [port] : []);
  if (!answer) return undefined;
  const said = JSON.parse(answer.text) as Doc | Failed;
  return 'error' in said ? said as Failed : { document: said as Doc, file: answer.file!, same: answer.same };
}

/**
 * The files that are kept under this name or as further ones of it, and the next name that none has: what the reader
 * trained or opened before is never replaced.
 */
export async function keptUnder(wanted: string): Promise<{ kept: NamedFile[]; free: string }> {
  const kept: NamedFile[] = [];
  for (let tried = 1; ; tried++) {
    const name = tried === 1 ? wanted : wanted.replace(/(\.safetensors)?$/, `-${tried}$1`);
    if (comesWithPage(name)) continue;
    const file = await keptFile(name);
    if (file === undefined) return { kept, free: name };
    kept.push({ name, file });
  }
}

/** The attention of the last decoder layer to the encoder; undefined where the model has no encoder and decoder. */
export function lastCross({ model }: Doc): string | undefined {
  const layers = (Array.isArray(model) ? model : []).filter((one) => isObject(one) && one['type'] === 'cross-block');
  const last = layers.at(-1) as JsonObject | undefined;
  return last && `${String(last['name'])}.cross`;
}

/** Tensors whose names, shapes and parameters differ in numbers only, such as those of all layers. */
export interface Group {
  name: string;
  count: number;
  shape: number[] | undefined;
  type: string;
  state: TensorLine['state'];
  as: string[];
}

// A number between dots or hyphens counts layers; that of "w1" is part of a name.
const counted = (name: string): string => name.replace(/(^|[.-])\d+(?=[.-]|$)/g, '$1#');

/** Parameters without what all of them share in front: "attention.heads.W_Q", "W_K", "W_V". */
export function together(as: readonly string[]): string[] {
  const [first = '', ...rest] = as;
  const shared = first.slice(0, first.lastIndexOf('.') + 1);
  return [first, ...rest.map((one) => (shared !== '' && one.startsWith(shared) ? one.slice(shared.length) : one))];
}

export function grouped(tensors: readonly TensorLine[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { name, shape, type, state, as } of tensors) {
    // One tensor keeps its own numbers; with a second one of its kind they become "#".
    const key = JSON.stringify([counted(name), state, as.map(counted)]);
    const group = groups.get(key);
    if (!group) {
      groups.set(key, { name, count: 1, shape, type, state, as: [...as] });
      continue;
    }
    group.count++;
    group.name = counted(name);
    group.as = as.map(counted);
    if (group.shape?.join() !== shape.join()) group.shape = undefined;
  }
  return [...groups.values()];
}

// Heads of most models have this width, and small models about so many heads.
const HEAD = 64;
const FEW = 4;

/** Whether a model of this width has several heads of the usual width. */
export const isUsualWidth = (width: number): boolean => width >= 2 * HEAD;

/** The number of heads to guess: those of the usual width, in a narrow model four, or the nearest choice to that. */
export function likely({ choices }: Pick<Question, 'choices'>, width: number): number | undefined {
  const wanted = isUsualWidth(width) ? width / HEAD : FEW;
  const off = (n: number): number => Math.abs(Math.log(n / wanted));
  return choices.toSorted((a, b) => off(a) - off(b))[0];
}
