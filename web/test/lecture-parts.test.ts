// SPDX-License-Identifier: Apache-2.0
// What is drawn of a lecture besides its picture.
import { ContextProvider } from '@lit/context';
import { signal } from '@preact/signals-core';
import { beforeEach, expect, it, vi } from 'vitest';
import { Client } from '../src/engine/client.ts';
import { lineTo, type LinePort } from '../src/engine/line.ts';
import type { Doc } from '../src/engine/types.ts';
import type { Request } from '../src/engine/worker.ts';
import type { Carried } from '../src/lecture/carried.ts';
import type { LectureCarryElement } from '../src/lecture/carry-part.ts';
import type { Course } from '../src/lecture/course.ts';
import { LectureElement } from '../src/lecture/lecture.ts';
import { LectureListElement } from '../src/lecture/list.ts';
import { Looking } from '../src/lecture/looking.ts';
import { add, moments, removeAll } from '../src/lecture/memory.ts';
import { page, type Part } from '../src/part.ts';
import { received } from '../src/page/incoming-link.ts';
import { Store } from '../src/state/store.ts';
import { book } from './runs.ts';

// The parts of the page that are fetched later need its build.
vi.mock('../src/page/lazy-parts.ts', () => ({ arrivals: () => import('../src/state/incoming-weights.ts') }));

const silent = (): LinePort<Request> =>
  ({ onmessage: null, onerror: null, onmessageerror: null, terminate: () => undefined, postMessage: () => undefined });
const plain = (seed: number): Doc => ({ schema: 'attention-playground/1', seed, inputs: { x: { tokens: ['a', 'b'] } },
  mechanism: { type: 'attention' } });
const came = (...seeds: number[]) => ({ at: 0, moments: seeds.map((seed) => ({ name: `came ${seed}`,
  document: plain(seed) })) });

let store: Store;
beforeEach(() => {
  removeAll();
  document.body.replaceChildren();
  store = new Store(plain(9), plain(9), book, new Client(lineTo(silent)));
});

/** Puts a part on the page. */
async function placed<One extends Part>(part: One): Promise<One> {
  const host = document.createElement('div');
  new ContextProvider(host, { context: page, initialValue: store });
  document.body.append(host);
  host.append(part);
  await part.updateComplete;
  return part;
}
const find = (part: Part, name: string) => part.renderRoot.querySelector<HTMLElement>(`[data-part="${name}"]`);
const press = async (part: Part, name: string) => {
  find(part, name)!.click();
  await new Promise((done) => setTimeout(done));
  await part.updateComplete;
};
const list = (course: Course) => placed(Object.assign(new LectureListElement(), { course }));

it('a lecture that came has a note and no "Keep this moment" in its list; others have only the button', async () => {
  const brought = await list(new Looking(store, came(1)));
  expect([find(brought, 'brought'), find(brought, 'keep')].map(Boolean)).toEqual([true, false]);
  const own = await list(new Looking(store));
  expect([find(own, 'brought'), find(own, 'keep')].map(Boolean)).toEqual([false, true]);
});

it('where what came has no room, the list says how many are kept and how many came', async () => {
  for (let k = 0; k < 15; k++) add(`own ${k}`, plain(k));
  const part = await list(new Looking(store, came(50, 51, 52, 53, 54, 55)));
  await press(part, 'keep-brought');
  expect(part.renderRoot.querySelector('[role="alert"]')!.textContent).toBe('This browser keeps at most 20 moments. '
    + 'It already keeps 15 moments, so 6 more do not fit. Leave the lecture, remove some of your own moments, and open '
    + 'the link or the file again.');
});

/** A training that plays: each news makes another list of moments. */
function playing() {
  const steps = signal(100);
  let asked = 0;
  const course = { brought: undefined, removesAll: false, proposed: false, at: 0,
    get moments() {
      return [{ name: 'mine', own: true, where: 'step 40' },
        { name: 'after', own: false, where: `step ${steps.value}` }];
    },
    rename: () => undefined,
    async carried(): Promise<Carried> {
      asked++;
      return { at: 0, moments: came(1).moments, files: new Map(), lacks: [] };
    } } as unknown as Course;
  return { course, steps, asked: () => asked };
}
const carrying = (part: Part) => part.renderRoot.querySelector<LectureCarryElement>('ap-lecture-carry')!;

it('while a training plays, nothing is packed before it is asked for, and what was packed stays', async () => {
  const { course, steps, asked } = playing();
  const part = await list(course);
  const news = async () => {
    steps.value++;
    await part.updateComplete;
    await carrying(part).updateComplete;
  };
  await news();
  await news();
  expect(asked()).toBe(0);
  await press(carrying(part), 'take-home');
  await news();
  expect(asked()).toBe(1);
  expect(find(carrying(part), 'save-lecture')).not.toBeNull();
});

it('what was packed is gone once a moment has another name', async () => {
  const course = new Looking(store);
  add('one', plain(9));
  const part = await list(course);
  await press(carrying(part), 'take-home');
  expect(find(carrying(part), 'save-lecture')).not.toBeNull();
  course.rename(0, 'other');
  await part.updateComplete;
  expect([find(carrying(part), 'save-lecture'), find(carrying(part), 'take-home') !== null]).toEqual([null, true]);
});

it('where no moment can leave the browser, the list names them and has nothing to save', async () => {
  const course = new Looking(store, { at: 0, moments: [{ name: 'trained', document: { ...plain(1),
    parameters: { from: 'own-lost.safetensors' } } }] });
  const part = carrying(await list(course));
  await press(part, 'take-home');
  expect(find(part, 'lacks')!.textContent).toMatch(/^Not included, .*: trained\./);
  expect([find(part, 'save-lecture'), part.renderRoot.querySelector('[role="alert"]')]).toEqual([null, null]);
});

it('a reader of keys stays inside the lecture while it is packed', async () => {
  const part = carrying(await list(new Looking(store)));
  find(part, 'take-home')!.focus();
  await press(part, 'take-home');
  expect(part.shadowRoot!.activeElement).toBe(find(part, 'save-lecture'));
});

const lecture = (given?: unknown) => placed(Object.assign(new LectureElement(), { given }));
const shown = async (part: LectureElement) => {
  await part.updateComplete;
  return part.course?.moments.map(({ name }) => name);
};

it('another link shows its own lecture, and a document without one the page\'s', async () => {
  const part = await lecture(came(1, 2));
  expect(await shown(part)).toEqual(['came 1', 'came 2']);
  store.documents.open(plain(3));
  part.given = came(3);
  expect(await shown(part)).toEqual(['came 3']);
  part.given = came(4);
  expect(await shown(part)).toEqual(['came 4']);
  store.documents.open(plain(5));
  expect((await shown(part))).not.toContain('came 4');
});

it('a key keeps the moment of a lecture that came, and says its name', async () => {
  const part = await lecture({ ...came(1, 2), at: 1 });
  await press(part, 'add');
  expect(find(part, 'live')!.textContent).toBe('Kept as “came 2”.');
  expect(moments()).toEqual([{ name: 'came 2', document: plain(2) }]);
});

it('only a lecture with moments opens as one', async () => {
  const document = plain(1);
  for (const lecture of [5, 'text', {}, { moments: [] }, { moments: [{ name: 'x' }] }])
    expect(await received(JSON.stringify({ ...document, lecture }), false)).toEqual({ document });
  expect(await received(JSON.stringify({ ...document, lecture: { moments: [{ name: 'x', document }] } }), false))
    .toEqual({ document, lecture: { at: 0, moments: [{ name: 'x', document }] } });
});
