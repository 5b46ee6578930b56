// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { Client } from '../src/engine/client.ts';
import type { Doc, Json } from '../src/engine/types.ts';
import { Documents } from '../src/state/documents.ts';
import { Writer } from '../src/state/writer.ts';

const trained = {
  schema: 's', mechanism: { type: 'm' }, parameters: { from: 'w.safetensors' },
  inputs: { read: { tokens: ['a'] }, said: { tokens: ['x'] } },
} as unknown as Doc;

function made(document: Doc = trained, task?: object, example?: Doc) {
  const asked: Doc[] = [];
  let refused = false;
  const client = {
    send: ({ document: text }: { document: string }) => {
      asked.push(JSON.parse(text) as Doc);
      const answer = refused ? { error: {} }
        : { input: 'said', tokens: ['y', 'z'], ended: true, ...(task ? { task } : {}) };
      return Promise.resolve({ text: JSON.stringify(answer) });
    },
  } as unknown as Client;
  const documents = new Documents(structuredClone(document), document);
  documents.settle();
  return { documents, asked, writer: new Writer(documents, client, example),
    refuse: (it: boolean) => (refused = it) };
}
const settled = () => new Promise((done) => setTimeout(done));
const said = (documents: Documents) => documents.document.inputs['said']!['tokens'];

test('a trained model writes anew where its words change, in the same step', async () => {
  const { documents, asked } = made();
  documents.set('/inputs/read/tokens', ['b']);
  await settled();
  expect([asked.length, said(documents)]).toEqual([1, ['y', 'z']]);
  documents.undo();
  await settled();
  expect([documents.document.inputs, documents.canUndo]).toEqual([trained.inputs, false]);
});

test('it writes again where its mechanism or its weights change, in the same step', async () => {
  const other: [string, unknown][] = [['/mechanism/type', 'n'], ['/parameters', { from: 'other.safetensors' }],
    ['/parameters/w', [1]], ['/seed', 2]];
  for (const [path, value] of other) {
    const { documents, asked } = made();
    documents.set(path, value as Json);
    await settled();
    expect([asked.length, said(documents)], path).toEqual([1, ['y', 'z']]);
    documents.undo();
    await settled();
    expect([asked.length, documents.document.inputs, documents.canUndo], path).toEqual([1, trained.inputs, false]);
    documents.redo();
    await settled();
    expect([asked.length, said(documents)], path).toEqual([1, ['y', 'z']]);
  }
});

test('what changes neither its words nor the model leaves its answer', async () => {
  const { documents, asked } = made();
  documents.set('/title', 'other');
  documents.set('/outputs', ['weights']);
  await settled();
  expect([asked.length, said(documents)]).toEqual([0, ['x']]);
});

test('a choice that was tried out before it was taken is a change, and one that was not taken is none', async () => {
  const { documents, asked } = made();
  const edit = (draft: Doc) => void (draft.mechanism['type'] = 'n');
  documents.preview(edit);
  documents.preview();
  await settled();
  expect([asked.length, said(documents)]).toEqual([0, ['x']]);
  documents.preview(edit);
  documents.change(edit);
  // What is tried out while it writes holds it up.
  documents.preview((draft) => void (draft.mechanism['type'] = 'o'));
  await settled();
  documents.preview();
  await settled();
  expect([documents.document.mechanism['type'], said(documents)]).toEqual(['n', ['y', 'z']]);
});

test('a preset of another model brings its own answer', async () => {
  const { documents, asked } = made();
  documents.replace({ ...trained, mechanism: { type: 'n' } });
  await settled();
  expect([asked.length, said(documents)]).toEqual([0, ['x']]);
});

test('a lesson that begins with the document that is shown brings no answer to the first change after it', async () => {
  const { documents, asked } = made();
  documents.replace(structuredClone(trained), null);
  documents.set('/inputs/read/tokens', ['b']);
  await settled();
  expect([documents.starts, asked.length, said(documents)]).toEqual([1, 1, ['y', 'z']]);
});

test('Reset brings back the answer that was there, and is no change of the reader', async () => {
  const { documents, asked } = made();
  documents.set('/inputs/read/tokens', ['b']);
  await settled();
  documents.reset();
  await settled();
  expect([asked.length, said(documents)]).toEqual([1, ['x']]);
});

test('what the reader writes himself stays', async () => {
  const { documents } = made();
  documents.set('/inputs/said/tokens', ['own']);
  await settled();
  expect(said(documents)).toEqual(['own']);
});

test('a link brings its own answer, and a model without trained weights has none', async () => {
  const { documents, asked } = made();
  documents.open({ ...trained, inputs: { ...trained.inputs, read: { tokens: ['c'] } } });
  await settled();
  expect([asked.length, said(documents)]).toEqual([0, ['x']]);
  const plain = made({ ...trained, parameters: {} });
  plain.documents.set('/inputs/read/tokens', ['b']);
  await settled();
  expect([plain.asked.length, said(plain.documents)]).toEqual([0, ['x']]);
});

const taught = { ...trained, training: { task: 'task-t' } } as Doc;
const task = (right: string[] | null) => ({ id: 'task-t', right, forms: [{ says: 'One letter.', like: 'a' }] });

test('what the task knows of the words comes with the answer, and goes with the words', async () => {
  const { documents, writer } = made(taught, task(null));
  expect(writer.truth).toBeUndefined();
  documents.set('/inputs/read/tokens', ['b']);
  await settled();
  expect([writer.truth?.input, writer.truth?.right]).toEqual(['said', null]);
  // An answer that the reader changes is another answer to the same words.
  documents.set('/inputs/said/tokens', ['own']);
  await settled();
  expect(writer.truth?.right).toBeNull();
  documents.undo();
  documents.undo();
  expect(writer.truth).toBeUndefined();
});

test('of a link nobody changed anything, and yet it is asked whether its answer is right, which stays', async () => {
  const { documents, asked, writer } = made(taught, task(['right']));
  documents.open({ ...taught, inputs: { ...taught.inputs, read: { tokens: ['c'] } } });
  await settled();
  expect([asked.length, said(documents), writer.truth?.right]).toEqual([1, ['x'], ['right']]);
});

test('a page that begins on a link asks, one that begins on the example of the page does not', async () => {
  const here = made(taught, task(null), taught);
  await settled();
  expect([here.asked.length, here.writer.truth]).toEqual([0, undefined]);
  const other = made(taught, task(null), trained);
  await settled();
  expect([other.asked.length, other.writer.truth?.right]).toEqual([1, null]);
});

test('where the model cannot write with what was changed, that is known, until it can again', async () => {
  const { documents, writer, refuse } = made();
  refuse(true);
  documents.set('/mechanism/type', 'n');
  await settled();
  expect([writer.unable, said(documents)]).toEqual([true, ['x']]);
  refuse(false);
  documents.set('/mechanism/type', 'o');
  await settled();
  expect([writer.unable, said(documents)]).toEqual([false, ['y', 'z']]);
});

test('an answer that was written after a change is news, one that came with its document is not', async () => {
  const { documents, writer, refuse } = made();
  expect(writer.news).toBe(false);
  documents.set('/inputs/read/tokens', ['b']);
  expect(writer.news).toBe(false);
  await settled();
  expect(writer.news).toBe(true);
  refuse(true);
  documents.set('/inputs/read/tokens', ['c']);
  await settled();
  expect(writer.news).toBe(false);
});
