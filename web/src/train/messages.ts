// SPDX-License-Identifier: Apache-2.0
import type { Doc, TensorEntry } from '../engine/types.ts';
import type { WeightsData } from '../files/data.ts';
import type { FittedMade } from '../files/weights-origin.ts';
import type { SharesOf } from './meeting.ts';

/** One step of a training. */
export interface Step {
  step: number;
  loss: number;
  gradientNorm: number;
  rate: number;
}

/** What held-out examples say after a step. */
export interface Measures {
  heldOut: number;
  heldOutLoss: number;
  /** Share of words right. */
  accuracy: number;
  /** Share of answers right to the last word. */
  exact: number;
  /** Share of rows that look most at what their word means. */
  alignment?: number;
  /** The same, or at what the word's form depends on. */
  agrees?: number;
  /** Whether they reach what the document's training stops at. */
  reached?: boolean;
}

/** `written`: what the model then wrote to each of the held-out examples that are shown. */
export type Measured = Measures & { step: number; written?: string[][] };

/** A held-out example that is shown: what is read, by field, and the right answer. */
export interface Held {
  asked: [string, string[]][];
  truth: string[];
}

/** Row, column, and what joins them. */
export type Link = [number, number, 'means' | 'agrees'];

/** A map [heads rows columns] as results describe theirs; pictures that were kept by earlier releases have no types. */
export type MapEntry = Pick<TensorEntry, 'name' | 'role' | 'kind' | 'dimensions'> & {
  shape: [number, number, number];
  /** What its rows and columns are, where the rows are no words of the answer: the answer is read off the last row. */
  words?: [string[], string[]] };

/** What stays as it is of the pinned example while the model learns. */
export interface Scene {
  source: string[];
  truth: string[];
  /** The task makes no such source: `truth` is only what the document has as an answer. */
  outside?: boolean;
  maps: MapEntry[];
  links: Link[];
  /** What other fields say beside the source, word by word. */
  given?: Record<string, string[]>;
  /** The shape of the image that the source's places are of, and its numbers. */
  image?: number[];
  pixels?: Float32Array;
}

/** What the model makes of it after a step. */
export interface Shot {
  step: number;
  written: string[];
  /** The chance that the right word of each row was given. */
  chance: number[];
  /** The maps' weights one behind the other, each [heads rows columns]. */
  weights: Float32Array;
}

/** Pictures of one training share what their scene holds. */
export type Picture = Scene & Shot;

/** A setting of a task, as its record tells. */
export interface TaskKnob {
  name: string;
  title?: string;
  type: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  /** It decides which words there are. */
  words?: boolean;
}

/** A task, as the engine lists it. */
export interface TaskRecord {
  id: string;
  title: string;
  says: string;
  shows: string;
  fields: { name: string; answer: boolean; numbers: boolean }[];
  knobs: TaskKnob[];
}

/** What is known of a training before its first step. */
export interface Begun {
  session: number;
  task: string;
  step: number;
  steps: number;
  weights: number;
  learnsFrom: number;
  heldOut: number;
  /** How each batch is divided, where it is. */
  shares?: SharesOf;
  /** What of the task can be set. */
  knobs?: TaskKnob[];
  /** All tasks that there are. */
  tasks?: TaskRecord[];
  /** With the vocabularies and the pinned example filled in. */
  document?: TrainingDocument;
}

/** The functions of the training's module: docs/training.md says what they answer. */
export interface Trainer {
  tasks(): string;
  trainOpen(document: string, checkpoint: Uint8Array | ''): string;
  trainStep(session: number, steps: number, milliseconds: number): { directory: string; data: Float32Array };
  /** The same with other workers: `meet` hands on this worker's shares and writes those of the others. */
  trainStepTogether(session: number, steps: number, milliseconds: number, worker: number, workers: number,
    meet: (all: Float32Array, each: number) => boolean): { directory: string; data: Float32Array };
  trainMeasure(session: number, count: number): string;
  /** Measures of docs/measures.md over held-out examples, or of the model itself. */
  trainEvaluate(session: number, request: string): string;
  trainPinned(session: number): { directory: string; data: Float32Array };
  /** Some held-out examples, with what the model writes to them. */
  trainExamples(session: number, count: number): string;
  trainSave(session: number, what: 'checkpoint' | 'float' | 'half' | 'bytes'): { directory: string; data: Uint8Array };
  trainRestore(session: number, checkpoint: Uint8Array): string;
  trainClose(session: number): void;
  /** A document as a module ("pytorch", "numpy") with its weights, or as the script that trains it ("train"). */
  moduleCode(document: string, form: string, headings: string): { directory: string; data: Uint8Array };
  words(file: Uint8Array): string;
  weights(name: string, size: number, at: number, part: Uint8Array): string;
}

export interface Problem {
  path: string;
  message: string;
}

/** Where the page's engine lies, in one part or in two. */
export interface EngineAt {
  wasmUrl: string;
  deferredUrl?: string;
}

export type Order =
  /**
   * `weights`: those of another model, of which is kept what fits; `engine`: it gives maps that a training lacks;
   * `helper`: the script of a second worker, where two may share memory.
   */
  | { kind: 'begin'; document: string; wasmUrl: string; checkpoint?: Uint8Array; weights?: Uint8Array;
    engine?: EngineAt; helper?: string }
  /** `until`: the step at which it pauses by itself. */
  | { kind: 'play'; pace: number; until?: number }
  /** `whole`: over all held-out examples, and not a sample of them. */
  | { kind: 'try'; variants: Variant[]; whole?: boolean }
  /**
   * Weights are measured in a session of their own: what is asked, over so many held-out examples; without ids, all
   * that fit.
   */
  | { kind: 'judge'; document: string; wasmUrl: string; weights: Uint8Array; ids?: readonly string[]; examples: number }
  | { kind: 'pause' }
  | { kind: 'step' }
  | { kind: 'restore'; checkpoint: Uint8Array }
  | { kind: 'save'; weightsOnly: boolean }
  /** `held`: the weights that the document names, where only the page holds them. */
  | { kind: 'module'; document: string; form: string; headings: string; wasmUrl: string; wordsUrls: string[];
    weightsUrls: Record<string, string>; held: { name: string; bytes: WeightsData }[] }
  /** Whether the engine begins these documents, by id. */
  | { kind: 'fits'; trials: (readonly [id: string, document: string])[]; wasmUrl: string }
  /** The training is given up; its worker goes on with others. */
  | { kind: 'close' };

/** Trainings that share a worker are told apart by a number; where there is one alone it has none. */
export type Shared<Message> = Message & { of?: number };

/** What a measure says: docs/measures.md. */
export interface Judged {
  measure: string;
  /** None where there is no number, or one that grows without end. */
  value: number | null;
  infinite?: boolean;
  units: number;
  better: 'higher' | 'lower' | 'neither';
  interval?: { low: number; high: number; level: number };
  details: Record<string, unknown>;
  notes: string[];
}

/** The model with something else in one place, and all weights that fit; nothing is learned anew. */
export interface Variant {
  document: string;
  /** Weights that are set, by their names. */
  patch?: Record<string, number[]>;
}

export interface Checkpoint {
  step: number;
  bytes: Uint8Array;
}

/** What came of some steps, in their order. */
export interface Progress {
  kind: 'progress';
  /** The step that the training is at. */
  at: number;
  steps: Step[];
  measured: Measured[];
  /** Only with the first pictures of a session. */
  scene?: Scene;
  /** With the scene: the held-out examples that measurements tell of. */
  held?: Held[];
  shots: Shot[];
  checkpoints: Checkpoint[];
  perSecond: number;
  /** How many workers take the steps. */
  workers?: number;
  /** Why the training went back to its last good step, which is `at`. */
  failure?: string;
  /** All held-out examples together reached for the first time what the training stops at. */
  reached?: boolean;
}

export type News =
  | { kind: 'begun'; begun: Begun; fitted?: FittedMade }
  | { kind: 'tried'; at: number; measures?: Measures; problem?: Problem; last: boolean }
  | { kind: 'judging'; picture: Picture; count: number }
  | { kind: 'judged'; id: string; found?: Judged; problem?: Problem; last: boolean }
  | Progress
  | { kind: 'stopped'; at: number; finished: boolean }
  | { kind: 'saved'; bytes: Uint8Array; weightsOnly: boolean }
  /** What the engine answered; the weights are empty where there are none. */
  | { kind: 'module'; text: string; weights: Uint8Array }
  /** What is wrong with those that do not begin. */
  | { kind: 'fits'; problems: Record<string, Problem> }
  /** `by`: the order that was refused. */
  | { kind: 'refused'; problem: Problem; by: Order['kind'] };

export type TrainingDocument = Doc & { title: string; training: { steps?: number; [name: string]: unknown } };
