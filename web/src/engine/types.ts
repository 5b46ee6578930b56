// SPDX-License-Identifier: Apache-2.0
// The engine's face: every string is JSON, numbers travel packed.
import type { Catalogue, Directory, Doc, Group } from '../../../schema/answers.d.ts';
import type { Drawn } from '../styles/rendered-formula.ts';

export type * from '../../../schema/answers.d.ts';

// What the page adds to the engine's answers.
declare module '../../../schema/answers.d.ts' {
  interface Located {
    /** The engine itself could not be started. */
    refused?: boolean;
    /** The reader stopped the engine while it computed this. */
    stopped?: boolean;
    /** The engine died of this. */
    crashed?: boolean;
    /** The engine's files did not load. */
    unloaded?: boolean;
  }

  interface Knob {
    /** 'en' where the page speaks another language and there are no words for it. */
    lang?: string;
  }

  interface Slot {
    lang?: string;
  }

  interface Mechanism {
    lang?: string;
    noteLang?: string;
    learnsLang?: string;
  }
}

export interface Engine {
  run(document: string): { directory: string; data: Float32Array };
  /** Opens a document: {"handle"}. The functions below take it; each answers an error as {"error": {path, message}}. */
  open(document: string): string;
  /**
   * Makes changes at once, all or none. `changes`: {pointer: value}. `pointers`: a list of pointers to lists of
   * numbers, whose new numbers are in `numbers`, one list after the other.
   */
  change(handle: number, changes: string, pointers: string, numbers: Float64Array): string;
  /** Computes for at most about so many milliseconds: {"share"} of it that is done, 1 where everything is. */
  step(handle: number, milliseconds: number): string;
  /** The tensors of these names, ["outputs/weights"]; all, where there are none. */
  read(handle: number, names: string): { directory: string; data: Float32Array };
  /** What is another since the answer with the number `last` (types Directory and Changes); 0: everything. */
  readSince(handle: number, last: number): { directory: string; data: Float32Array };
  explainOpen(handle: number, tensor: string, index: string): string;
  /** The document as it is now. */
  document(handle: number): string;
  close(handle: number): string;
  /** Calls `told` in the midst of every long run: with the share of it that is done, above 0 and at most 1. */
  watch(told: (share: number) => void): void;
  normalise(document: string): string;
  /** `heading`: {"title", "formula", "source"} as JSON. */
  exportCode(document: string, format: string, heading: string): string;
  explain(document: string, tensor: string, index: string): string;
  /** What a trained document writes by itself: {"input", "tokens", "ended"}. */
  written(document: string): string;
  /** What must be kept to write the next word, after each word so far: {"numbers", "bytes", "tensors", ..}. */
  kept(document: string, over: string): string;
  /** A small document that puts one mechanism to work. */
  example(id: string): string;
  version(): string;
  /** Hands over a file of word vectors. */
  words(file: Uint8Array): string;
  /** Hands over a file of weights under the name by which documents ask for it, part by part in order. */
  weights(name: string, size: number, at: number, part: Uint8Array): string;
  /** Documents that are open keep the weights; a new one needs them again. */
  forgetWeights(name: string): void;
}

export interface Target {
  group: Group;
  tensor: string;
  index: number[];
}

export interface FirstPaint {
  document: Doc;
  directory: Directory;
  data: string;
  /** Of the catalogue only what the document chooses. */
  catalogue: Catalogue;
  /** Formulas of the first picture, drawn while building. */
  formulas: Record<string, Drawn>;
  /** Of KaTeX's rules those that these formulas need. */
  styles: string;
}
