// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { get, set } from '../src/engine/pointer.ts';
import { inPoints } from '../src/train/curves.ts';
import { misfitSaid, TaskFits } from '../src/train/task-fits.ts';
import { Gathered } from '../src/train/message-batches.ts';
import type { Progress, TaskRecord, TrainingDocument } from '../src/train/messages.ts';
import { fittingTasks, onTask, setOfTask } from '../src/train/other-task.ts';
import { divided, finer, finerOfSchedule, ofTask, optimiserOf, remove, share, stops, typed,
  valueOf, withOptimiser } from '../src/train/settings.ts';
import { verdictOf } from '../src/train/why-wrong.ts';

const read = (name: string): TrainingDocument => JSON.parse(readFileSync(join(import.meta.dirname,
  `../../examples/trained/${name}.json`), 'utf8')) as TrainingDocument;
const whole = (name: string, least: number, most: number, words = false) =>
  ({ name, title: name, type: 'integer', default: least, minimum: least, maximum: most, words });
const pair = [{ name: 'source', answer: false, numbers: false }, { name: 'target', answer: true, numbers: false }];
const record = (id: string, knobs: TaskRecord['knobs'], fields = pair): TaskRecord =>
  ({ id, title: id, says: '', shows: '', fields, knobs });
const tasks = [
  record('task-reverse', [whole('longest', 1, 60), whole('symbols', 2, 36, true), whole('end', 0, 1)]),
  record('task-sort', [whole('longest', 1, 60), whole('symbols', 2, 36, true), whole('end', 0, 1)]),
  record('task-addition', [whole('longest', 1, 4), whole('digits', 1, 12)]),
  record('task-sets', [{ name: 'question', title: 'question', type: 'text' }]),
  record('task-pairs', [{ name: 'text', title: 'text', type: 'text' }]),
  record('task-shapes', [], [{ name: 'image', answer: false, numbers: true }, pair[1]!]),
];

it('a share to stop at may be typed as a percentage', () => {
  const [words, looks] = stops(true);
  expect(['95', '95 %', '0.95', '95%', '1', '0.5 %', 'x'].map((text) => typed(words!, text)))
    .toEqual([0.95, 0.95, 0.95, 0.95, 1, 0.005, NaN]);
  expect(typed(looks!, '80')).toBe(0.8);
  expect(typed(finer(read('translate'))[1]!, '5')).toBe(5);
});

it('the change of a share is in points, with a sign', () => {
  expect([-0.851, 0.04, 0].map(inPoints)).toEqual(['−85.1', '+4', '±0']);
});

it('a new training has two shares only where two workers train, its batch is large and nothing needs it whole', () => {
  const document = read('translate');
  const shares = (workers: number, training: object) =>
    divided({ ...document, training: { ...document.training, ...training } } as TrainingDocument, workers)
      .training['shares'];
  expect([shares(2, { batch: 16 }), shares(2, { batch: 15 }), shares(1, { batch: 64 })])
    .toEqual([2, undefined, undefined]);
  expect([shares(2, { shares: 1 }), shares(2, { estimator: 'moving-baseline' })]).toEqual([1, undefined]);
  expect(document.training['shares']).toBeUndefined();
});

describe('another optimiser', () => {
  it('keeps what it knows and forgets what it would refuse', () => {
    const document = read('translate');
    set(document, '/training/optimiser', { type: 'adamw', rate: 0.005, beta2: 0.98, 'weight-decay': 0.25 });
    const sgd = withOptimiser(document, 'sgd');
    expect(sgd).toEqual({ type: 'sgd', rate: 0.005, 'weight-decay': 0.25 });
    set(document, '/training/optimiser', { ...sgd, momentum: 0.9 });
    expect(finer(document).map(({ name }) => name)).toContain('momentum');
    expect(withOptimiser(document, 'adam')).toEqual({ type: 'adam', rate: 0.005, 'weight-decay': 0.25 });
    set(document, '/training/optimiser', 'sgd');
    expect([optimiserOf(document), valueOf(document, ofPath(document, 'rate'))]).toEqual(['sgd', 0.1]);
    expect(withOptimiser(document, 'adam')).toEqual({ type: 'adam' });
  });
});

const ofPath = (_document: TrainingDocument, name: string) =>
  ({ name, path: `/training/optimiser/${name}`, fallback: 0.001, least: 0, most: 1 });

describe('settings', () => {
  it('that are off are no part of the document', () => {
    const document = read('translate');
    const before = structuredClone(document);
    for (const { path } of stops(true)) set(document, path, 0.9);
    expect(get(document, '/training/stop')).toEqual({ accuracy: 0.9, alignment: 0.9 });
    for (const { path } of stops(true)) remove(document, path);
    expect(document).toEqual(before);
    set(document, '/training/schedule/type', 'constant');
    expect(finerOfSchedule(document).map(({ name }) => name)).toEqual(['warmup']);
  });

  it('of one value only stand at the beginning of their track', () => {
    expect(share(ofTask(whole('one', 3, 3)), 3)).toBe(0);
  });
});

describe('another task for the same model', () => {
  const reverse = read('reverse');

  it('is one that fills the same inputs, and is not the reader\'s own', () => {
    expect(fittingTasks(tasks, 'task-reverse').map(({ id }) => id))
      .toEqual(['task-sort', 'task-addition', 'task-sets']);
    expect(fittingTasks(tasks, 'task-shapes')).toEqual([]);
    expect(fittingTasks(tasks, undefined)).toEqual([]);
  });

  it('keeps the settings that it has too, and no words or weights of the one before', () => {
    const given = { ...structuredClone(reverse), parameters: { from: 'reverse.safetensors' } } as TrainingDocument;
    const sort = onTask(given, tasks[1]!, 'Sort');
    expect(sort.training['task']).toEqual({ type: 'task-sort', longest: 8, end: 0 });
    expect([sort.title, sort['inputs'], sort['parameters']]).toEqual(['Sort', {}, undefined]);
    expect(JSON.stringify(sort['model'])).not.toMatch(/vocabulary|classes/);
    expect(JSON.stringify(given['model'])).toMatch(/vocabulary/);
    // Eight is too long for this one.
    expect(onTask(given, tasks[2]!, 'Addition').training['task']).toEqual({ type: 'task-addition' });
  });

  it('learns without what helped with the examples of the one before', () => {
    const translate = read('translate');
    expect(Object.keys(translate.training)).toEqual(expect.arrayContaining(['dropout', 'word-dropout']));
    const sort = onTask(translate, tasks[1]!, 'Sort').training;
    expect(sort['optimiser']).toEqual({ type: 'adam', rate: 0.005 });
    expect([sort['batch'], sort['dropout'], sort['word-dropout'], sort['guide']]).toEqual([64, undefined, undefined,
      undefined]);
    expect([sort['steps'], sort['schedule']]).toEqual([translate.training['steps'], translate.training['schedule']]);
  });

  it('that does not fit says by how many words', () => {
    expect(misfitSaid({ path: '/inputs/target', message: 'expected shape [m dt] = [8 16], found [1 16]' }))
      .toBe('does not fit, because the model writes 8 words and the answer has 1');
    expect(misfitSaid({ path: '/model', message: 'no' })).toBe('does not fit (no)');
  });

  it('forgets its words where a setting decides them, and only there', () => {
    const document = structuredClone(reverse);
    setOfTask(document, whole('longest', 1, 60), 5);
    expect(JSON.stringify(document['model'])).toMatch(/vocabulary/);
    setOfTask(document, whole('symbols', 2, 36, true), 12);
    expect(get(document, '/training/task/symbols')).toBe(12);
    expect(JSON.stringify(document['model'])).not.toMatch(/vocabulary/);
  });
});

describe('a training that ended with wrong answers', () => {
  const document = (training: object) => ({ title: 'x', training }) as unknown as TrainingDocument;
  const steps = (loss: number) => Array.from({ length: 40 }, (_, k) => ({ step: k + 1, loss: k < 36 ? 9 : loss,
    gradientNorm: 1, rate: 1 }));
  const last = (accuracy: number, heldOutLoss: number) => ({ step: 40, heldOut: 500, heldOutLoss, accuracy, exact: 0 });

  it('says what its own numbers tell', () => {
    expect(verdictOf(document({}), steps(0.1), last(0.95, 0.1))).toBeUndefined();
    expect(verdictOf(document({}), steps(2), undefined)).toBeUndefined();
    expect(verdictOf(document({}), steps(2), last(0.2, 2.1)))
      .toEqual({ kind: 'unfound', accuracy: 0.2, loss: 2, heldOut: 2.1, steps: 40 });
    expect(verdictOf(document({ 'word-dropout': 0.3 }), steps(2), last(0.2, 2.1))?.kind).toBe('dropped');
    expect(verdictOf(document({ 'word-dropout': 0.3 }), steps(0.2), last(0.2, 2.1))?.kind).toBe('memorised');
  });
});

describe('a target that was reached', () => {
  it('is told even where more came before the page was told', () => {
    let now = 0;
    const told: Progress[] = [];
    const gathered = new Gathered((news) => told.push(news), () => now);
    const news = (at: number, more: Partial<Progress> = {}): Progress =>
      ({ kind: 'progress', at, steps: [], measured: [], shots: [], checkpoints: [], perSecond: 0, ...more });
    gathered.add(news(1));
    gathered.add(news(2, { reached: true }));
    gathered.add(news(2));
    now = 100;
    gathered.flush();
    expect(told.map(({ at, reached }) => [at, reached])).toEqual([[1, undefined], [2, true]]);
  });
});

describe('whether other tasks fit', () => {
  const fitsOf = () => {
    const asked: unknown[] = [];
    let say = (_: unknown): void => undefined;
    const fits = new TaskFits(((news: (one: unknown) => void) => {
      say = news;
      return { send: (order: unknown) => asked.push(order), close: () => undefined };
    }) as never, () => 'x.wasm');
    return { fits, asked, say: (one: unknown) => say(one) };
  };
  const of = tasks.slice(0, 2);
  it('is known when the answer has come, and asked once', async () => {
    const { fits, asked, say } = fitsOf();
    let known = false;
    const first = fits.ask(read('reverse'), of).then(() => (known = true));
    const second = fits.ask(read('reverse'), of);
    await Promise.resolve();
    expect([known, asked.length]).toEqual([false, 1]);
    say({ kind: 'fits', problems: { 'task-sort': { message: 'why' } } });
    await Promise.all([first, second]);
    expect([known, fits.problem('task-sort')?.message, fits.problem('task-reverse')]).toEqual([true, 'why', undefined]);
  });

  it('leaves nobody waiting when the worker is closed', async () => {
    const { fits } = fitsOf();
    const waits = fits.ask(read('reverse'), of);
    fits.close();
    await waits;
    expect(fits.problem('task-sort')).toBeUndefined();
  });
});
