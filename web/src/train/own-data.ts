// SPDX-License-Identifier: Apache-2.0
// A reader's own text as a training: docs/training.md, "Your own data". What is wrong with a text, the engine says.
import { signal } from '@preact/signals-core';
import type { Doc, Json } from '../engine/types.ts';
import { isObject } from '../engine/pointer.ts';
import { cell } from '../state/cells.ts';
import choices from './choices.json';
import { documents } from './documents.ts';
import type { TrainingDocument } from './messages.ts';

export const KINDS = ['pairs', 'labels', 'text'] as const;
export type Kind = (typeof KINDS)[number];

/** One line (of a text: its beginning) that shows what is to be pasted. */
export const EXAMPLES: Readonly<Record<Kind, string>> = {
  pairs: 'good morning\tguten Morgen',
  labels: 'we liked the soup\tgood',
  text: 'The sea was calm, and the sky was …',
};

/** What the reader has pasted so far. It outlives the part that shows it, so that nothing is lost on the way. */
export class Draft {
  @cell open = false;
  @cell kind: Kind = 'pairs';
  @cell text = '';
  private readonly askedNow = signal<string | undefined>(undefined);

  /** This text is to be learned: what is refused from here on is this, and not another training. */
  ask(): void {
    this.askedNow.value = this.kind + this.text;
  }

  /** It is learned. */
  taken(): void {
    this.askedNow.value = undefined;
  }

  /** Whether the text that was asked for last is the one that stands here; nothing where none was. */
  get asked(): boolean | undefined {
    return this.askedNow.value === undefined ? undefined : this.askedNow.value === this.kind + this.text;
  }

  /** What is learned from a text already is gone on with, where nothing else was pasted. */
  begin(document: TrainingDocument): void {
    const task = document.training['task'];
    const kind = KINDS.find((one) => isObject(task as Json) && (task as Doc)['type'] === `task-${one}`);
    const text = kind && (task as Doc)['text'];
    if (this.text !== '' || typeof text !== 'string') return;
    this.kind = kind!;
    this.text = text;
  }
}

/** How many characters a window of `task-text` has, and how many of them the example that is watched. */
const WINDOW = 32;
const WATCHED = 12;
/** A line that is watched has no more words than this, where there is such a line: its map is to be seen whole. */
const FEW = 10;
/** A tenth is held out, and no more than this: data.cpp. */
const MOST_HELD_OUT = 500;
/** More lines than this the engine reads none of; counting their words would only keep the page busy. */
const MOST_LINES = 100_000;
const BLANK = /[ \t\r\v\f]+/;
/** Marks that stand on the character before them, as own_data.cpp has them. */
const MARKED = /[^\r](?:[\u0300-\u036F\u0591-\u05BD\u064B-\u065F\u0670\u200D\uFE00-\uFE0F])*/gsu;
const SEEN: Readonly<Record<string, string>> = { ' ': '␣', '\t': '⇥', '\n': '↵' };

const wordsIn = (text: string): string[] => text.split(BLANK).filter((word) => word !== '');
const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');
const linesIn = (text: string): string[] =>
  withoutMark(text).split('\n').filter((line) => wordsIn(line).length > 0);

/** The characters of a text as the engine reads them: with their marks, and blanks that can be seen. */
export const charactersIn = (text: string): string[] =>
  (text.match(MARKED) ?? []).map((character) => (SEEN[character[0]!] ?? character[0]!) + character.slice(1));

/** What a text was understood to be; words and what is held out are unknown where there are too many lines to count. */
export interface Understood {
  /** Lines that are not blank; of a text, its windows. */
  examples: number;
  /** Words, or characters of a text, and how many different ones. */
  words: number;
  different: number;
  heldOut: number;
}

const heldOutOf = (sources: readonly string[]): number =>
  Math.min(new Set(sources).size, Math.max(1, Math.min(MOST_HELD_OUT, Math.floor(sources.length / 10))));

/** Counts what the engine will find; nothing where there is no text. */
export function understood(kind: Kind, text: string): Understood | undefined {
  const lines = linesIn(text);
  if (lines.length === 0) return undefined;
  if (lines.length > MOST_LINES) return { examples: lines.length, words: 0, different: 0, heldOut: 0 };
  if (kind === 'text') {
    const all = charactersIn(text);
    const count = Math.max(0, Math.floor((all.length - 1) / WINDOW));
    const windows = Array.from({ length: count }, (_, k) => all.slice(k * WINDOW, (k + 1) * WINDOW).join(''));
    return { examples: count, words: all.length, different: new Set(all).size,
      heldOut: count === 0 ? 0 : heldOutOf(windows) };
  }
  const words = lines.flatMap((line) => wordsIn(kind === 'labels' ? line.split('\t')[0]! : line));
  return { examples: lines.length, words: words.length, different: new Set(words).size,
    heldOut: heldOutOf(lines.map((line) => wordsIn(line.split('\t')[0]!).join(' '))) };
}

// The first line that can be read whole, and rather a short one: it is the example that is watched.
function watched(kind: Kind, text: string): { source: string[]; target: string[] } | undefined {
  if (kind === 'text') {
    const all = charactersIn(withoutMark(text));
    if (all.length <= WATCHED) return undefined;
    return { source: all.slice(0, WATCHED), target: all.slice(1, WATCHED + 1) };
  }
  const lines = linesIn(text).map((line) => line.split('\t'))
    .filter((parts) => parts.length === 2 && parts.every((part) => wordsIn(part).length > 0));
  const line = lines.find((parts) => parts.every((part) => wordsIn(part).length <= FEW)) ?? lines[0];
  if (!line) return undefined;
  const [source, target] = line as [string, string];
  return { source: wordsIn(source), target: kind === 'labels' ? [target.trim()] : [...wordsIn(target), '<end>'] };
}

// Reads the characters up to each place and guesses the next: one layer that looks back, with the sizes of a lesson.
const reader = choices.reader as unknown as TrainingDocument;

interface Member {
  name: string;
  inputs: Record<string, string>;
  [knob: string]: Json;
}

// The model that judges reviews, which asks one learned question of a line in place of one about a thing.
function judge(document: TrainingDocument): void {
  const model = document['model'] as unknown as Member[];
  const { member, without, question } = choices.judge;
  const asking = model.find(({ name }) => name === member)!;
  for (const port of Object.keys(question)) delete asking.inputs[port];
  Object.assign(asking, question);
  document['model'] = model.filter(({ name }) => name !== without) as unknown as Json;
  // The truth of a reader's own lines is not known, so that nothing can be led to it.
  delete document.training['guide'];
}

/** The training of a text: a model that comes with the page, of the sizes that it has there. */
export function documentOf(kind: Kind, text: string, title: string): TrainingDocument {
  const document = structuredClone(kind === 'pairs' ? documents.get('translate')!
    : kind === 'labels' ? documents.get('aspects')! : reader);
  if (kind === 'labels') judge(document);
  document.title = title;
  const first = watched(kind, text);
  document['inputs'] = first ? { source: { tokens: first.source }, target: { tokens: first.target } } : {};
  const { training } = document;
  training['task'] = { type: `task-${kind}`, text, ...(kind === 'text' ? { length: WINDOW } : {}) };
  // Few lines are learned from in smaller batches: a batch larger than what is not held out is refused.
  const found = understood(kind, text);
  if (found) training['batch'] = Math.min(training['batch'] as number, Math.max(1, Math.floor(found.examples / 2)));
  return document;
}
