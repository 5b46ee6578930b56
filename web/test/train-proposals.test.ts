// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
// What the place Train proposes for each document that can be trained: other scores, choices that vary, parts to take
// away, settings to try, other tasks. Each is begun with the real engine and takes a step. A plain run begins a fixed
// sample, `./test --all` all of them.
import './no-window.ts';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Json } from '../src/engine/types.ts';
import { membersOf } from '../src/state/model.ts';
import { get, set } from '../src/engine/pointer.ts';
import { ableOf } from '../src/train/trainable-options.ts';
import { widthFor } from '../src/train/equal-widths.ts';
import { axesOf, scoreOf } from '../src/train/axes.ts';
import choices from '../src/train/choices.json';
import type { Desk } from '../src/train/train-state.ts';
import { documents } from '../src/train/documents.ts';
import { misfitSaid } from '../src/train/task-fits.ts';
import type { Begun, Measures, Problem, TaskRecord, Trainer, TrainingDocument } from '../src/train/messages.ts';
import { fittingTasks, onTask } from '../src/train/other-task.ts';
import { problemsOf } from '../src/train/problems.ts';
import { trialsOf } from '../src/train/trials.ts';
import { tries } from '../src/train/suggestions.ts';
import { book, client } from './choosing.ts';
import { root } from './shipped.ts';

vi.mock('../src/engine/load.ts', () => ({ weightsNamed: async () => undefined }));
vi.mock('../src/engine/kept.ts', () => ({ keepWeights: async () => false, keptWeights: async () => undefined }));
const { default: create } = await import(join(root, 'build/wasm/bin/training.mjs')) as
  { default: () => Promise<Trainer> };
let trainer = await create();
const tasks = JSON.parse(trainer.tasks()) as TaskRecord[];
// The page trains in a new worker each time.
beforeEach(async () => {
  trainer = await create();
});

const everything = process.env['ATTEND_ALL'] !== undefined;
const ONE_IN = 12;
const inSample = (name: string): boolean =>
  everything || createHash('sha256').update(name).digest().readUInt32LE(0) % ONE_IN === 0;

/** Begins a training and takes a step; why it could not. */
function begun(document: TrainingDocument): string | undefined {
  const found = JSON.parse(trainer.trainOpen(JSON.stringify(document), '')) as Begun & { error?: Problem };
  if (found.error) return `${found.error.path}: ${found.error.message}`;
  const { directory, data } = trainer.trainStep(found.session, 1, 1e6);
  trainer.trainClose(found.session);
  const { failure } = JSON.parse(directory) as { failure?: string };
  return failure ?? (data.slice(0, 1).every(Number.isFinite) ? undefined : 'its loss is no number');
}

function opened(document: TrainingDocument): Begun {
  const found = JSON.parse(trainer.trainOpen(JSON.stringify(document), '')) as Begun & { error?: Problem };
  expect(found.error).toBeUndefined();
  trainer.trainClose(found.session);
  return found;
}

const all = [...documents];

it.each(all)('%s: other scores and whatever else may vary', async (name, document) => {
  const filled = opened(document).document!;
  const axes = axesOf(book, document);
  const wrong: string[] = [];
  for (const axis of axes) for (const option of axis.options) {
    const title = `${name} ${axis.path} ${option.id}`;
    const first = axis.kind === 'score' && choices.scores.includes(option.id);
    if (!first && !inSample(title)) continue;
    const able = await ableOf(client, book, filled, axis, option);
    const copy = structuredClone(document);
    (able.option ?? option).apply(copy);
    const problem = begun(copy);
    if (able.option && problem !== undefined) wrong.push(`${title}: ${problem}`);
    if (!able.option && problem === undefined)
      wrong.push(`${title} is not offered (${able.refusal}), and can be trained`);
    if (first && !able.option) wrong.push(`${title} cannot be compared: ${able.refusal}`);
  }
  expect(wrong).toEqual([]);
  const score = scoreOf(axes, membersOf(document as never), '');
  expect(score?.kind ?? 'score').toBe('score');
}, 3_600_000);

it('the recall task: another size of its decoder lets efficient forms be compared', async () => {
  const recall = documents.get('recall')!;
  const filled = opened(recall).document!;
  const axis = axesOf(book, recall).find(({ kind }) => kind === 'core')!;
  const linear = axis.options.find(({ id }) => id === 'linear')!;
  expect((await ableOf(client, book, filled, axis, linear)).refusal).toContain('equally wide');
  const found = await widthFor(client, book, filled, axis, linear);
  expect(found).toEqual({ path: '/model/2/hidden', width: 48 });
  const wide = structuredClone(recall);
  set(wide as never, found!.path, found!.width);
  for (const id of ['', 'linear', 'performer', 'linformer']) {
    const copy = structuredClone(wide);
    axis.options.find((one) => one.id === id)!.apply(copy);
    expect([id, begun(copy)]).toEqual([id, undefined]);
  }
}, 120_000);

it.each(all)('%s: parts that are taken away or exchanged while the weights stay', (name, document) => {
  const wrong = trialsOf(book, document).flatMap(({ id, document: trial }) => {
    if (!inSample(`${name} trial ${id}`)) return [];
    const problem = begun(trial);
    return problem === undefined ? [] : [`${name} ${id}: ${problem}`];
  });
  expect(wrong).toEqual([]);
}, 3_600_000);

it.each(all)('%s: what to try next, and other tasks', (name, document) => {
  const wrong: string[] = [];
  const store = { book } as never;
  const deskOn = (draft: TrainingDocument) => ({ document: draft, training: { links: true },
    put: (path: string, value: Json) => set(draft as never, path, value) }) as unknown as Desk;
  for (const one of tries) {
    const draft = structuredClone(document);
    if (!one.fits(deskOn(draft), store)) continue;
    const desk = deskOn(draft);
    one.act(desk, store);
    if (desk.planned) for (const [path, ids] of Object.entries(desk.planned.picked)) {
      const axis = axesOf(book, document).find((each) => each.path === path);
      for (const id of ids) if (!axis?.options.some((option) => option.id === id)) wrong.push(`${one.id}: no ${id}`);
    }
    const problem = begun(draft);
    if (problem !== undefined) wrong.push(`${one.id}: ${problem}`);
    if (!desk.planned && JSON.stringify(draft) === JSON.stringify(document)) wrong.push(`${one.id} changes nothing`);
  }
  for (const task of fittingTasks(tasks, (get(document as never, '/training/task/type') as string))) {
    if (!inSample(`${name} task ${task.id}`)) continue;
    // The menu offers a task that does not fit only with the reason, in the page's words.
    const [misfit] = Object.values(problemsOf(trainer, [[task.id,
      JSON.stringify(onTask(document, task, task.title))]]));
    const problem = misfit ? undefined : begun(onTask(document, task, task.title));
    if (misfit && !misfitSaid(misfit).includes('the model writes')) wrong.push(`${task.id}: ${misfit.message}`);
    if (problem !== undefined) wrong.push(`${task.id}: ${problem}`);
  }
  expect(wrong).toEqual([]);
}, 3_600_000);

it('the model that the page opens on learns Induction with the settings that the menu gives it', () => {
  const translate = documents.get('translate')!;
  const task = tasks.find(({ id }) => id === 'task-induction')!;
  const { session } = JSON.parse(trainer.trainOpen(JSON.stringify(onTask(translate, task, task.title)), '')) as Begun;
  trainer.trainStep(session, Number(translate.training.steps), 1e9);
  expect((JSON.parse(trainer.trainMeasure(session, 200)) as Measures).accuracy).toBeGreaterThan(0.9);
  trainer.trainClose(session);
}, 240_000);
