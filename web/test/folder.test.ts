// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
// Folders that somebody drops: the files of the one model in them, as `attend import` takes them.
import { expect, it } from 'vitest';
import { modelIn, MOST } from '../src/models/folder.ts';

type Tree = { [name: string]: Tree | string };

const fileEntry = (name: string, text: string): FileSystemFileEntry =>
  ({ name, isFile: true, isDirectory: false,
    file: (take: (file: File) => void, refuse: (problem: Error) => void) =>
      (text === 'gone' ? refuse(new Error('gone')) : take(new File([text], name))) }) as unknown as FileSystemFileEntry;

// As browsers do it: up to 100 entries at a time, and none at the end.
const folderEntry = (name: string, tree: Tree): FileSystemDirectoryEntry => ({ name, isFile: false, isDirectory: true,
  createReader: () => {
    const left = entriesOf(tree);
    return { readEntries: (take: (some: FileSystemEntry[]) => void) => take(left.splice(0, 100)) };
  } }) as unknown as FileSystemDirectoryEntry;

const entriesOf = (tree: Tree): FileSystemEntry[] => Object.entries(tree).map(([name, inside]) =>
  (typeof inside === 'string' ? fileEntry(name, inside) : folderEntry(name, inside)));

const found = async (tree: Tree): Promise<unknown> => {
  const files = await modelIn(entriesOf(tree));
  return 'kind' in files ? files : files.map(({ name }) => name);
};

it('takes the files of a model and leaves others in its folder out', async () => {
  expect(await found({ gpt2: { 'README.md': '', '.gitattributes': '', 'model.safetensors': '', 'config.json': '{}',
    'tokenizer.json': '{}', 'vocab.json': '{}', 'generation_config.json': '{}', 'merges.txt': '',
    'special_tokens_map.json': '{}', '._model.safetensors': '', onnx: { 'model.bin': '' } } }))
    .toEqual(['config.json', 'generation_config.json', 'merges.txt', 'model.safetensors', 'tokenizer.json',
      'vocab.json']);
  // Which of several forms is read is chosen where the files are read.
  expect(await found({ two: { 'pytorch_model.bin': '', 'model.safetensors': '', 'training_args.bin': '' } }))
    .toEqual(['model.safetensors', 'pytorch_model.bin']);
});

it('looks for the model in deeper folders, down to the cache of Hugging Face', async () => {
  const cache: Tree = { '.locks': { 'x.bin': '' }, 'models--a--b': { blobs: { '1f': '' }, refs: { main: '' },
    snapshots: { c0ffee: { 'model.gguf': '' } } } };
  expect(await found({ hub: cache })).toEqual(['model.gguf']);
  expect(await found({ a: { hub: { b: cache } } })).toEqual({ kind: 'none', folders: ['a'] });
  // The nearest one counts: deeper ones are what a training kept.
  expect(await found({ out: { 'training_args.bin': '', 'checkpoint-5': { 'model.safetensors': '', 'optimizer.pt': '' },
    logs: {} } })).toEqual(['model.safetensors']);
  expect(await found({ out: { 'model.safetensors': '', 'checkpoint-5': { 'other.safetensors': '' } } }))
    .toEqual(['model.safetensors']);
});

it('takes from sentence-transformers which rows make a sentence', async () => {
  const files = await modelIn(entriesOf({ bge: { 'model.safetensors': '', 'config.json': 'own', 'vocab.txt': '',
    'tokenizer_config.json': '{}', '1_Pooling': { 'config.json': 'rows', 'notes.txt': '' },
    '2_Normalize': { 'config.json': '' } } })) as File[];
  expect(files.map(({ name }) => name))
    .toEqual(['1_Pooling/config.json', 'config.json', 'model.safetensors', 'tokenizer_config.json', 'vocab.txt']);
  expect(await files[0]!.text()).toBe('rows');
});

it('takes files that are dropped beside a folder, before those in it', async () => {
  const gpt2 = { 'model.safetensors': '', 'config.json': 'inside' };
  const files = await modelIn(entriesOf({ 'config.json': 'beside', gpt2 })) as File[];
  expect(files.map(({ name }) => name)).toEqual(['config.json', 'model.safetensors']);
  expect(await files[0]!.text()).toBe('beside');
  expect(await found({ 'model.safetensors': '', notes: { 'a.txt': '' } })).toEqual(['model.safetensors']);
});

it('takes a document together with the weights that were saved with it', async () => {
  const document = JSON.stringify({ schema: 'attention-playground/1', inputs: {}, mechanism: { type: 'attention' },
    parameters: { from: 'mine.safetensors' } });
  expect(await found({ mine: { 'mine.json': document, 'mine.safetensors': '', 'x.txt': '' } }))
    .toEqual(['mine.json', 'mine.safetensors']);
});

it('says why a folder gives no model', async () => {
  expect(await found({ empty: {}, pictures: { 'cat.png': '' } }))
    .toEqual({ kind: 'none', folders: ['empty', 'pictures'] });
  expect(await found({ all: { a: { 'model.safetensors': '' }, b: { 'model.bin': '' }, c: {} } }))
    .toEqual({ kind: 'several', folders: ['a', 'b'] });
  const many = Object.fromEntries(Array.from({ length: MOST + 1 }, (_, k) => [`${k}.txt`, '']));
  expect(await found({ home: { many, few: {} } })).toEqual({ kind: 'many', folders: ['many'] });
  expect(await found({ lost: { 'model.bin': 'gone' } })).toEqual({ kind: 'unreadable', folders: ['model.bin'] });
});
