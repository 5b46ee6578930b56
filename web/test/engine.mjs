// SPDX-License-Identifier: Apache-2.0
// Answers {document}, {example: id}, {catalogue: true}, {call: name, with: [..]} or {weights: name, file: base64}, one
// per line, until its input ends.
// It is a process of its own, because the engine takes the tests' window for a browser.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const root = new URL('../../', import.meta.url);
const { default: create } = await import(new URL('build/wasm/bin/attention.mjs', root).href);
const engine = await create();
for await (const line of createInterface({ input: process.stdin })) {
  const { document, example, catalogue, call, with: given, weights, file } = JSON.parse(line);
  const text = () => (weights ? engine.weights(weights, Buffer.byteLength(file, 'base64'), 0,
    Buffer.from(file, 'base64')) : call ? engine[call](...given)
    : catalogue ? readFileSync(new URL('build/wasm/bin/catalogue.json', root), 'utf8') : engine.example(example));
  const { directory, data } = document ? engine.run(JSON.stringify(document))
    : { directory: text(), data: new Float32Array() };
  console.log(JSON.stringify({ directory: JSON.parse(directory),
    data: Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64') }));
}
