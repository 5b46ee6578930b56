// SPDX-License-Identifier: Apache-2.0
// How much the page draws for a move of the hand, and how much it makes of a model with many layers. Both are counted:
// no machine is too busy for that.
import { equal, ok } from '../check.mjs';
import { dropAll } from '../files.mjs';
import { gpt2, json, safetensors } from '../../models.mjs';

const view = { width: 1440, height: 900 };
const STORE = `document.querySelector('attention-playground').store`;
const MOVES = 12;
const LAYERS = 12;
const CONFIG = { model_type: 'gpt2', n_embd: 16, n_layer: LAYERS, n_head: 4, vocab_size: 11, n_positions: 12 };

// From now on counts the elements that draw themselves, by their names, and the requests to the engine, by their kinds.
const count = (page) => page.run(`
  let part = customElements.get('ap-matrix').prototype;
  while (!Object.hasOwn(part, 'performUpdate')) part = Object.getPrototypeOf(part);
  const counted = globalThis.counted = { drawn: {}, asked: {} };
  const draw = part.performUpdate;
  part.performUpdate = function () {
    if (this.isUpdatePending) counted.drawn[this.localName] = (counted.drawn[this.localName] ?? 0) + 1;
    return draw.call(this);
  };
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (...given) {
    counted.asked[given[0]?.kind] = (counted.asked[given[0]?.kind] ?? 0) + 1;
    return post.apply(this, given);
  };`);
const counted = (page) => page.run(`const { drawn, asked } = counted;
  Object.assign(counted, { drawn: {}, asked: {} });
  return { drawn, asked };`);

export const hand = [
  {
    name: 'hand: a move of a slider is one message, and draws again only the matrices with other numbers',
    view,
    async run(page) {
      await page.decoder();
      await page.settled();
      await count(page);
      await page.run(`
        globalThis.shown = () => find(['ap-flow', 'ap-matrix'], true).map(({ plane }) => plane.tensor.data);
        globalThis.before = shown();
        ${STORE}.documents.set('/mechanism/alignment/temperature', 0.5, 'hand')`);
      // What is read follows in its own beat.
      await page.until(`return !${STORE}.sessions.busy && document.querySelector('attention-playground').resting`);
      await page.settled();
      const [matrices, changed] = await page.run(`
        return [before.length, shown().filter((data, k) => data !== before[k]).length];`);
      ok(changed > 0 && changed < matrices / 2, `${changed} of ${matrices} matrices have other numbers`);
      await counted(page);
      for (let k = 0; k < MOVES; k++) {
        await page.run(`${STORE}.documents.set('/mechanism/alignment/temperature', values[0], 'hand')`, 0.6 + k / 20);
        await page.until(`return !${STORE}.sessions.busy`);
        await page.settled();
      }
      const { drawn, asked } = await counted(page);
      equal([asked.change, asked.open, asked.run], [MOVES, undefined, undefined], 'requests to the engine');
      ok(drawn['ap-matrix'] <= changed * MOVES, `${drawn['ap-matrix']} matrices drawn, ${changed} changed a move`);
    },
  },
  {
    name: 'hand: a movement of the pointer draws lines, names and what is said of the cell, and no numbers again',
    view,
    async run(page) {
      await page.decoder();
      await page.run(`${STORE}.selection.hold(undefined)`);
      await page.settled();
      const box = await page.spot('ap-matrix[data-tensor="weights"]');
      await page.driver.mouse.move(box.left + box.width / 16, box.top + box.height / 16);
      await page.settled();
      await count(page);
      for (let k = 1; k <= MOVES; k++) {
        await page.driver.mouse.move(box.left + (box.width * ((k % 8) + 0.5)) / 8, box.top + box.height * 0.7);
        await page.settled();
      }
      const { drawn, asked } = await counted(page);
      ok(drawn['ap-outlines'] > 0 && drawn['ap-card'] > 0, JSON.stringify(drawn));
      const still = ['ap-matrix', 'ap-flow', 'ap-legend', 'ap-heat', 'ap-panel', 'ap-knob', 'ap-menu', 'ap-header',
        'ap-heads', 'ap-bounded', 'ap-inputs', 'attention-playground'];
      equal(still.filter((name) => drawn[name] !== undefined), [], `drawn: ${JSON.stringify(drawn)}`);
      ok(drawn['ap-outlines'] <= 4 * MOVES, `${drawn['ap-outlines']} outlines`);
      equal(asked.change, undefined, 'the document is the same');
    },
  },
  {
    name: 'hand: of a model of twelve layers the page makes what is near; the rest can be found, reached and printed',
    view,
    async run(page) {
      await dropAll(page, [['many.safetensors', safetensors(gpt2({ layers: LAYERS }))], ['config.json', json(CONFIG)]]);
      await page.until(`return !!find(['ap-drop', '[data-part="ready"]'])`);
      await page.click('ap-drop', '[data-part="open"]');
      await page.until(`return !find(['ap-drop']) && find(['ap-all-heads', '.head'], true).length === values[0]`,
        LAYERS * CONFIG.n_head);
      await page.settled();
      const late = (part, made) => page.run(`return find([values[0], 'ap-on-demand'], true)
        .filter((one) => one.made === values[1]).map(({ of }) => of)`, part, made);
      await page.until(`return find(['ap-flow', 'ap-on-demand'], true).length >= 48`);
      equal([await late('ap-flow', true), await page.count('ap-flow', 'table[data-part="parameters"]')], [[], 0],
        'parameters far below');
      const elements = await page.run(`const all = (root) => [...root.querySelectorAll('*')].reduce((sum, one) =>
        sum + 1 + (one.shadowRoot ? all(one.shadowRoot) : 0), 0); return all(document)`);
      ok(elements < 4500, `${elements} elements`);
      // Its name can be found before it is made.
      const parameters = await late('ap-flow', false);
      const name = parameters.at(-1);
      ok((await page.run(`return find(['ap-flow', 'ap-on-demand[of="' + values[0] + '"]']).textContent`, name))
        .includes(name), name);
      // Whoever scrolls to it finds it.
      await page.run(`find(['ap-flow', 'ap-on-demand[of="' + values[0] + '"]']).scrollIntoView()`, name);
      await page.until(`return !!find(['ap-flow', 'ap-matrix[data-tensor="' + values[0] + '"]'])`, name);
      ok((await late('ap-flow', false)).length > 0, 'others are still to be made');
      // The settings of the last layer, whose names are there, are made for whoever is sent to one of them.
      const setting = await page.run(`const { book, documents } = ${STORE};
        const late = find(['ap-panel', 'ap-on-demand'], true).filter(({ made }) => !made);
        return book.choices(documents.document).filter(({ slot, path }) => slot.kind === 'alignment'
          && late.some((one) => path.startsWith(one.of + '/') && one.querySelector('.label'))).at(-1)?.path`);
      ok(setting, 'a later layer shows the names of its settings');
      await page.run(`${STORE}.view.show({ control: { path: values[0] } })`, setting);
      await page.until(`return find(['ap-panel', '[data-path="' + values[0] + '"]'])?.hasAttribute('data-pointed')`,
        setting);
      await page.click('ap-flow', '.listed summary');
      await page.until(`return find(['ap-flow', 'table[data-part="parameters"] tbody tr'], true).length > 140`);
      // All of it is printed.
      await page.run(`dispatchEvent(new Event('beforeprint'))`);
      await page.run(`await new Promise((resolve) => queueMicrotask(resolve))`);
      equal([await late('ap-flow', false), await late('ap-panel', false)], [[], []], 'on paper');
      await page.run(`dispatchEvent(new Event('afterprint'))`);
    },
  },
];
