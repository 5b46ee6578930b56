// SPDX-License-Identifier: Apache-2.0
import { effect } from '@preact/signals-core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Doc } from '../src/engine/types.ts';
import { Documents } from '../src/state/documents.ts';
import { baseIn, setOut } from '../src/state/hash.ts';
import { Selection } from '../src/state/selection.ts';
import { View } from '../src/state/view.ts';

const example: Doc = { schema: 's', seed: 1, inputs: {}, mechanism: { type: 'm' } };
const made = () => new Documents(structuredClone(example), example);
// How often something is told, beside the first time.
const told = (read: () => unknown): (() => number) => {
  let count = -1;
  effect(() => void (read(), count++));
  return () => count;
};

afterEach(() => void vi.useRealTimers());

describe('the document with its history', () => {
  it('needs no engine: changes, goes back and forth, and tells once a change', () => {
    const documents = made();
    const count = told(() => documents.document);
    documents.set('/seed', 2);
    documents.set('/seed', 3);
    documents.set('/seed', 3);
    expect([documents.document['seed'], count()]).toEqual([3, 2]);
    documents.undo();
    documents.undo();
    documents.undo();
    expect([documents.document['seed'], documents.canUndo, documents.canRedo, count()]).toEqual([1, false, true, 4]);
    documents.redo();
    documents.set('/seed', 9);
    expect([documents.document['seed'], documents.canRedo]).toEqual([9, false]);
  });

  it('never lends its own object to whoever edits', () => {
    const documents = made();
    const before = documents.document;
    documents.change((draft) => void (draft.mechanism['type'] = 'other'));
    expect([before.mechanism['type'], documents.document.mechanism['type'], example.mechanism['type']])
      .toEqual(['m', 'other', 'm']);
  });

  it('holds of each step what it changed: all other parts are those of the step before', () => {
    const documents = made();
    documents.set('/inputs', { x: { matrix: [[1, 2], [3, 4]] } });
    const before = documents.document;
    documents.set('/mechanism/scale', 2);
    documents.set('/inputs/x/matrix/1/0', 5);
    const after = documents.document;
    expect(after).toEqual({ ...example, inputs: { x: { matrix: [[1, 2], [5, 4]] } },
      mechanism: { type: 'm', scale: 2 } });
    const rows = ({ inputs }: Doc) => (inputs['x'] as { matrix: number[][] }).matrix;
    expect([rows(after)[0] === rows(before)[0], rows(after)[1] === rows(before)[1]]).toEqual([true, false]);
    expect(rows(before)[1]).toEqual([3, 4]);
    documents.undo();
    expect(documents.document.inputs).toBe(before.inputs);
  });

  it('is the same document after an edit that changes nothing, and another one where the order of members is', () => {
    const documents = made();
    const before = documents.document;
    documents.change((draft) => Object.assign(draft, { title: undefined, mechanism: { type: 'm' } }));
    expect([documents.document === before, documents.canUndo]).toEqual([true, false]);
    documents.change((draft) => {
      const { seed, ...rest } = draft;
      for (const key of Object.keys(draft)) delete draft[key];
      Object.assign(draft, rest, { seed });
    });
    expect([documents.document === before, documents.canUndo]).toEqual([false, true]);
  });

  it('keeps 200 steps and forgets older ones', () => {
    const documents = made();
    for (let seed = 2; seed < 300; seed++) documents.set('/seed', seed);
    let steps = 0;
    for (; documents.canUndo; steps++) documents.undo();
    expect([steps, documents.document['seed']]).toEqual([200, 99]);
  });

  it('makes one step of a drag, and one of key presses that follow each other within a second', () => {
    vi.useFakeTimers();
    const documents = made();
    const press = (seed: number, wait: number, path = '/seed') => {
      vi.advanceTimersByTime(wait);
      documents.set(path, seed, path);
      documents.pauseGesture();
      expect(documents.held).toBe(false);
    };
    const steps = () => documents.past.map(({ seed }) => seed);
    for (let seed = 2; seed < 8; seed++) press(seed, 900);
    expect(steps()).toEqual([1]);
    // A press that changes nothing, as at the end of the slider, keeps the gesture going.
    press(7, 900);
    press(8, 900);
    expect(steps()).toEqual([1]);
    press(9, 1100);
    expect(steps()).toEqual([1, 8]);
    // Another control, the end of the focus, and undo end it at once.
    press(1, 100, '/inputs/n');
    press(10, 100);
    expect(steps()).toEqual([1, 8, 9, 9]);
    documents.endGesture();
    press(11, 100);
    expect(steps()).toEqual([1, 8, 9, 9, 10]);
    documents.undo();
    press(12, 100);
    expect(steps()).toEqual([1, 8, 9, 9, 10]);
    // Two drags are two steps, however quickly they follow each other.
    for (const seed of [13, 14, 15]) documents.set('/seed', seed, '/seed');
    documents.endGesture();
    for (const seed of [16, 17]) documents.set('/seed', seed, '/seed');
    expect(steps()).toEqual([1, 8, 9, 9, 10, 15]);
  });

  it('shows what is tried out, and keeps nothing of it', () => {
    const documents = made();
    documents.set('/seed', 5);
    documents.preview((draft) => void (draft['seed'] = 6));
    documents.preview((draft) => void (draft['seed'] = 7));
    expect([documents.document['seed'], documents.kept['seed'], documents.trying]).toEqual([7, 5, true]);
    documents.preview();
    expect([documents.document['seed'], documents.trying]).toEqual([5, false]);
    documents.undo();
    expect([documents.document['seed'], documents.canUndo]).toEqual([1, false]);
  });

  it('that a reload begins sets out from what the browser kept beside the link', () => {
    const documents = made();
    expect(setOut(documents)).toBeNull();
    documents.set('/seed', 4);
    const state = JSON.parse(JSON.stringify(setOut(documents))) as unknown;
    const again = made();
    again.begin(structuredClone(documents.document), undefined, baseIn(state));
    expect([again.base, again.document['seed']]).toEqual([example, 4]);
    again.reset();
    expect(again.document).toEqual({ ...example, seed: 4 });
    for (const other of [null, 5, {}, { base: 'a' }, { base: { inputs: {} } }, { base: [] }])
      expect(baseIn(other)).toBeUndefined();
  });

  it('remembers what is compared beside the document', () => {
    const documents = made();
    const held = { editing: 'B' as const, mechanism: { type: 'm' } };
    documents.change(() => undefined, undefined, held);
    documents.set('/seed', 4);
    expect(documents.compare).toBe(held);
    documents.undo();
    documents.undo();
    expect([documents.compare, documents.document['seed']]).toEqual([undefined, 1]);
    documents.redo();
    documents.change(() => undefined, undefined, null);
    expect(documents.compare).toBeUndefined();
  });

  it('amends a step in place, or takes it back as if it had never been made', () => {
    const documents = made();
    documents.set('/seed', 5);
    documents.amend({ ...example, seed: 50 });
    documents.undo();
    expect(documents.document['seed']).toBe(1);
    documents.redo();
    expect(documents.document['seed']).toBe(50);
    documents.amend();
    expect([documents.document['seed'], documents.canUndo]).toEqual([1, false]);
  });
});

describe('selection and view', () => {
  it('wake only whoever reads what has changed', () => {
    const [selection, view] = [new Selection(() => undefined), new View()];
    const counts = [told(() => selection.hover), told(() => selection.lock), told(() => selection.chosen),
      told(() => view.table), told(() => view.view)];
    const cell = { group: 'outputs' as const, tensor: 'weights', index: [0, 1] };
    selection.point(cell);
    selection.point({ ...cell, index: [0, 1] });
    view.show({ table: 'weights' });
    expect(counts.map((count) => count())).toEqual([1, 0, 0, 1, 0]);
    selection.hold(cell);
    selection.point(undefined);
    expect([selection.active, counts.map((count) => count())]).toEqual([cell, [2, 1, 0, 1, 0]]);
  });
});
