// SPDX-License-Identifier: Apache-2.0
// Answers {document}, {example: id} or {catalogue: true}, one a line, until its input ends: a process of its own, for
// the engine takes
// the tests' window for a browser.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const root = new URL('../../', import.meta.url);
const { default: create } = await import(new URL('build/wasm/bin/attention.mjs', root).href);
const engine = await create();
for await (const line of createInterface({ input: process.stdin })) {
  const { document, example, catalogue } = JSON.parse(line);
  const { directory, data } = document ? engine.run(JSON.stringify(document))
    : { directory: catalogue ? readFileSync(new URL('build/wasm/bin/catalogue.json', root), 'utf8')
    : engine.example(example), data: new Float32Array() };
  console.log(JSON.stringify({ directory: JSON.parse(directory),
    data: Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64') }));
}
