// SPDX-License-Identifier: Apache-2.0
// Runs in a page or in Node: mechanisms by way of the document engine.
import { withRows } from './sizes.mjs';

let playground;

export async function startDocuments(address) {
  const { load } = await import(address);
  playground = await load();
  return (await playground.catalogue()).mechanisms.map(({ id }) => id);
}

// The same document with other numbers: the engine keeps the steps of the last run that did not change.
function nudged(document) {
  const inputs = Object.entries(document.inputs).map(([name, input]) => {
    const whole = input.data.every((x) => Number.isInteger(x)); // masks, places, classes
    return [name, whole ? input : { ...input, data: input.data.map((x) => x * (1 + 2 ** -10)) }];
  });
  return { ...document, seed: (document.seed ?? 0) + 1, inputs: Object.fromEntries(inputs) };
}

// The first way to have n rows that the engine takes, ready to run.
async function fitting(id, n) {
  let problem;
  for (const document of withRows(await playground.example(id), n)) {
    try {
      const text = JSON.stringify(document);
      return { texts: [JSON.stringify(nudged(document)), text], result: await playground.run(text) };
    } catch (error) {
      problem ??= error;
    }
  }
  throw problem;
}

/** Best and middle time of a run with n rows in milliseconds, and how many bytes its named tensors take. */
export async function timeDocument(id, n, milliseconds) {
  try {
    const { texts, result } = await fitting(id, n);
    const bytes = result.steps.concat(Object.values(result.outputs), Object.values(result.parameters))
      .reduce((sum, { data }) => sum + data.byteLength, 0);
    const times = [];
    const end = performance.now() + milliseconds;
    do {
      const start = performance.now();
      await playground.run(texts[times.length % 2]);
      times.push(performance.now() - start);
    } while (performance.now() < end || times.length < 2);
    times.sort((a, b) => a - b);
    return { best: times[0], middle: times[times.length >> 1], bytes };
  } catch (problem) {
    return { failed: `${problem.path ?? ''} ${problem.message}`.trim() };
  }
}
