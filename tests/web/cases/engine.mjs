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
      const { failed, said, same } = await page.run(`${start}
        const before = await numbers();
        // Called from ever less deep down, so with ever more room on the stack: the first calls fail before they
        // reach the engine, then come some that begin in JavaScript and run out inside WebAssembly. Firefox counts
        // plain calls without using the stack that WebAssembly runs on; calls by the parser use it.
        const answers = [];
        const deep = (down, most) => {
          try { down(() => deep(down, most)); } catch { /* the bottom */ }
          try { if (answers.length < most) answers.push(playground.normalise(document));
            } catch { /* no room even for the call */ }
        };
        deep((next) => next(), 2000);
        deep((next) => JSON.parse('0', next), 4000);
        const said = await Promise.all(answers.map((answer) =>
          answer.then(() => 'ran', ({ name, message }) => name + ' ' + message)));
        const failed = said.filter((text) => text.startsWith('ExperimentError the engine failed')).length;
        return { failed, said: [...new Set(said)], same: String(await numbers()) === String(before) };`);
      ok(failed > 0, `no call ran out of stack inside the engine: ${said}`);
      ok(same, 'the same numbers as before');
    },
  },
];
