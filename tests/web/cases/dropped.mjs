// SPDX-License-Identifier: Apache-2.0
// How models come onto the page: as a folder, without a config that gives all sizes, and a second time.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { equal, ok } from '../check.mjs';
import { dropAll } from '../files.mjs';
import { gpt2, json, predicted, safetensors, tokenizer } from '../../models.mjs';
import { SIZES, timm } from '../../vit.mjs';

const CONFIG = { model_type: 'gpt2', n_embd: 16, n_layer: 2, n_head: 4, vocab_size: 11, n_positions: 12 };
const tensors = gpt2();
const whole = { 'tiny.safetensors': safetensors(tensors), 'config.json': json(CONFIG),
  'tokenizer.json': json(tokenizer()) };
const ready = (page) => page.until(`return find(['ap-drop', '[data-part="ready"]'])`);
const listed = (page) => page.run(`return find(['ap-drop', '.files th'], true).map((one) => one.textContent)`);
const told = (page) => page.run(`return find(['ap-drop', '[data-assumed]'], true)
  .map((one) => one.textContent.replace(/\\s+/g, ' ').trim())`);
const open = async (page) => {
  await page.click('ap-drop', '[data-part="open"]');
  await page.until(`return !find(['ap-drop'])`);
  await page.settled();
};
const from = async (page) => (await page.document()).parameters.from;

function folderOf(files, under = '') {
  const root = mkdtempSync(join(tmpdir(), 'attention-folder-'));
  mkdirSync(join(root, under), { recursive: true });
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(root, under, name), bytes);
  return root;
}

// A person's drag from a file manager, which alone gives the page a real folder.
async function dropPath(page, path) {
  const session = await page.driver.context().newCDPSession(page.driver);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'])
    await session.send('Input.dispatchDragEvent', { type, x: 700, y: 500, data });
  await session.detach();
}

export const dropped = [
  {
    name: 'dropped: a folder opens as the model in it, and one without a model says so',
    only: 'chromium',
    async run(page) {
      const folders = [];
      const drop = (...of) => dropPath(page, folders[folders.push(folderOf(...of)) - 1]);
      try {
        await drop({ ...whole, 'README.md': '# x', 'training_args.bin': 'x', '.gitattributes': 'x' });
        await ready(page);
        equal(await listed(page), ['config.json', 'tiny.safetensors', 'tokenizer.json'], 'the files');
        await page.press('Escape');
        await page.until(`return !find(['ap-drop'])`);
        await drop({ 'notes.txt': 'x' }, 'deep');
        const said = await page.until(`return find(['ap-drop', '[role="alert"]'])?.textContent`);
        ok(said.includes('attention-folder-') && said.includes('No weights were found'), said);
        equal(await page.axe(), [], 'axe');
        // Into the dialog that is open.
        await drop(whole, 'models--tiny/snapshots/c0ffee');
        await ready(page);
        equal(await page.count('ap-drop', '[role="alert"]'), 0, 'nothing is wrong any more');
        await open(page);
        equal(await from(page), 'own-tiny.safetensors', 'the model');
      } finally {
        for (const folder of folders) rmSync(folder, { recursive: true });
      }
    },
  },
  {
    name: 'dropped: what the import assumed is told, and heads may be changed',
    async run(page) {
      const sizes = { ...SIZES, width: 192, layers: 1 };
      await dropAll(page, [['vit.safetensors', safetensors(timm(sizes))]]);
      await ready(page);
      equal(await told(page), ['Assumed: 3 heads. No file gives the number. Choose another value'], 'told');
      await page.click('ap-drop', '[data-assumed="heads"] button');
      equal(await page.run(`return find(['ap-drop', '[data-choice][aria-pressed="true"]']).dataset.choice`), '3',
        'so far');
      ok(await page.run(`return find(['ap-drop', '[data-part="answer"]']).disabled`), 'nothing was changed');
      equal(await page.axe(), [], 'axe of the question');
      await page.click('ap-drop', '[data-choice="6"]');
      await page.click('ap-drop', '[data-part="answer"]');
      await page.until(`return !find(['ap-drop', '[data-assumed]']) && find(['ap-drop', '[data-part="ready"]'])`);
      ok((await page.text('ap-drop', '[data-part="sizes"]')).includes('6 heads, width 192'), 'the new size');
      await open(page);
      ok(JSON.stringify(await page.document()).includes('"count":6'), 'in the document');
    },
  },
  {
    name: 'dropped: the same model again is the one that is kept; one number more or less is another',
    async run(page) {
      await dropAll(page, Object.entries(whole));
      await ready(page);
      equal(await told(page), ['Assumed: the activation is gelu_new. No file names it.'], 'told');
      await open(page);
      const mine = gpt2();
      mine['wpe.weight'].data[7] += 3;
      const other = { ...whole, 'tiny.safetensors': safetensors(mine) };
      for (const [files, name] of [[whole, 'own-tiny.safetensors'], [other, 'own-tiny-2.safetensors'],
        [other, 'own-tiny-2.safetensors'], [whole, 'own-tiny.safetensors']]) {
        await dropAll(page, Object.entries(files));
        await ready(page);
        await open(page);
        equal(await from(page), name, 'the weights');
        // Its words are its own: a number of the first model may not show.
        const right = predicted(files === other ? mine : tensors, (await page.document()).inputs.text.data, 4);
        await page.until(`return find(['ap-pieces', '.next button'])?.dataset.id === values[0]`,
          String(right.indexOf(Math.max(...right))));
        for (const [id, probability] of await page.run(`return find(['ap-pieces', '.next button'], true).map((button) =>
          [Number(button.dataset.id), Number(button.nextElementSibling.nextElementSibling.textContent)])`))
          ok(Math.abs(probability - right[id]) <= 0.00501, `${name}, ${id}: ${probability}, not ${right[id]}`);
      }
    },
  },
];
