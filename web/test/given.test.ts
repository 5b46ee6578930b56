// SPDX-License-Identifier: Apache-2.0
// Members of `parameters` that are no tensors: whoever takes the tensors leaves them, whoever takes the weights along
// keeps them.
import { expect, it, vi } from 'vitest';
import type { Client } from '../src/engine/client.ts';
import type { Doc } from '../src/engine/types.ts';
import { hasLargeInt8 } from '../src/files/weights.ts';
import { refusalOf } from '../src/state/try-choice.ts';
import { tensorsGiven } from '../src/state/given-tensors.ts';
import { learnable } from '../src/train/learnable.ts';

// It would start a worker; what it loads is not asked for here.
vi.mock('../src/engine/load.ts', () => ({ weightsNamed: async () => undefined }));

const parameters = { from: 'own.safetensors', activations: 'int8', W: [[1, 2]] };

it('names the tensors of a document, and nothing else', () => {
  expect(tensorsGiven(parameters)).toEqual({ W: [[1, 2]] });
  expect(tensorsGiven(undefined)).toEqual({});
});

it('asks the engine about a document without its file, and without what only counts beside it', async () => {
  let asked: unknown;
  const client = { send: ({ document }: { document: string }) => {
    asked = JSON.parse(document);
    return Promise.resolve({ text: '{"ok":true}' });
  } } as unknown as Client;
  expect(await refusalOf(client, { inputs: {}, parameters } as unknown as Doc)).toBeUndefined();
  expect(asked).toEqual({ inputs: {}, parameters: { W: [[1, 2]] } });
});

it('trains from first weights, by products as they are', () => {
  const document = { inputs: {}, training: { task: 'copy' }, parameters: { from: 'own', activations: 'int8' } };
  expect(learnable(document)).toEqual({ inputs: {}, training: { task: 'copy' } });
});

it('knows a file whose int8 matrices are read as they are', () => {
  const header = (dtype: string, shape: number[]) => ({ W: { dtype, shape, data_offsets: [0, 1] } });
  expect([header('I8', [256, 256]), header('I8', [255, 256]), header('F32', [256, 256])].map(hasLargeInt8))
    .toEqual([true, false, false]);
});
