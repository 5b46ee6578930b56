// SPDX-License-Identifier: Apache-2.0
// The model at hand on another task: what fits it by its fields, and the document that comes of it.
import type { Json, JsonObject } from '../engine/types.ts';
import { get, isObject, set } from '../engine/pointer.ts';
import type { TaskKnob, TaskRecord, TrainingDocument } from './messages.ts';

/** The setting in which a reader's own text lies. */
const OWN = 'text';

const fieldsOf = ({ fields }: TaskRecord): string =>
  fields.map(({ name, answer, numbers }) => `${name} ${answer} ${numbers}`).join();

/** Tasks that fill the same inputs with the same kind of thing; a reader's own data are chosen elsewhere. */
export function fittingTasks(all: readonly TaskRecord[], id: string | undefined): TaskRecord[] {
  const now = all.find((one) => one.id === id);
  return now ? all.filter((one) => one !== now && fieldsOf(one) === fieldsOf(now)
    && one.knobs.every(({ name, type }) => type !== 'text' || name !== OWN)) : [];
}

// Vocabularies are the task's; weights that were learned for other words fit no more.
function forget(document: TrainingDocument): void {
  for (const member of (document['model'] ?? []) as JsonObject[]) {
    delete member['vocabulary'];
    delete member['classes'];
  }
  delete document['parameters'];
}

// So many examples a step: fewer leave the rule of most tasks unfound.
const BATCH = 64;

/**
 * How a model learns another task: at its own rate, but without what helped it with the examples of the one before.
 * Words that are left out, for instance, are the whole of a task that asks for one of them.
 */
function learningOf({ training }: TrainingDocument): TrainingDocument['training'] {
  const { dropout: _dropout, 'word-dropout': _words, guide: _guide, stop: _stop, ...rest } = training;
  const before = training['optimiser'];
  const rate = isObject(before as Json) ? (before as JsonObject)['rate'] : undefined;
  const batch = training['batch'];
  return { ...rest, optimiser: { type: 'adam', ...(rate === undefined ? {} : { rate }) },
    batch: Math.max(typeof batch === 'number' ? batch : 0, BATCH) };
}

/** The document with its model on another task: settings that both tasks have stay, where they may. */
export function onTask(document: TrainingDocument, task: TaskRecord, title: string): TrainingDocument {
  const copy = structuredClone(document);
  const before = copy.training['task'] as Json;
  const kept = task.knobs.flatMap(({ name, minimum, maximum }): [string, Json][] => {
    const value = isObject(before) ? before[name] : undefined;
    return typeof value === 'number' && value >= minimum! && value <= maximum! ? [[name, value]] : [];
  });
  const inputs = isObject(before) ? before['inputs'] : undefined;
  copy.training = learningOf(document);
  copy.training['task'] = { type: task.id, ...Object.fromEntries(kept), ...(inputs === undefined ? {} : { inputs }) };
  copy.title = title;
  copy['inputs'] = {};
  forget(copy);
  return copy;
}

/** Another setting of its task. */
export function setOfTask(document: TrainingDocument, { name, words }: TaskKnob, value: Json): void {
  set(document, `/training/task/${name}`, value);
  if (words) forget(document);
}

/** What a setting of the task stands at. */
export const taskValue = (document: TrainingDocument, { name, default: usual }: TaskKnob): Json =>
  get(document, `/training/task/${name}`) ?? (usual as Json) ?? '';
