// SPDX-License-Identifier: Apache-2.0
// The engine's face: every string is JSON, numbers travel packed.
import type { Drawn } from '../styles/rendered-formula.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

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

export type Group = 'inputs' | 'outputs' | 'parameters' | 'steps' | 'gradients';

export interface TensorEntry {
  group: Group;
  name: string;
  shape: number[];
  axes: string[];
  offset: number;
  formula?: string;
  /** The module that made it; empty for the one of `mechanism`. */
  module?: string;
  /** The module whose result it is. */
  within?: string;
  /** What it was computed from: places in the list of tensors, behind which come those that were left out. */
  from?: number[];
  /** Its place in the order of computation. */
  step?: number;
  role?: TensorRole;
  kind?: NumberKind;
  /** One for each axis of an input, output, parameter or gradient; of a step only where it runs in time. */
  dimensions?: Dimension[];
}

export type TensorRole = 'query' | 'key' | 'value' | 'scores' | 'mask' | 'weights' | 'context' | 'output' | 'state'
  | 'loss' | 'parameter' | 'gradient' | 'input';
export type NumberKind = 'probability' | 'signed' | '0/1' | 'index' | 'count';
export type AxisRole = 'query' | 'key' | 'feature' | 'head' | 'layer' | 'time' | 'height' | 'width' | 'channel'
  | 'class' | 'batch';

export interface Dimension {
  role: AxisRole;
  time?: true;
  /** Whose tokens stand along it: a name in the directory's `tokens`. */
  labels?: string;
}

/** A module of the document, or one inside another. */
export interface ModuleEntry {
  name: string;
  type: string;
  parent: string;
  /** Where the document chooses it; the same for modules that one choice makes. */
  path?: string;
  /** By port: an input, or `module.result`. */
  inputs: Record<string, string>;
  /** What a wire that names the module alone reads. */
  result?: string;
}

export interface Located {
  path: string;
  message: string;
  /** The engine itself could not be started. */
  refused?: boolean;
  /** The reader stopped the engine while it computed this. */
  stopped?: boolean;
  /** The engine died of this. */
  crashed?: boolean;
  /** The engine's files did not load. */
  unloaded?: boolean;
}

export interface Measure {
  rowSums?: number[];
  entropy?: number[];
  support?: number[];
  largest?: { index: number[]; value: number };
}

/** One word for a place in the survey's taxonomy. Without a value: the title of the mechanism `id`. */
export interface Coordinate {
  group: string;
  name: string;
  value: string | null;
  id: string | null;
}

/** Where a document stands in the survey's taxonomy; several words of one name where its modules differ. */
export interface Taxonomy {
  coordinates: Coordinate[];
}

/** A system of the literature: a file of systems/, with the coordinates of its document. */
export interface System {
  id: string;
  title: string;
  paper: { authors: string; year: number; where: string; link: string };
  /** As the survey prints them, by dimension; where `computed` differ, `differs` says why. */
  coordinates: Record<string, string[]> | null;
  computed: Coordinate[];
  differs?: Record<string, string>;
  /** Where both of its documents, this one and the trained one, leave the paper, a sentence each. */
  simplified?: string[];
  /** The same of this document alone. */
  untrained?: string[];
  /** The same of the trained document alone (examples/trained/systems). */
  trained?: string[];
  says: string;
  document: Doc;
}

/** What a computation takes, known from its shapes: upper bounds where `exact` is false, because the data decide. */
export interface Cost {
  multiply_adds: number;
  exponentials: number;
  bytes: number;
  exact: boolean;
}

/** What is another since the last answer; the numbers of the `changed` tensors come one after the other. */
export interface Changes {
  ok: true;
  read: number;
  same: true;
  /** Places in the list of tensors; of those that share their numbers, the first. */
  changed: number[];
  /** By place; after the tensors come those that were left out. */
  formulas: Record<string, string>;
  measures: Record<string, Measure>;
  warnings: Directory['warnings'];
  /** By pointer. */
  document: Record<string, Json>;
}

export interface Directory {
  ok: true;
  /** Of an open document, the answer's number. */
  read?: number;
  tensors: TensorEntry[];
  labels: Record<string, string[]>;
  /** By input, or the list that a module made. */
  tokens?: Record<string, string[]>;
  modules?: ModuleEntry[];
  warnings: Located[];
  measures: Record<string, Measure>;
  /**
   * Of the outputs, without gradients; `context` is that of the context alone, where there is one, `model` that of
   * what all modules of a model give.
   */
  cost: Cost & { context?: Cost; model?: Cost };
  /** How many softmax attentions ran in the fast kernel, which holds no scores or weights. */
  fused?: number;
  /** Outputs and drawn parameters whose numbers are not here: too large, or not asked for. */
  left?: Omit<TensorEntry, 'offset'>[];
  taxonomy?: Taxonomy;
  /** Of a picture without parameters: the letters that they take, by module. */
  letters?: Record<string, string>;
  document: Doc;
}

export interface Failure {
  ok: false;
  error: Located;
}

export interface Doc extends JsonObject {
  schema: string;
  inputs: { [name: string]: JsonObject };
  /** One of these two: a module alone, or several that are wired by name (state/model.ts). */
  mechanism: JsonObject;
}

export interface Target {
  group: Group;
  tensor: string;
  index: number[];
}

export interface Feed {
  tensor: string;
  group: Group;
  cells: number[][];
}

export interface Term {
  label: string;
  value: number;
  chosen?: boolean;
  /** The key's place in its row. */
  cell?: number;
}

/** A row cut at a level: what of a bar stands above it, to the power, is the weight. */
export interface Cut {
  level: number;
  power: number;
  bars: Term[];
  /** By how much it is drawn higher than the formula counts it: the row's largest score, where that is taken off. */
  shift?: number;
}

export interface Explanation {
  tensor: string;
  index: number[];
  value: number;
  formula: string;
  numbers: string;
  feeds: Feed[];
  terms?: Term[];
  cut?: Cut;
}

/** What ties a knob's number to another knob of its mechanism, or to a size of the document. */
export interface KnobRule {
  relation: 'divides' | 'multiple_of' | 'at_most';
  /** The other knob's name, or the symbol of an axis. */
  of: string;
}

export interface Knob {
  /** 'en' where the page speaks another language and there are no words for it. */
  lang?: string;
  name: string;
  title: string;
  /** The letter of the extent that it is, in the shapes of parameters. */
  symbol?: string;
  type: 'choice' | 'number' | 'integer' | 'boolean' | 'matrix' | 'list' | 'words';
  default?: Json;
  minimum?: number | null;
  maximum?: number | null;
  scale?: 'linear' | 'log';
  choices?: string[];
  rule?: KnobRule;
  /** Only a cell reads it that keeps a memory beside its state. */
  memory?: boolean;
  optional?: boolean;
  /** Of a matrix: a number for each key, not for each pair. */
  of_keys?: boolean;
  /** What shows its effect where there is one head: the numbers of several are too small for one. */
  one_head?: number;
}

export interface Slot {
  /** 'en' where the page speaks another language and there are no words for it. */
  lang?: string;
  name: string;
  title: string;
  group: string;
  kind: string;
  default: string | null;
  list: boolean;
  optional: boolean;
  /** The only id that fits; then the choice is made and its own slots are what is left. */
  only?: string | null;
  /** The few ids that fit; empty: all of the kind. */
  among?: string[];
  /** Other defaults for the slots of what stands here, and those that mean nothing here. */
  defaults?: Record<string, string>;
  without?: string[];
}

export interface Role {
  name: string;
  required: boolean;
  falls_back_to?: string | null;
  shape: string;
}

export interface Exclusion {
  slot: string;
  ids: string[];
  only: boolean;
  reason: string;
}

export interface Mechanism {
  /** 'en' where the page speaks another language and there are no words for it. */
  lang?: string;
  noteLang?: string;
  learnsLang?: string;
  id: string;
  kind: string;
  title: string;
  aliases: string[];
  formula: string;
  sentence: string;
  note?: string | null;
  /** The folder that it stands in. */
  family?: string;
  /** Its name in the survey's taxonomy, if it has one there. */
  coordinate?: string | null;
  source?: { authors: string; year: number; where: string; link: string } | null;
  parameters: { name: string; shape: string; distribution: string; prefix: string }[];
  knobs: Knob[];
  roles: Role[];
  slots: Slot[];
  differentiable: boolean;
  learns?: string | null;
  excludes?: Exclusion[];
  /** Of a cell: whether it keeps a memory beside its state. */
  memory?: boolean;
  /** Of a core: whether it is softmax attention computed in another way. */
  exact?: boolean;
  /**
   * Of a core: the masks that may stand beside it; whether it never sees what comes later, and why it cannot but see
   * it.
   */
  masks?: string[];
  always_causal?: boolean;
  never_causal?: string | null;
}

/** A number of what a model did: what it reads, and what it can and cannot tell. */
export interface MeasureRecord {
  id: string;
  title: string;
  sentence: string;
  tells: string;
  better: 'higher' | 'lower' | 'neither';
  lowest: number | null;
  highest: number | null;
  inputs: { name: string; type: string; required: boolean; says: string }[];
  source: { authors: string; year: number; where: string; link: string };
}

export interface Catalogue {
  schema: string;
  mechanisms: Mechanism[];
  /** Absent in the part that the first paint brings. */
  systems?: System[];
  measures?: MeasureRecord[];
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
