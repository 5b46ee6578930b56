// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { warningsOf } from '../src/engine/encoder.ts';
import type { Directory } from '../src/engine/types.ts';
import { speak } from '../src/strings/language.ts';
import { quote } from '../src/strings/quote.ts';
import { toldApart } from '../src/train/map-words.ts';
import { type Run, Runs, taskOf } from '../src/train/runs.ts';
import type { TrainingDocument } from '../src/train/messages.ts';

const learning = (task: unknown): TrainingDocument => ({ inputs: {}, training: { task } }) as never;
const run = (id: number, task: unknown): Run => ({ id, document: learning(task), begun: 0, step: 1, weights: 1,
  measured: [] });

it('runs are compared with those of the same task, whatever its settings', () => {
  const runs = new Runs();
  runs.all = [run(1, 'reverse'), run(2, { type: 'reverse', symbols: 4 }), run(3, 'translation'),
    run(4, { type: 'pairs', text: 'a\tb' })];
  expect(runs.like(learning({ type: 'reverse' })).map(({ id }) => id)).toEqual([1, 2]);
  // Other words of the reader's own are another task.
  expect(taskOf(learning({ type: 'pairs', text: 'a\tc' }))).not.toBe(taskOf(runs.all[3]!.document));
  runs.forget(runs.like(learning('reverse')));
  expect([runs.all.map(({ id }) => id), runs.coming]).toEqual([[3, 4], 5]);
});

it('a menu tells the words of one name apart by their positions', () => {
  expect(toldApart(['3', '1', '4', '1'])).toEqual(['3', '1 (position 2)', '4', '1 (position 4)']);
});

it('the encoder is not warned of sentences that wait beside its first', () => {
  const warnings = ['/inputs/sentence-2', '/inputs/text/features'].map((path) => ({ path, message: '' }));
  const of = (from: string) => warningsOf({ warnings, document: { inputs: {}, parameters: { from } } } as unknown as
    Directory).map(({ path }) => path);
  expect(of('use-lite.safetensors')).toEqual(['/inputs/text/features']);
  expect(of('other.safetensors')).toHaveLength(2);
});

it.each([['de', 'für "Katze", "Hund" gibt es keinen'], ['ar', '"Katze", "Hund"']] as const)(
  'words without vectors are named in %s', async (language, part) => {
  await speak(language);
  const text = quote('there is no pre-trained vector for "Katze", "Hund": random numbers of the same spread are used '
    + 'instead');
  await speak('en');
  expect(text).toContain(part);
  expect(text).not.toContain('pre-trained');
});
