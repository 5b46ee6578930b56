// SPDX-License-Identifier: Apache-2.0
// What the module of bindings/import.cpp says, and what goes between the page and the worker that has it.
import type { WeightsData } from '../files/data.ts';
import type { NamedFile } from '../files/same-file.ts';
import type { Doc, Json, Located } from '../engine/types.ts';
import type { Preparation } from '../image/prepare.ts';

/** The module's functions: text in, text out. */
export interface Importer {
  open(files: { name: string; size: number }[],
    read: (file: number, first: number, count: number) => Uint8Array | null, answers: string): string;
  store(from: string, take: (bytes: Uint8Array) => void, small: boolean): string;
  convert(step: number, take: (bytes: Uint8Array) => void): string;
  check(step: number, at: number, part: Uint8Array): string;
  hold(name: string, size: number, head: Uint8Array): string;
  forget(name: string): void;
  weights(name: string, size: number, at: number, part: Uint8Array): string;
  encode(name: string, text: string): string;
  decode(name: string, ids: string): string;
  next(name: string, document: string, request: string): string;
  /** The same for another document; what is kept for `next` stays. */
  nextBeside(name: string, document: string, request: string): string;
}

export interface TensorLine {
  name: string;
  shape: number[];
  type: string;
  file: string;
  /** `ignored`: it holds no weights, such as a mask. */
  state: 'used' | 'left' | 'ignored';
  /** The parameters that it becomes. */
  as: string[];
}

/** Which input a model reads, and which module predicts words or classes. */
export interface Writes {
  kind: 'next' | 'masked' | 'classes';
  input: string;
  predicts: string;
  /** The most tokens that it reads; 0 or none: as many as there are. */
  length?: number;
  /** Of a model with an encoder, the input that it reads; its `input` is what the decoder writes. */
  source?: string;
  source_length?: number;
  /** The tokens with which the decoder begins. */
  start?: number[];
  /** Inputs that are zeros, one per token. */
  zeros?: string[];
  /** What its classes are called, in their order. */
  labels?: string[];
  /** How a picture becomes the numbers that it reads. */
  picture?: Preparation;
}

/** What the files are together. */
export interface Opened {
  architecture: string;
  title: string;
  format: string;
  sizes: Record<string, Json>;
  /** Sizes that no file gives and that the family usually has. */
  assumed?: Record<string, Json>;
  files: string[];
  tensors: TensorLine[];
  /** By parameter, what it is tied to. */
  tied: Record<string, Json>;
  /** How many numbers the tensors that are used hold. */
  numbers: number;
  /** What they take as the files have them. */
  bytes: number;
  /** What they take with large matrices as int8. */
  small: number;
  tokenizer: { file: string; kind: string; pieces: number } | null;
  /** Why a tokenizer of the files is not used; empty where it is, or where there is none. */
  tokenizer_left?: string;
  /** Files of weights that are passed over, because the model is there twice or was being trained. */
  left_files?: { file: string; why: string }[];
  /** The file of the config; empty where there is none. */
  config: string;
  writes: Writes | null;
}

/** A size that the files do not tell, and that a reader can. */
export interface Question {
  key: string;
  says: string;
  choices: number[];
  message: string;
}

export interface Failed {
  error: Located;
}

export interface Likely {
  token: string;
  id: number;
  probability: number;
  /** Where they are only a part of a character; `token` spells them. */
  bytes?: number[];
}

/** A token that was asked for; `rank`: 1 for the likeliest, null for one that the model never writes. */
export interface Ranked extends Likely {
  rank: number | null;
}

/** What comes next; `rows`: so many were run for it. */
export interface Next {
  next: Likely[];
  /** The tokens of `also` in the request, if there were any. */
  also?: Ranked[];
  id?: number;
  token?: string;
  ended: boolean;
  full: boolean;
  rows: number;
  state?: { rows: number; numbers: number; bytes: number };
  /** Why the whole text is run for each word. */
  whole?: Located | null;
  /** How long the worker took. */
  milliseconds: number;
}

/** The words that fit where the text has a mask. */
export interface Masked {
  masked: { row: number; words: Likely[]; also?: Ranked[] }[];
  milliseconds: number;
}

export interface Pieces {
  ids: number[];
  labels: string[];
}

export interface Sampling {
  temperature: number;
  top_k: number;
  top_p: number;
  seed: number;
}

export type Order =
  | { id: number; kind: 'open'; files: File[]; answers: Record<string, number> }
  // Through the port the file goes to whoever will compute with it, while it is made.
  | { id: number; kind: 'store'; from: string; small: boolean; port: MessagePort | undefined;
    kept: readonly NamedFile[] }
  | { id: number; kind: 'hold'; name: string; file: WeightsData }
  | { id: number; kind: 'encode'; name: string; text: string }
  | { id: number; kind: 'decode'; name: string; ids: number[] }
  | { id: number; kind: 'next' | 'nextBeside'; name: string; document: string;
    request: Sampling & { ids: number[]; step: number; also?: readonly number[] } };

export type News =
  | { id: number; text: string; file?: Blob; same?: string | undefined }
  | { id: number; done: number; all: number };

/** How one tensor comes into the file of weights. */
export interface StoreStep {
  numbers: number;
  /** Where it lies among the files; null where it was unpacked out of them. */
  lies: { file: number; first: number; bytes: number } | null;
  /** Its bytes stay as they lie there. */
  passes: boolean;
}

/** The document of a model, and how its file of weights comes about. */
export interface StoreSteps {
  document: Doc;
  /** Of the file. */
  bytes: number;
  steps: StoreStep[];
}

/** A model that was read: its document, and its weights as one file. */
export interface Stored {
  document: Doc;
  file: Blob;
  /** The name of a kept file with the same bytes. */
  same?: string | undefined;
}
