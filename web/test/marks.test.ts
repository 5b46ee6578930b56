// SPDX-License-Identifier: Apache-2.0
// What the marked cells of a known alignment mean, task by task.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { marksOf } from '../src/train/marks.ts';

const tasks = Object.keys(JSON.parse(
  readFileSync(join(import.meta.dirname, '../../data/catalogue/en/tasks.json'), 'utf8')) as object);
// A reader's own lines have no known alignment, and neither has the next character.
const UNKNOWN = new Set(['task-labels', 'task-pairs', 'task-text']);

describe('the marks of a task', () => {
  it('say what they mean there', () => {
    expect(marksOf('task-translate')).toEqual({ means: 'same meaning', agrees: 'agreement' });
    expect(marksOf('task-recall')).toEqual({ means: 'the digit to write', agrees: 'the letter of its pair' });
  });

  it('are those of a translation in no other task whose alignment is known', () => {
    const { means } = marksOf('task-translate');
    expect(tasks.filter((task) => marksOf(task).means === means && !UNKNOWN.has(task))).toEqual(['task-translate']);
  });
});
