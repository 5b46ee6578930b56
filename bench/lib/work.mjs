// SPDX-License-Identifier: Apache-2.0
// The attention that is measured: sizes, numbers and how many operations they take. The same in Node and in pages.

/** Numbers in [-scale, scale), the same for a seed everywhere. */
export function numbers(seed, count, scale) {
  const out = new Float32Array(count);
  let state = Math.imul(seed, 0x9e3779b1) >>> 0 || 1;
  for (let i = 0; i < count; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    out[i] = ((state >>> 0) / 2 ** 31 - 1) * scale;
  }
  return out;
}

const unit = Math.sqrt(3); // a uniform number of this reach has variance 1

export const families = {
  one: { title: 'one head', heads: 1, width: 64, sizes: [64, 256, 1024, 2048, 4096], gradients: [64, 256, 1024] },
  eight: { title: 'eight heads', heads: 8, width: 64, sizes: [64, 128, 512, 1024], gradients: [64, 128, 512] },
  full: { title: 'multi-head, width 512', heads: 8, width: 64, sizes: [64, 128, 512], gradients: [] },
  tiny: { title: 'tiny, width 16', heads: 1, width: 16, sizes: [16], gradients: [] },
};

/** Every piece of work by its name, such as one-256, one-256-gradient, full-128. */
export const works = Object.entries(families).flatMap(([family, { sizes, gradients }]) => [
  ...sizes.map((n) => `${family}-${n}`),
  ...gradients.map((n) => `${family}-${n}-gradient`),
]);

export function describe(id) {
  const [family, size, kind] = id.split('-');
  const { title, heads, width } = families[family];
  const n = Number(size);
  const model = heads * width;
  const forward = 4 * n * n * width * heads + (family === 'full' ? 8 * n * model * model : 0);
  // Forward and backward count as three forwards, whatever an engine really does.
  const gradient = kind === 'gradient';
  return { id, family, title: `${title}, n = ${n}${gradient ? ', with gradients' : ''}`, n, heads, width, model,
    gradient, operations: forward * (gradient ? 3 : 1) };
}

/** The work with its numbers. Matrices with heads are [heads n width]; x is [n model], weights [model model]. */
export function work(id) {
  const about = describe(id);
  const { family, n, heads, width, model, gradient } = about;
  if (family === 'full') {
    const scale = unit / Math.sqrt(model);
    const weights = ['wq', 'wk', 'wv', 'wo'].map((name, i) =>
      [name, numbers(11 + i, model * model, i < 2 ? 1.5 * scale : scale)]);
    return { ...about, x: numbers(10, n * model, unit), ...Object.fromEntries(weights) };
  }
  const matrix = (seed) => numbers(seed, heads * n * width, unit);
  return { ...about, q: matrix(1), k: matrix(2), v: matrix(3), ...(gradient ? { upstream: matrix(4) } : {}) };
}
