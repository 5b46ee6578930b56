// SPDX-License-Identifier: Apache-2.0
// Runs in a page or in Node: mechanisms by way of the document engine.
import { withRows } from './sizes.mjs';

let playground;

export async function startDocuments(address) {
  const { load } = await import(address);
  playground = await load();
  return (await playground.catalogue()).mechanisms.map(({ id }) => id);
}

// The first way to have n rows that the engine takes, ready to run.
async function fitting(id, n) {
  let problem;
  for (const document of withRows(await playground.example(id), n)) {
    try {
      const text = JSON.stringify(document);
      return { text, result: await playground.run(text) };
    } catch (error) {
      problem ??= error;
    }
  }
  throw problem;
}

/** Best and middle time of a run with n rows in milliseconds, and how many bytes its named tensors take. */
export async function timeDocument(id, n, milliseconds) {
  try {
    const { text, result } = await fitting(id, n);
    const bytes = result.steps.concat(Object.values(result.outputs), Object.values(result.parameters)).reduce((sum, { data }) => sum + data.byteLength, 0);
    const times = [];
    const end = performance.now() + milliseconds;
    do {
      const start = performance.now();
      await playground.run(text);
      times.push(performance.now() - start);
    } while (performance.now() < end || times.length < 2);
    times.sort((a, b) => a - b);
    return { best: times[0], middle: times[times.length >> 1], bytes };
  } catch (problem) {
    return { failed: `${problem.path ?? ''} ${problem.message}`.trim() };
  }
}
