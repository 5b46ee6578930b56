// SPDX-License-Identifier: Apache-2.0
import { fileURLToPath } from 'node:url';
import { isolated, policy, serve } from '../../../tools/serve.mjs';
import { equal, ok } from '../check.mjs';

const built = fileURLToPath(new URL('../../../build/web', import.meta.url));

// In the page: numbers, calls, and plain loops in double.
const tools = `
  const { loadFused, loadPool } = await import('/engine/fused.js');
  const numbers = (seed, count) =>
    Float32Array.from({ length: count }, (_, i) => Math.sin(seed * 12.9898 + i * 78.233) * 1.5);
  const input = ({ heads, m, n, d, dv = d, ...rest }) =>
    ({ heads, m, n, d, dv, ...rest, q: numbers(1, heads * m * d), k: numbers(2, heads * n * d),
    v: numbers(3, heads * n * dv) });
  const apart = (a, b) => a.length !== b.length ? Infinity
    : a.reduce((worst, x, i) => (x === b[i] ? worst : Math.max(worst, Math.abs(x - b[i]))), 0);
  const plain = ({ heads, m, n, d, dv, q, k, v, causal }) => {
    const out = new Float64Array(heads * m * dv);
    for (let h = 0; h < heads; h++) for (let i = 0; i < m; i++) {
      const e = Array.from({ length: n }, (_, j) => {
        let s = 0;
        for (let c = 0; c < d; c++) s += q[(h * m + i) * d + c] * k[(h * n + j) * d + c];
        return causal && j > i ? 0 : Math.exp(s / Math.sqrt(d));
      });
      const sum = e.reduce((a, b) => a + b, 0);
      for (let j = 0; j < n; j++) for (let c = 0; c < dv;
        c++) out[(h * m + i) * dv + c] += (e[j] / sum) * v[(h * n + j) * dv + c];
    }
    return out;
  };
  const shapes = [{ heads: 1, m: 1, n: 1, d: 1 }, { heads: 1, m: 0, n: 3, d: 2 },
    { heads: 3, m: 33, n: 17, d: 5, dv: 7 }, { heads: 2, m: 65, n: 65, d: 16, causal: true }];`;

async function race(page, isolation) {
  const seen = await page.run(`${tools}
    const pool = await loadPool({ threads: 2, from: 0 });
    const one = await loadFused();
    const worst = [];
    for (const shape of shapes) {
      const found = await pool.attention(input(shape));
      worst.push(apart(found.output, plain(input(shape))), apart(found.sum, one.attention(input(shape)).sum));
      const slopes = { ...input(shape), upstream: numbers(4, shape.heads * shape.m * (shape.dv ?? shape.d)) };
      const [many, few] = [await pool.attentionGradient(slopes), one.attentionGradient(slopes)];
      worst.push(...['dq', 'dk', 'dv'].map((name) => apart(many[name], few[name])));
    }
    const { workers } = pool;
    pool.close();
    const refused = await pool.attention(input(shapes[0])).then(() => 'computed', (problem) => problem.message);
    return { workers, isolated: crossOriginIsolated, worst, refused };`);
  equal([seen.workers, seen.isolated], [2, isolation], 'workers');
  ok(seen.worst.length === 20 && seen.worst.every((worst) => worst < 1e-4), `differences ${seen.worst}`);
  ok(/closed/.test(seen.refused), seen.refused);
}

export const fusedCases = [
  {
    name: 'both builds of the fast kernels compute, and the browser gets the one that it can run',
    async run(page) {
      const seen = await page.run(`${tools}
        const own = await loadFused();
        const plainBuild = await loadFused({ build: 'plain' });
        const relaxed = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 19, 1, 17, 0, 65, 0, 253,
          17, 65, 0, 253, 17, 65, 0, 253, 17, 253, 133, 2, 11];
        return { build: own.build, can: WebAssembly.validate(new Uint8Array(relaxed)),
          worst: [own, plainBuild].flatMap((fused) =>
          shapes.map((shape) => apart(fused.attention(input(shape)).output, plain(input(shape))))) };`);
      equal(seen.build, seen.can ? 'relaxed' : 'plain', 'build');
      ok(seen.worst.length === 8 && seen.worst.every((worst) => worst < 1e-5), `differences ${seen.worst}`);
    },
  },
  {
    name: 'two workers give the numbers of one, without isolation and under the strict policy',
    async run(page) {
      await race(page, false);
    },
  },
  {
    name: 'two workers with shared memory give the numbers of one, where the page is isolated',
    async run(page) {
      const server = await serve(built, 0, '127.0.0.1', policy, isolated);
      const origin = `http://127.0.0.1:${server.address().port}`;
      try {
        page.expect(origin);
        await page.driver.goto(`${origin}/`);
        await race(page, true);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    },
  },
  {
    name: 'where the worker is missing or broken, this thread computes',
    async run(page) {
      page.expect('https://elsewhere.invalid');
      const seen = await page.run(`${tools}
        const found = [];
        for (const workerUrl of ['/engine/is-not-there.js', '/engine/attention.d.ts',
          'https://elsewhere.invalid/fused-worker.js']) {
          const pool = await loadPool({ threads: 2, from: 0, workerUrl });
          found.push([pool.workers, apart((await pool.attention(input(shapes[2]))).output, plain(input(shapes[2])))
            < 1e-5]);
        }
        return found;`);
      equal(seen, [[0, true], [0, true], [0, true]], 'workers and numbers');
      // The browser tells of the files that it could not have, and of the origin that the policy forbids.
      page.errors = page.errors.filter((text) =>
        !/is-not-there|404|elsewhere|MIME|attention\.d\.ts|disallowed/.test(text));
      await page.run('globalThis.policyBroken = []');
    },
  },
];
