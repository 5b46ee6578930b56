// SPDX-License-Identifier: Apache-2.0
// The project's own fast kernels, called as a program calls them: arrays in, arrays out.
export async function create({ build, given = false } = {}) {
  const address = typeof window === 'undefined' ? '../../build/web/engine/fused.js' : '/build/web/engine/fused.js';
  const { loadFused } = await import(address);
  const fused = await loadFused({ build });
  return {
    version: `fused kernels, ${fused.build}${given ? ', into a given array' : ''}`,
    // What an array for the result costs shows in calls that are not long.
    can: ({ family, n, gradient }) => !given || (n <= 1024 && family !== 'full' && !gradient),
    async prepare({ family, n, heads, width, model, gradient, x, wq, wk, wv, wo, q, k, v, upstream }) {
      let last;
      if (family === 'full') {
        // The others keep their weights too.
        const weights = fused.keep({ q: wq, k: wk, v: wv, o: wo }, model);
        return { run: () => { last = fused.multiHead({ x, weights, heads, width: model }); }, output: () => last.output,
          free: () => { weights.free(); fused.release(); } };
      }
      const input = { q, k, v, heads, m: n, n, d: width, dv: width,
        ...(given ? { out: new Float32Array(q.length) } : {}) };
      if (!gradient) return { run: () => { last = fused.attention(input); }, output: () => last.output,
        free: () => fused.release() };
      const slopes = { ...input, upstream };
      return {
        run: () => { last = fused.attentionGradient(slopes); },
        output: () => Float32Array.from([last.dq, last.dk, last.dv].flatMap((part) => [...part])),
        free: () => fused.release(),
      };
    },
  };
}
