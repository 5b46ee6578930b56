// SPDX-License-Identifier: Apache-2.0
import '../src/strings/en-later.ts';
import { output } from './directory.ts';
import { effect } from '@preact/signals-core';
import { describe, expect, it, vi } from 'vitest';
import { Client } from '../src/engine/client.ts';
import { lineTo, type LinePort } from '../src/engine/line.ts';
import type { Catalogue, Doc, Mechanism } from '../src/engine/types.ts';
import type { Request } from '../src/engine/worker.ts';
import { Book } from '../src/state/catalogue.ts';
import { inWords } from '../src/state/notice.ts';
import { Course } from '../src/lessons/course.ts';
import type { Lesson } from '../src/lessons/types.ts';
import { Store } from '../src/state/store.ts';
import { wholeDocuments } from './open.ts';

const catalogue: Catalogue = { schema: 's', mechanisms: [] };
const mechanism = { id: 'm', kind: 'structure', title: 'M', aliases: ['alias'], slots: [], roles: [], knobs: [],
  parameters: [] } as unknown as Mechanism;
const example: Doc = { schema: 's', seed: 1, inputs: {}, mechanism: { type: 'm' } };

// An engine that answers at once: seeds from 100 on are refused; a run gives heads of one weight.
function engine(): LinePort<Request> {
  const whole = wholeDocuments();
  const port: LinePort<Request> = {
    onmessage: null, onerror: null, onmessageerror: null, terminate: () => undefined,
    postMessage(asked: Request) {
      const request = whole(asked);
      if (request.kind === 'example') {
        const text = request.of === 'good' ? { ...example, seed: 50 }
          : request.of === 'poor' ? { ...example, seed: 150 } : { error: { path: '', message: 'unknown' } };
        queueMicrotask(() => port.onmessage?.(
          { data: { id: request.id, text: JSON.stringify(text) } } as MessageEvent));
        return;
      }
      const document = JSON.parse(('document' in request ? request.document : undefined) ?? '{}') as { seed: number };
      const tensors = [{ ...output('weights', [2, 1, 1], ['h', 'm', 'n']), offset: 0 }];
      const text = request.kind === 'explain' || request.kind === 'explain-open'
        ? { value: 1, formula: '', numbers: request.index, feeds: [] }
        : document.seed >= 100 ? { ok: false, error: { path: '/seed', message: 'too large' } }
        : { ok: true, tensors, labels: { m: ['a'], n: ['b'] }, warnings: [], measures: {}, document };
      queueMicrotask(() => port.onmessage?.(
        { data: { id: request.id, text: JSON.stringify(text), taken: true,
        data: Float32Array.from([document.seed, 2]) } } as MessageEvent));
    },
  };
  return port;
}
const made = (document = structuredClone(example)) =>
  new Store(document, example, new Book(catalogue), new Client(lineTo(engine)));
const rest = async () => { for (let k = 0; k < 20; k++) await Promise.resolve(); };
const notice = (store: Store) => store.view.notice.map((one) => inWords(one, store)).join(' ');
const shown = (store: Store) => store.numberAt({ group: 'outputs', tensor: 'weights', index: [0, 0, 0] });

it('keeps the cell that a lesson locks before the first picture is there', async () => {
  const store = made();
  const lock = { group: 'outputs' as const, tensor: 'weights', index: [0, 0, 0] };
  store.selection.hold(lock);
  await store.sessions.compute();
  store.present({ document: store.documents.document, result: store.sessions.result! });
  expect(store.selection.lock).toEqual(lock);
});

describe('a lesson', () => {
  const lesson = (document?: Doc): Lesson =>
    ({ id: 'x', ...(document ? { document } : {}), steps: [{ until: { undone: true } }],
      text: {} }) as unknown as Lesson;

  it('is over once undo goes back to before it, and not before', async () => {
    const store = made();
    const course = Course.begin(store, lesson({ ...example, seed: 5 }));
    expect(course.undone).toBe(false);
    store.documents.set('/seed', 6);
    store.documents.undo();
    expect(course.undone).toBe(false);
    store.documents.undo();
    expect(course.undone).toBe(true);
  });

  it('is over once a document comes from outside, and not when the reader or the lesson changes its own', () => {
    const store = made();
    const course = Course.begin(store, lesson({ ...example, seed: 5 }));
    course.afresh();
    store.documents.set('/seed', 6);
    store.documents.replace({ ...example, seed: 7 }, null);
    expect(course.superseded).toBe(false);
    store.arrive({ document: { ...example, seed: 8 } });
    expect(course.superseded).toBe(true);
    expect(Course.begin(store, lesson()).superseded).toBe(false);
  });

  it('goes on where it began with the document that was there', () => {
    expect(Course.begin(made(), lesson()).undone).toBe(false);
  });
});

describe('the store', () => {
  it('computes what it is changed to, and goes back and forth', async () => {
    const store = made();
    store.documents.set('/seed', 5);
    await rest();
    expect(shown(store)).toBe(5);
    store.documents.undo();
    await rest();
    expect([store.documents.document['seed'], shown(store), store.documents.canRedo]).toEqual([1, 1, true]);
    store.documents.redo();
    await rest();
    expect(shown(store)).toBe(5);
  });

  it('takes one drag as one step', async () => {
    const store = made();
    for (const seed of [2, 3, 4]) store.documents.set('/seed', seed, 'drag');
    store.documents.endGesture();
    store.documents.set('/seed', 9, 'drag');
    store.documents.undo();
    expect(store.documents.document['seed']).toBe(4);
    store.documents.undo();
    expect(store.documents.document['seed']).toBe(1);
  });

  it('refuses an entry that does not fit: nothing is changed, and the reason is said where it was chosen', async () => {
    for (const id of ['good', 'poor', 'unheard-of', undefined]) {
      const store = made();
      const before = store.documents.document;
      store.pick(id, 'Bad', (draft) => { draft['seed'] = 500; }, '/seed');
      await rest();
      expect([store.documents.document, shown(store), store.sessions.error, store.documents.canUndo,
        store.sessions.busy]).toEqual([before, 1, undefined, false, false]);
      expect([notice(store).includes('Bad'), notice(store).includes('too large'), store.insteadShown])
        .toEqual([true, true, false]);
      expect(store.view.notice.map(({ at, example: own }) => [at, own])).toEqual([['/seed', id]]);
      store.pick(id, 'Good', (draft) => { draft['seed'] = 7; }, '/seed');
      await rest();
      expect([store.documents.document['seed'], notice(store)]).toEqual([7, '']);
    }
  });

  it('takes a notice away with the step that it is about, and not before', async () => {
    const store = made();
    store.arrive({ document: { ...example, seed: 3 }, compare: undefined, seen: undefined, rounded: 0 });
    await rest();
    expect(notice(store)).toContain('loaded with the document');
    store.documents.set('/seed', 4);
    store.documents.undo();
    expect([store.documents.document['seed'], notice(store) !== '']).toEqual([3, true]);
    store.documents.undo();
    expect([store.documents.document['seed'], notice(store)]).toEqual([1, '']);
  });

  it('leaves an error alone that was there before an entry was chosen', async () => {
    const store = made();
    await store.sessions.compute();
    store.documents.set('/seed', 500);
    await rest();
    store.pick('good', 'Good', (draft) => { draft['seed'] = 600; }, '/seed');
    await rest();
    expect([store.documents.document['seed'], store.errorAt('/seed'), notice(store)]).toEqual([600, 'too large', '']);
  });

  it('says in the menu, not as an error, that what is tried out does not fit', async () => {
    const store = made();
    await store.sessions.compute();
    store.documents.preview((draft) => { draft['seed'] = 500; });
    await rest();
    expect([store.trial.misfit, store.looseError]).toEqual([true, undefined]);
    store.documents.preview();
    await rest();
    expect([store.trial.misfit, store.sessions.error, store.documents.document['seed']]).toEqual([false, undefined, 1]);
    // What was tried out before and refused does not excuse what is chosen: still tried out, or just taken back.
    for (const back of [false, true]) {
      store.documents.preview((draft) => { draft['seed'] = 500; });
      await rest();
      if (back) store.documents.preview();
      store.pick('good', 'Bad', (draft) => { draft['seed'] = 500; }, '/seed');
      await rest();
      expect([store.documents.document['seed'], store.sessions.error, notice(store).includes('too large')])
        .toEqual([1, undefined, true]);
    }
  });

  it('has no picture of what is tried out and does not fit', async () => {
    const store = made();
    await store.sessions.compute();
    const tryOut = (seed: number, refusal?: string) =>
      store.trial.show({ id: String(seed), mechanism: undefined, refusal }, (draft) => { draft['seed'] = seed; });
    const { trial } = store;
    tryOut(500);
    await rest();
    expect([trial.unpictured, trial.error?.message, trial.item?.id]).toEqual([true, 'too large', '500']);
    // The old picture does not flash before the next answer comes.
    tryOut(5);
    expect([trial.unpictured, trial.error, trial.item?.id]).toEqual([true, undefined, '5']);
    await rest();
    expect([trial.unpictured, shown(store)]).toEqual([false, 5]);
    // A reason that was known before counts, whatever the engine computes.
    tryOut(6, 'Choose another score first.');
    await rest();
    expect([trial.unpictured, trial.refusal, trial.error]).toEqual([true, 'Choose another score first.', undefined]);
    trial.show();
    await rest();
    expect([trial.unpictured, trial.item, shown(store)]).toEqual([false, undefined, 1]);
  });

  it('keeps the last good picture beside an error, and says whose it is', async () => {
    const store = made();
    await store.sessions.compute();
    store.documents.set('/seed', 500);
    await rest();
    expect([store.errorAt('/seed'), shown(store), store.looseError]).toEqual(['too large', 1, undefined]);
    store.documents.set('/seed', 7);
    await rest();
    expect([store.sessions.error, shown(store)]).toEqual([undefined, 7]);
  });

  it('falls back to the example when a link is refused', async () => {
    const store = made({ ...example, seed: 999 });
    await store.sessions.compute();
    await rest();
    expect(notice(store)).toContain('too large');
    expect([store.documents.document['seed'], shown(store)]).toEqual([1, 1]);
  });

  it('resets to what it set out from, and keeps the seed', async () => {
    const store = made();
    store.documents.replace({ ...example, title: 'preset', mechanism: { type: 'p' } });
    store.documents.set('/seed', 7);
    store.documents.set('/mechanism/type', 'q');
    store.documents.reset();
    expect(store.documents.document).toEqual({ ...example, title: 'preset', mechanism: { type: 'p' }, seed: 7 });
    for (const type of ['q', 'p', 'p', 'm']) {
      store.documents.undo();
      expect(store.documents.document.mechanism['type']).toBe(type);
    }
    store.documents.reset();
    expect(store.documents.document).toEqual(example);
  });

  it('goes back to what was there when a link met on the way is refused', async () => {
    const store = made();
    store.documents.set('/seed', 5);
    await rest();
    store.documents.open({ ...example, seed: 999 });
    await rest();
    expect([store.documents.document['seed'], shown(store), store.documents.canUndo]).toEqual([5, 5, true]);
    expect(notice(store)).toContain('too large');
    store.documents.undo();
    expect(store.documents.document['seed']).toBe(1);
  });

  it('shows a preview without keeping it', async () => {
    const store = made();
    await store.sessions.compute();
    store.documents.preview((draft) => void (draft['seed'] = 6));
    await rest();
    expect([shown(store), store.documents.canUndo]).toEqual([6, false]);
    store.documents.preview();
    await rest();
    expect([shown(store), store.documents.document['seed']]).toEqual([1, 1]);
    store.documents.preview((draft) => void (draft['seed'] = 6));
    store.documents.set('/seed', 8);
    store.documents.undo();
    expect(store.documents.document['seed']).toBe(1);
  });

  it('takes what is locked along to another head', async () => {
    const store = made();
    await store.sessions.compute();
    store.selection.hold({ group: 'outputs', tensor: 'weights', index: [0, 0, 0] });
    store.selection.choose('head', 1);
    await rest();
    expect(store.selection.lock?.index).toEqual([1, 0, 0]);
    // The first explanation waits for the code that names its cells.
    await vi.waitFor(() => expect(store.explanations.explained?.answer.numbers).toBe('[1,0,0]'));
  });

  it('learns the rest of the catalogue, once', async () => {
    let fetched = 0;
    const book = new Book(catalogue, async () => (fetched++, { schema: 's', mechanisms: [mechanism] }));
    const store = new Store(structuredClone(example), example, book, new Client(lineTo(engine)));
    expect([book.whole, book.find('structure', 'alias')]).toEqual([false, undefined]);
    let told = 0;
    effect(() => void (store.book, told++));
    await store.learn();
    expect([book.whole, book.find('structure', 'alias')?.id, told]).toEqual([true, 'm', 2]);
    await store.learn();
    expect([told, fetched]).toEqual([2, 1]);
  });
});
