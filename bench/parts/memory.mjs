// SPDX-License-Identifier: Apache-2.0
// How much memory one head of 16,384 tokens takes beyond its inputs and its output, in Chromium.
const n = 16_384;
const width = 64;

// Runs in the page. The module's memory is caught when it is made; it never shrinks.
async function take({ size, d, build, backward }) {
  const memories = [];
  const { instantiateStreaming } = WebAssembly;
  WebAssembly.instantiateStreaming = async (...given) => {
    const made = await instantiateStreaming.apply(WebAssembly, given);
    memories.push(...Object.values(made.instance.exports).filter((one) => one instanceof WebAssembly.Memory));
    return made;
  };
  const { loadFused } = await import('/build/web/engine/fused.js');
  const { numbers } = await import('/bench/lib/work.mjs');
  const fused = await loadFused({ build });
  const bytes = () => memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  const before = bytes();
  const input = Object.fromEntries(['q', 'k', 'v', 'upstream'].map((name, i) => [name, numbers(i + 1, size * d, 1)]));
  const start = performance.now();
  if (backward) fused.attentionGradient({ ...input, d });
  else fused.attention({ ...input, d });
  const milliseconds = performance.now() - start;
  const given = 4 * size * (4 * d + 2) + (backward ? 4 * size * 4 * d : 0);
  return { before, after: bytes(), inputsAndOutputs: given, beyond: bytes() - before - given, milliseconds };
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
