// SPDX-License-Identifier: Apache-2.0
// The moments of a lecture that came with a link or a file, and those of the reader.
import { afterEach, expect, it } from 'vitest';
import { put } from '../src/bring/put-input.ts';
import { Client } from '../src/engine/client.ts';
import { lineTo, type LinePort } from '../src/engine/line.ts';
import type { Doc, Json } from '../src/engine/types.ts';
import type { Request } from '../src/engine/worker.ts';
import { carry, linkTo } from '../src/lecture/carried.ts';
import { MOST, readLecture } from '../src/state/lecture.ts';
import { Looking } from '../src/lecture/looking.ts';
import { add, moments, read, removeAll } from '../src/lecture/memory.ts';
import { decode, linkOf, wholeLink } from '../src/state/hash.ts';
import { Store } from '../src/state/store.ts';
import { book } from './runs.ts';

const silent = (): LinePort<Request> =>
  ({ onmessage: null, onerror: null, onmessageerror: null, terminate: () => undefined, postMessage: () => undefined });
const plain = (seed: number): Doc => ({ schema: 'attention-playground/1', seed, inputs: { x: { tokens: ['a', 'b'] } },
  mechanism: { type: 'attention' } });
const store = (document: Doc) => new Store(structuredClone(document), document, book, new Client(lineTo(silent)));
const came = (...seeds: number[]) => ({ at: 0, moments: seeds.map((seed) => ({ name: `came ${seed}`,
  document: plain(seed) })) });
const names = (of: { readonly moments: readonly { name: string }[] }) => of.moments.map(({ name }) => name);

// Other tests share the page.
afterEach(() => removeAll());

it('a lecture that came is shown only where it is opened', () => {
  const page = store(plain(9));
  add('own', plain(8));
  const first = new Looking(page, came(1, 2));
  expect([names(first), first.brought !== undefined]).toEqual([['came 1', 'came 2'], true]);
  first.close();
  const next = new Looking(page);
  expect([names(next), next.brought]).toEqual([['own', 'now'], undefined]);
});

it('a kept moment of a lecture that came is the one that is shown, under its name', () => {
  const course = new Looking(store(plain(9)), came(1, 2));
  course.go(1);
  expect(course.add()).toBe('came 2');
  expect(moments()).toEqual([{ name: 'came 2', document: plain(2) }]);
  expect([course.at, names(course)]).toEqual([1, ['came 1', 'came 2']]);
  // What is kept already has the name that it got.
  removeAll();
  add('my own name', plain(2));
  expect(course.add()).toBe('my own name');
});

it('what came is kept behind the own moments, at the moment that was shown, or put away', () => {
  const page = store(plain(9));
  add('own', plain(8));
  const course = new Looking(page, came(1, 2));
  course.go(1);
  expect(course.brought!.keep()).toBe(true);
  expect(names(course)).toEqual(['own', 'came 1', 'came 2', 'now']);
  expect([course.name, course.brought]).toEqual(['came 2', undefined]);
  const other = new Looking(page, came(3));
  other.brought!.putAway();
  expect([names(other), other.name]).toEqual([['own', 'came 1', 'came 2', 'now'], 'now']);
});

it('what has no room is not kept', () => {
  for (let k = 0; k < MOST - 1; k++) add(`own ${k}`, plain(k));
  const course = new Looking(store(plain(99)), came(50, 51));
  expect([course.brought!.keep(), moments().length, names(course)]).toEqual([false, MOST - 1, ['came 50', 'came 51']]);
  expect([course.add(), course.add()]).toEqual(['came 50', 'came 50']);
  course.go(1);
  expect(course.add()).toBeUndefined();
});

it('a moment without a name is called by its number, here and where it is kept', () => {
  const course = new Looking(store(plain(9)), readLecture({ moments: [1, 2].map((seed) =>
    ({ document: plain(seed) as unknown as Json })) }));
  expect(names(course)).toEqual(['Moment 1', 'Moment 2']);
  course.brought!.keep();
  expect(names(course)).toEqual(['Moment 1', 'Moment 2', 'now']);
  expect(read(JSON.stringify({ moments: [{ document: plain(1) }] })).moments[0]!.name).toBe('');
});

it('the address keeps the link of a lecture until its document is changed or another link is opened', async () => {
  const packed = linkTo(await carry(came(1, 2)));
  const link = 'link' in packed ? packed.link : '';
  const page = store(plain(9));
  const opens = (text: string) => {
    const decoded = decode(`#${text}`);
    if ('document' in decoded) page.documents.open(decoded.document);
  };
  opens(link);
  expect(await wholeLink(page)).toBe(link);
  page.documents.set('/seed', 4);
  expect(await wholeLink(page)).toBe(linkOf(page));
  page.documents.set('/seed', 1);
  const alone = linkOf(page);
  opens(alone);
  expect([alone === link, await wholeLink(page)]).toEqual([false, alone]);
});

it('a lecture that is opened as a file begins, and a document without moments does not', async () => {
  const page = store(plain(9));
  const lecture = { at: 0, moments: came(1, 2).moments } as unknown as Json;
  expect(await put(page, { kind: 'document', document: plain(1), lecture }, '')).toEqual({ lecture });
  expect(page.documents.document).toEqual(plain(1));
  expect(await put(page, { kind: 'document', document: plain(2), lecture: 5 }, '')).toEqual({ lecture: undefined });
});
