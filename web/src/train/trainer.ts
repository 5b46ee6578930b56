// SPDX-License-Identifier: Apache-2.0
// The training's own worker, with an instance of the engine of its own: nothing on the page waits for it.
import create from 'attention-training';
import { Gathered } from './gather.ts';
import type { Begun, Held, Measured, Measures, News, Order, Picture, Problem, Progress, Step, TaskRecord, Trainer,
  Variant } from './messages.ts';
import { judge } from './judging.ts';
import { type Fitted, fitted, readWeights, type WeightsFile } from '../files/weights.ts';

// The cast: lib.dom types `self` as a window, whose postMessage has another shape.
const port = self as unknown as { onmessage: (event: MessageEvent<Order>) => void;
  postMessage(news: News, transfer?: Transferable[]): void };

/** So many pictures, measurements and checkpoints are made over the whole training. */
const PICTURES = 400;
const MEASUREMENTS = 60;
const CHECKPOINTS = 20;
/** Between two looks at what was ordered meanwhile, in milliseconds. */
const SHARE = 50;
/** While it runs, so many held-out examples are measured; all of them at the end. */
const SAMPLE = 96;
/** Of so many of them it is shown what the model writes. */
const SHOWN = 5;

let module: Trainer | undefined;
let begun: Begun | undefined;
let playing = false;
let pace = 0;
/** Where playing ends by itself. */
let until = Infinity;
/** Of the loop that plays: one that another overtook ends without a word. */
let round = 0;
let perSecond = 0;
/** What the training stops at was reached: it stops there once. */
let met = false;
/** The session whose scene the page knows. */
let seenOf: number | undefined;

class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

function read<T>(text: string): T {
  const answer = JSON.parse(text) as T & { error?: Problem };
  if (answer.error) throw new Refused(answer.error);
  return answer;
}

const every = (parts: number): number => Math.max(1, Math.floor(begun!.steps / parts));

const tasksOf = (): TaskRecord[] => JSON.parse(module!.tasks()) as TaskRecord[];

/** Where each list of an answer lies in its packed numbers: its start and its length. */
interface Listed {
  lists: Record<string, [number, number]>;
}

const listIn = ({ lists }: Listed, data: Float32Array, name: string): Float32Array => {
  const [start, length] = lists[name]!;
  return data.slice(start, start + length);
};

function picture(step: number, session = begun!.session): Picture {
  const { directory, data } = module!.trainPinned(session);
  const { lists, ...pinned } = read<Picture & Listed>(directory);
  const maps = pinned.maps.map(({ name }) => listIn({ lists }, data, name));
  const weights = new Float32Array(maps.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const map of maps) {
    weights.set(map, at);
    at += map.length;
  }
  return { ...pinned, step, weights, ...(pinned.image ? { pixels: listIn({ lists }, data, 'image') } : {}) };
}

/** The pinned example now; what of it never changes goes with the first picture of a session alone. */
function pictured(step: number): Pick<Progress, 'scene' | 'shots'> {
  const { written, chance, weights, ...scene } = picture(step);
  const shots = [{ step, written, chance, weights }];
  if (seenOf === begun!.session) return { shots };
  seenOf = begun!.session;
  return { scene, shots };
}

/** Takes at most so many steps, and says what each found, and why it went back if it did. */
function stepped(count: number): { steps: Step[]; at: number; failure?: string } {
  const { directory, data } = module!.trainStep(begun!.session, count, SHARE);
  const answer = read<Listed & { step: number; taken: number; failure?: string }>(directory);
  const [loss, gradientNorm, rate] = ['loss', 'gradientNorm', 'rate'].map((name) => listIn(answer, data, name));
  const steps = Array.from(loss!,
    (one, k) => ({ step: begun!.step + k + 1, loss: one, gradientNorm: gradientNorm![k]!, rate: rate![k]! }));
  return { steps, at: answer.step, failure: answer.failure };
}

const measures = (count: number): Measures => read<Measures>(module!.trainMeasure(begun!.session, count));
const saved = (): Uint8Array => module!.trainSave(begun!.session, 'checkpoint').data;

function tell(news: News): void {
  const own = news.kind === 'progress' ? [...news.shots.map(({ weights }) => weights.buffer),
    ...news.checkpoints.map(({ bytes }) => bytes.buffer)] : [];
  port.postMessage(news, own as ArrayBuffer[]);
}

const gathered = new Gathered(tell, () => performance.now());

const progress = (news: Partial<Progress>): Progress =>
  ({ kind: 'progress', at: begun!.step, steps: [], measured: [], shots: [], checkpoints: [], perSecond, ...news });
interface Written extends Held {
  written: string[];
}
const examples = (): Written[] =>
  read<{ examples: Written[] }>(module!.trainExamples(begun!.session, SHOWN)).examples;

function measuredNow(count: number): Measured[] {
  const step = begun!.step;
  const some = measures(count);
  // A few examples may reach by luck what all together do not.
  const sure = some.reached && !met && count < begun!.heldOut ? measures(begun!.heldOut) : some;
  return [{ ...sure, step, written: examples().map(({ written }) => written) }];
}
const checkpointNow = () => [{ step: begun!.step, bytes: saved() }];

/** Takes steps up to the next that something is to be shown of. */
function advance(most: number): number {
  const from = begun!.step;
  const next = (parts: number) => (Math.floor(from / every(parts)) + 1) * every(parts);
  const stop = Math.min(begun!.steps, until, next(PICTURES), from + most);
  const { steps, at: now, failure } = stepped(stop - from);
  begun!.step = now;
  const failed = failure !== undefined;
  const due = (parts: number) => failed || now === begun!.steps || now % every(parts) === 0;
  const end = now === begun!.steps;
  const measured = due(MEASUREMENTS) ? measuredNow(end ? begun!.heldOut : SAMPLE) : undefined;
  const reached = !met && !failed && measured?.[0]!.reached === true;
  met ||= reached;
  gathered.add(progress({
    steps, ...(failed ? { failure } : {}), ...(measured ? { measured } : {}), ...(reached ? { reached } : {}),
    ...(due(PICTURES) ? pictured(now) : {}),
    ...(due(CHECKPOINTS) ? { checkpoints: checkpointNow() } : {}),
  }));
  if (failed || reached || end || now >= until) playing = false;
  return steps.length;
}

/** Puts those of the other weights into a session that fit it. */
function fit(session: number, from: WeightsFile, patch?: Record<string, number[]>): Fitted {
  const { file, kept, drawn } = fitted(readWeights(module!.trainSave(session, 'float').data), from, patch);
  if (kept.length === 0)
    throw new Refused({ path: '', message: `of the ${from.tensors.size} weights of this file none has the name and the `
      + `shape of one of this model's ${drawn.length}: it is of another model` });
  read(module!.trainRestore(session, file));
  return { kept, drawn };
}

/** What the model measures with something else in one place. */
function tried({ document, patch }: Variant): { measures?: Measures; problem?: Problem } {
  let session: number | undefined;
  try {
    ({ session } = read<Begun>(module!.trainOpen(document, '')));
    fit(session, readWeights(module!.trainSave(begun!.session, 'float').data), patch);
    return { measures: read<Measures>(module!.trainMeasure(session, SAMPLE)) };
  } catch (problem) {
    return { problem: problem instanceof Refused ? problem.problem : { path: '', message: String(problem) } };
  } finally {
    if (session !== undefined) module!.trainClose(session);
  }
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Further behind its pace than this, in milliseconds, a slow machine does not try to make up for it. */
const BEHIND = 250;

async function play(): Promise<void> {
  const own = ++round;
  let since = performance.now();
  let count = 0;
  // When the next step is to be taken: what a wait took too long, the next ones make up for.
  let due = since;
  while (playing && own === round) {
    const start = performance.now();
    let taken = 0;
    // A slow pace takes one step at a time; at full speed as many as fit between two looks.
    do taken += advance(pace > 0 ? 1 : 8);
    while (playing && pace === 0 && performance.now() - start < SHARE);
    count += taken;
    const now = performance.now();
    if (now - since > 500) {
      perSecond = (1000 * count) / (now - since);
      since = now;
      count = 0;
    }
    due = pace > 0 ? Math.max(due + (1000 * taken) / pace, now - BEHIND) : now;
    await wait(Math.max(0, due - now));
  }
  if (own !== round) return;
  // Whoever pauses may leave the page.
  if (begun && begun.step < begun.steps) gathered.add(progress({ checkpoints: checkpointNow() }));
  gathered.flush();
  if (begun) tell({ kind: 'stopped', at: begun.step, finished: begun.step >= begun.steps });
}

async function obey(order: Order): Promise<void> {
  switch (order.kind) {
    case 'begin': {
      playing = false;
      module ??= await create({ locateFile: () => order.wasmUrl });
      begun = read<Begun>(module!.trainOpen(order.document, order.checkpoint ?? ''));
      const kept = order.weights && fit(begun.session, readWeights(order.weights));
      begun.tasks = tasksOf();
      begun.knobs = begun.tasks.find(({ id }) => id === begun!.task)?.knobs;
      tell({ kind: 'begun', begun, fitted: kept });
      perSecond = 0;
      met = false;
      const measured = measuredNow(SAMPLE);
      // What goes on from behind the target does not stop at it again.
      met = begun.step > 0 && measured[0]!.reached === true;
      tell(progress({ measured, ...pictured(begun.step), checkpoints: checkpointNow(),
        held: examples().map(({ asked, truth }) => ({ asked, truth })) }));
      return;
    }
    case 'judge': {
      module ??= await create({ locateFile: () => order.wasmUrl });
      const { session } = read<Begun>(module!.trainOpen(order.document, ''));
      fit(session, readWeights(order.weights));
      return judge(module!, session, order, picture(0, session), tell, wait);
    }
    case 'play':
      pace = order.pace;
      until = order.until ?? Infinity;
      if (playing) return;
      playing = true;
      return play();
    case 'pause':
      playing = false;
      return;
    case 'step':
      if (!playing) advance(1);
      gathered.flush();
      return;
    case 'restore':
      playing = false;
      round++;
      gathered.drop();
      begun = { ...begun!, ...read<{ step: number }>(module!.trainRestore(begun!.session, order.checkpoint)) };
      met = measures(SAMPLE).reached === true;
      tell({ kind: 'begun', begun });
      return;
    case 'try':
      for (const [at, variant] of order.variants.entries()) {
        tell({ kind: 'tried', at, ...tried(variant), last: at === order.variants.length - 1 });
        await wait(0);
      }
      return;
    case 'save':
      // Whoever goes on from these bytes has all that came before them.
      gathered.flush();
      tell({ kind: 'saved', bytes: module!.trainSave(begun!.session, order.weightsOnly ? 'half' : 'checkpoint').data,
        weightsOnly: order.weightsOnly });
  }
}

port.onmessage = ({ data }) => {
  obey(data).catch((problem: unknown) => {
    playing = false;
    tell({ kind: 'refused', problem: problem instanceof Refused ? problem.problem
      : { path: '', message: String(problem) } });
  });
};
