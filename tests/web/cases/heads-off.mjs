// SPDX-License-Identifier: Apache-2.0
// One head is switched off and on again, and what the model predicts is compared with loops of the test's own.
import { equal, ok } from '../check.mjs';
import { dropAll } from '../files.mjs';
import { open } from '../gallery.mjs';
import { gpt2, json, predicted, safetensors, tokenizer } from '../../models.mjs';

const CONFIG = { model_type: 'gpt2', n_embd: 16, n_layer: 2, n_head: 4, vocab_size: 11, n_positions: 12 };
const store = `document.querySelector('attention-playground').store`;
const off = (page) => page.run(`return ${store}.documents.document.interventions ?? null`);
const edits = (page) => page.run(`return ${store}.documents.depth`);

// Without what a head writes: its rows of the output projection are 0.
function without(tensors, layer, head, width) {
  const copy = structuredClone(tensors);
  const { shape: [, to], data } = copy[`h.${layer}.attn.c_proj.weight`];
  data.fill(0, head * width * to, (head + 1) * width * to);
  return copy;
}

async function predicts(page, tensors, what) {
  const right = predicted(tensors, (await page.document()).inputs.text.data, 4);
  const best = right.indexOf(Math.max(...right));
  await page.until(`const found = find(['ap-pieces', '.next button'], true).map((button) => [Number(button.dataset.id),
    Number(button.nextElementSibling.nextElementSibling.textContent)]);
    return found[0]?.[0] === values[0] && found.every(([id, p]) => Math.abs(p - values[1][id]) <= 0.00501)`,
  best, right, what);
}

export const headsOff = [
  {
    name: 'heads: one head of a dropped model is switched off and on again, each in one step',
    async run(page) {
      const tensors = gpt2();
      await dropAll(page, Object.entries({ 'tiny.safetensors': safetensors(tensors), 'config.json': json(CONFIG),
        'tokenizer.json': json(tokenizer()) }));
      await page.until(`return find(['ap-drop', '[data-part="ready"]'])`);
      await page.click('ap-drop', '[data-part="open"]');
      await page.until(`return !find(['ap-drop'])`);
      await page.settled();
      await predicts(page, tensors, 'all heads');
      await page.until(`return find(['ap-all-heads', '.head'], true).length === 8`);
      // Who speaks to the page calls a head by what is written on it, whatever the measure.
      for (const measure of ['entropy', 'previous', 'induction']) {
        await page.click('ap-all-heads', `[data-measure="${measure}"]`);
        await page.frames(2);
        const wrong = await page.run(`return find(['ap-all-heads', '.head'], true).map((one) =>
          [one.getAttribute('aria-label'), one.querySelector('.score').textContent.trim()])
          .filter(([label, shown]) => shown !== '–' && !label.includes(shown))`);
        equal(wrong, [], measure);
      }
      const before = await edits(page);
      await page.run(`find(['ap-all-heads', '.head'], true)[6].click()`);
      await page.until(`return find(['ap-all-heads', '[data-part="acts"]'])?.textContent.includes('layer 2, head 3')`);
      await page.settled();
      await page.click('ap-all-heads', '[data-part="switch-head"]');
      await page.settled();
      equal(await off(page), [{ type: 'set', of: 'layer-2.attention.heads', head: 2, value: 0 }], 'the document');
      equal(await edits(page), before + 1, 'one step');
      await predicts(page, without(tensors, 1, 2, 4), 'without the head');
      ok((await page.text('ap-all-heads', '[data-part="acts"]')).includes('Switch it on again'), 'the way back');
      equal(await page.run(`return find(['ap-all-heads', '.head.off'], true).length`), 1, 'the grid says which');
      ok((await page.run(`return find(['ap-heads', 'li button'], true)[2].textContent`)).includes('off'),
        'its list too');
      equal(await page.axe(), [], 'axe');
      await page.click('ap-all-heads', '[data-part="to-next"]');
      ok(await page.run(`const { top, bottom } = find(['ap-pieces', '.next']).getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight`), 'what the head changed is in sight');
      await page.click('ap-measures', '[data-part="switch-head"]');
      equal(await off(page), null, 'nothing is left');
      await predicts(page, tensors, 'all heads again');
    },
  },
  {
    name: 'heads: a word that enters the list has its probability before the change',
    async run(page) {
      const tensors = gpt2({ vocabulary: 60, seed: 7 });
      await dropAll(page, [['wide.safetensors', safetensors(tensors)],
        ['config.json', json({ ...CONFIG, vocab_size: 60 })]]);
      await page.until(`return find(['ap-drop', '[data-part="ready"]'])`);
      await page.click('ap-drop', '[data-part="open"]');
      await page.until(`return !find(['ap-drop'])`);
      await page.settled();
      const listed = () => page.run(`return find(['ap-pieces', '.next button'], true).map((one) =>
        Number(one.dataset.id))`);
      await page.until(`return find(['ap-pieces', '.next button'], true).length === 10`);
      const before = await listed();
      const all = predicted(tensors, await page.run(`return ${store}.documents.document.inputs.text.data`), 4);
      await page.until(`return find(['ap-all-heads', '.head'], true).length === 8`);
      await page.run(`find(['ap-all-heads', '.head'], true)[6].click()`);
      await page.until(`return find(['ap-all-heads', '[data-part="acts"]'])?.textContent.includes('layer 2, head 3')`);
      await page.click('ap-all-heads', '[data-part="switch-head"]');
      await page.until(`const said = find(['ap-pieces', '[data-before]'], true).map((one) => one.textContent);
        return said.length === 10 && said.every((one) => one.startsWith('before: '))`);
      const entered = (await listed()).filter((id) => !before.includes(id));
      ok(entered.length > 0, 'a word entered the list');
      for (const id of entered) {
        const said = await page.run(`return find(['ap-pieces', '[data-before="${id}"]']).textContent`);
        ok(Math.abs(Number(said.replace('before: ', '')) - all[id]) <= 0.00501, `${said} of ${all[id]}`);
      }
    },
  },
  {
    name: 'heads: a switch goes with the head that it is about',
    async run(page) {
      await open(page, 'transformer encoder');
      await page.until(`return !!find(['ap-measures', '[data-part="switch-head"]'])`);
      await page.run(`find(['ap-heads', 'li button'], true)[1].click()`);
      await page.settled();
      await page.click('ap-measures', '[data-part="switch-head"]');
      await page.settled();
      equal((await off(page)).length, 1, 'off');
      await page.run(`${store}.documents.change((draft) => {
        draft.mechanism.heads.count = 1; })`);
      await page.settled();
      equal(await page.run(`return ${store}.sessions.error ?? null`), null, 'no error');
      equal(await off(page), [], 'the switch is gone');
      await page.run(`${store}.documents.undo()`);
      equal((await off(page)).length, 1, 'and undo brings it back');
    },
  },
];
