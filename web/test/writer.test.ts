// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { Client } from '../src/engine/client.ts';
import type { Doc } from '../src/engine/types.ts';
import { Documents } from '../src/state/documents.ts';
import { Writer } from '../src/state/writer.ts';

const trained = {
  schema: 's', mechanism: { type: 'm' }, parameters: { from: 'w.safetensors' },
  inputs: { read: { tokens: ['a'] }, said: { tokens: ['x'] } },
} as unknown as Doc;

function made(document: Doc = trained) {
  const asked: Doc[] = [];
  const client = {
    send: ({ document: text }: { document: string }) => {
      asked.push(JSON.parse(text) as Doc);
      return Promise.resolve({ text: JSON.stringify({ input: 'said', tokens: ['y', 'z'], ended: true }) });
    },
  } as unknown as Client;
  const documents = new Documents(structuredClone(document), document);
  documents.settle();
  return { documents, asked, writer: new Writer(documents, client) };
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
