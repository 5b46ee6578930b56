// SPDX-License-Identifier: Apache-2.0
// How much memory one head of 16,384 tokens takes beyond its inputs and its output, in Chromium.
const n = 16_384;
const width = 64;

// Runs in the page. What the module asks of the browser is caught; its free memory is filled before, so that all that
// the call needs is asked for.
async function take({ size, d, build, backward }) {
  let asked = 0;
  const { instantiateStreaming } = WebAssembly;
  WebAssembly.instantiateStreaming = (source, imports) => {
    const heard = Object.entries(imports)
      .map(([from, functions]) => [from,
      Object.fromEntries(Object.entries(functions).map(([name, call]) => [name, (...given) => {
      asked = Math.max(asked, given[0] >>> 0); // the memory that it wants, in bytes
      return call(...given);
    }]))]);
    return instantiateStreaming.call(WebAssembly, source, Object.fromEntries(heard));
  };
  const { loadFused } = await import('/build/web/engine/fused.js');
  const { numbers } = await import('/bench/lib/work.mjs');
  const fused = await loadFused({ build });
  const little = new Float32Array(256);
  while (asked === 0) fused.keep({ q: little, k: little, v: little, o: little }, 16);
  const before = asked;
  const input = Object.fromEntries(['q', 'k', 'v', 'upstream'].map((name, i) => [name, numbers(i + 1, size * d, 1)]));
  const start = performance.now();
  if (backward) fused.attentionGradient({ ...input, d });
  else fused.attention({ ...input, d });
  const milliseconds = performance.now() - start;
  const given = 4 * size * (4 * d + 2) + (backward ? 4 * size * 4 * d : 0);
  return { before, after: asked, inputsAndOutputs: given, beyond: asked - before - given, milliseconds };
}

export async function memory(browser, { note }) {
  const rows = [];
  for (const build of ['relaxed', 'plain']) {
    for (const backward of [false, true]) {
      const title = `${build}, forward${backward ? ' and backward' : ''}`;
      note(`memory: ${title}`);
      const page = await browser.page(note);
      rows.push({ title, n, ...(await page.evaluate(take, { size: n, d: width, build, backward })) });
      await page.close();
    }
  }
  return { rows };
}
