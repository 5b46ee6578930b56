// SPDX-License-Identifier: Apache-2.0
// Written by tools/answer_types.mjs from answers.schema.json: change the schema, not this file.
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** A document, schema/experiment.schema.json. */
export interface Doc extends JsonObject {
  schema: string;
  inputs: { [name: string]: JsonObject };
  /** One of these two: a module alone, or several that are wired by name (`model`). */
  mechanism: JsonObject;
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
  /** The tensors that it was computed from, by their place in the list; those that were left out follow the others. */
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
}

export interface Measure {
  rowSums?: number[];
  entropy?: number[];
  support?: number[];
  largest?: {
    index: number[];
    value: number;
  };
}

/** One word for a place in the survey's taxonomy. Without a value: the title of the mechanism `id`. */
export interface Coordinate {
  group: string;
  name: string;
  value: string | null;
  id: string | null;
}

/** Where a document stands in the survey's taxonomy; if its modules differ, a name has several words. */
export interface Taxonomy {
  coordinates: Coordinate[];
}

/** A system of the literature: a file of systems/, with the coordinates of its document. */
export interface System {
  id: string;
  title: string;
  paper: {
    authors: string;
    year: number;
    where: string;
    link: string;
  };
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

/** What has changed since the last answer; the numbers of the `changed` tensors follow one another. */
export interface Changes {
  ok: true;
  read: number;
  same: true;
  /** Places in the list of tensors; of those that share their numbers, the first. */
  changed: number[];
  /** By place; after the tensors come those that were left out. */
  formulas: Record<string, string>;
  measures: Record<string, Measure>;
  warnings: Located[];
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
  /** The cost of the outputs, without gradients. */
  cost: WholeCost;
  /** How many softmax attentions ran in the fast kernel, which holds no scores or weights. */
  fused?: number;
  /** Outputs and drawn parameters whose numbers are not here: too large, or not asked for. */
  left?: LeftEntry[];
  taxonomy?: Taxonomy;
  /** Of a picture without parameters: the letters that they take, by module. */
  letters?: Record<string, string>;
  document: Doc;
}

export interface Failure {
  ok: false;
  error: Located;
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
  /** The rule in words, for errors. */
  said?: string;
}

export interface Knob {
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
  /** A number has to be larger than this. */
  above?: number;
  /** The smallest number that the engine takes; `minimum` is where a slider begins. */
  at_least?: number;
  /** The largest number that the engine takes; `maximum` is where a slider ends. */
  at_most?: number;
  /** A number is taken in place of a list. */
  or_number?: boolean;
}

export interface Slot {
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
  source?: {
    authors: string;
    year: number;
    where: string;
    link: string;
  } | null;
  parameters: ({
    name: string;
    shape: string;
    distribution: string;
    prefix: string;
    /** The number, or the expression of sizes, where a constant distribution starts. */
    start?: string;
    /** Trained numbers stay above this. */
    above?: number;
    /** Trained numbers are at least this. */
    at_least?: number;
    /** Trained numbers are at most this. */
    at_most?: number;
  })[];
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
  /** Of a core: the masks that it can be used with. */
  masks?: string[];
  /** Of a core: it never sees later keys. */
  always_causal?: boolean;
  /** Of a core: why it always sees later keys. */
  never_causal?: string | null;
  /** What it is shown with in other slots, where its own example needs that. */
  beside?: Record<string, string>;
  /** Of a core: why it reads later tokens even under a causal mask. */
  peeks?: string | null;
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
  inputs: ({
    name: string;
    type: string;
    required: boolean;
    says: string;
    /** The result of a document that it can be taken from. */
    from_document: string | null;
  })[];
  source: {
    authors: string;
    year: number;
    where: string;
    link: string;
  };
  aliases: string[];
  formula: string;
  knobs: Knob[];
}

export interface Catalogue {
  schema: string;
  mechanisms: Mechanism[];
  /** Absent in the part that the first paint brings. */
  systems?: System[];
  measures?: MeasureRecord[];
}

/** A tensor whose numbers are not in the answer. */
export interface LeftEntry {
  group: Group;
  name: string;
  shape: number[];
  axes: string[];
  formula?: string;
  /** The module that made it; empty for the one of `mechanism`. */
  module?: string;
  /** The module whose result it is. */
  within?: string;
  /** The tensors that it was computed from, by their place in the list; those that were left out follow the others. */
  from?: number[];
  /** Its place in the order of computation. */
  step?: number;
  role?: TensorRole;
  kind?: NumberKind;
  /** One for each axis of an input, output, parameter or gradient; of a step only where it runs in time. */
  dimensions?: Dimension[];
}

/** What a computation takes, known from its shapes: upper bounds where `exact` is false, because the data decide. */
export interface WholeCost {
  multiply_adds: number;
  exponentials: number;
  bytes: number;
  exact: boolean;
  /** Of the context alone, where there is one. */
  context?: Cost;
  /** Of what all modules of a model give. */
  model?: Cost;
}

/** A tensor that is kept: all of it, or so many of its rows after each word. */
export interface Held {
  /** In LaTeX, or an output's name. */
  name: string;
  module: string;
  /** Of all of it, or of one row. */
  numbers: number;
  grows: boolean;
  /** Of one row that came so many words before. */
  back?: number;
  /** Where it has no name: the first tensor that is computed from it, in LaTeX. */
  for?: string;
  /** Where it has no name: the last tensor that it is computed from, in LaTeX. */
  from?: string;
  rows?: number[];
}

/** What must be kept to write the next word. */
export interface Kept {
  over: string;
  /** The last result that can run one row at a time. */
  until: string;
  rows: number;
  /** After 1, 2, .. words. */
  numbers: number[];
  bytes: number[];
  tensors: Held[];
}

/** What the document's task knows of the words that were read. */
export interface Known {
  id: string;
  /** The right answer; null where the task makes no such source. */
  right: string[] | null;
  /** The kinds of sources that it makes, each with one like it. */
  forms: ({
    says: string;
    like: string;
  })[];
}

/** What a trained document writes by itself. */
export interface Written {
  input: string;
  tokens: string[];
  ended: boolean;
  task?: Known;
}

/** Why a function other than run gives no answer. */
export interface Refused {
  error: Located;
}
