// SPDX-License-Identifier: Apache-2.0
// The engine in the page's own thread, where a test can watch its memory and stop it in the middle.
import { equal, ok } from '../check.mjs';

const start = `
  const { load } = await import('/engine/index.js');
  const playground = await load();
  const tokens = Array.from({ length: 200 }, (_, i) => 't' + i);
  const document = { schema: 'attention-playground/1', inputs: { x: { tokens } },
    mechanism: { type: 'attention', query: 'self-attention' }, outputs: ['weights'] };
  const numbers = async () => [...(await playground.run(document)).outputs.weights.data.slice(0, 50)];`;

export const engineCases = [
  {
    name: 'engine: 6,000 refused documents keep the memory flat',
    async run(page) {
      const { grown, refused, same } = await page.run(`${start}
        const wrong = { ...document, mechanism: { ...document.mechanism,
          alignment: { type: 'softmax-temperature', temperature: -1 } } };
        const before = await numbers();
        await playground.run(wrong).catch(() => {});
        const { grow } = WebAssembly.Memory.prototype;
        let [grown, refused] = [0, 0];
        WebAssembly.Memory.prototype.grow = function (pages) { grown += 1; return grow.call(this, pages); };
        for (let i = 0; i < 6000; i++) await playground.run(wrong).catch(({ path }) =>
          { refused += path === '/mechanism/alignment/temperature'; });
        WebAssembly.Memory.prototype.grow = grow;
        return { grown, refused, same: String(await numbers()) === String(before) };`);
      equal(refused, 6000, 'documents refused');
      equal(grown, 0, 'times that the memory grew');
      ok(same, 'the same numbers as before');
    },
  },
  {
    name: 'engine: a call that stops in the middle costs its instance, and the next call works',
    async run(page) {
      const { said, instances, same } = await page.run(`
        const tables = [];
        for (const name of ['instantiate', 'instantiateStreaming']) {
          const usual = WebAssembly[name];
          WebAssembly[name] = async (...given) => {
            const made = await usual.apply(WebAssembly, given);
            tables.push((made.instance ?? made).exports.__indirect_function_table);
            return made;
          };
        }
        ${start}
        const before = await numbers();
        const instances = [tables.length];
        // This run needs more memory than the engine has. When it grows, the table of functions is emptied, so the
        // next call through the table traps, in every browser and whatever ran before.
        const many = Array.from({ length: 3000 }, (_, i) => 't' + i);
        const { grow } = WebAssembly.Memory.prototype;
        WebAssembly.Memory.prototype.grow = function (pages) {
          for (let at = 0; at < tables[0].length; at++) tables[0].set(at, null);
          return grow.call(this, pages);
        };
        const said = await playground.run({ ...document, inputs: { x: { tokens: many } } })
          .then(() => 'ran', ({ name, message }) => name + ': ' + message);
        WebAssembly.Memory.prototype.grow = grow;
        const same = String(await numbers()) === String(before);
        return { said, instances: [...instances, tables.length], same };`);
      ok(said.startsWith('ExperimentError: the engine failed'), `the call did not stop: ${said}`);
      equal(String(instances), '1,2', 'instances before the call and after the next one');
      ok(same, 'the same numbers as before');
    },
  },
];
