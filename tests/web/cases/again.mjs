// SPDX-License-Identifier: Apache-2.0
// From a trained run to the next that is compared with it.
import { readFileSync } from 'node:fs';
import { equal, ok } from '../check.mjs';
import { at, playTo, state, toTrain, translated } from './train.mjs';

const view = { width: 1440, height: 900 };
const file = (name) => readFileSync(new URL(`../../../examples/trained/${name}.safetensors`, import.meta.url));
const headerOf = (bytes) => JSON.parse(bytes.subarray(8, 8 + Number(bytes.readBigUInt64LE(0))).toString());

/** The file with another header. */
function withHeader(bytes, change) {
  const header = headerOf(bytes);
  change(header);
  const text = Buffer.from(JSON.stringify(header));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([size, text, bytes.subarray(8 + Number(bytes.readBigUInt64LE(0)))]);
}

/** The file with a number that is none. */
function withNaN(bytes) {
  const copy = Buffer.from(bytes);
  copy.writeUInt16LE(0x7e00, 8 + Number(bytes.readBigUInt64LE(0)));
  return copy;
}

/** Files that are not to be taken, and what is to be said of each. */
const bad = [
  ['of another model', withHeader(file('reverse'), (header) => delete header.__metadata__), /another model/],
  ['with NaN', withNaN(file('translate')), /NaN/],
  ['cut short', file('translate').subarray(0, 30_000), /outside the file/],
  ['whose header lies', withHeader(file('translate'), (header) => (header['decoder.E'].shape = [1, 1])), /1 1.* needs/],
  ['of text', Buffer.from('this is a letter to a friend'), /not a file of weights/],
];

export const again = [
  {
    first: true,
    name: 'training: one press trains the same with another score for as many steps, and the runs say what changed; '
      + 'a score of equal widths comes with a projection, and is called so',
    view,
    async run(page) {
      await toTrain(page, translated);
      equal(await page.count('ap-train-again', '[data-score]'), 0, 'nothing was trained yet');
      await playTo(page, 40);
      const { looksAt, map } = await state(page);
      const offered = () => page.run(`return find(['ap-train-again', '[data-score]'], true).map((one) => one.dataset.score)`);
      const offers = (count) => page.until(`return find(['ap-train-again', '[data-score]'], true).length === ${count}`);
      await offers(3);
      equal(await offered(), ['dot', 'general', 'scaled-dot'], 'other scores');
      // The rows that ask are narrower than those that answer: the product is one of projected queries.
      equal(await page.run(`return find(['ap-train-again', '[data-score]'], true).map((one) => one.textContent.trim())`),
        ['Projected query: Dot product', 'General (bilinear)', 'Projected query: Scaled dot product'], 'their names');
      for (const [k, score] of ['dot', 'scaled-dot', 'general'].entries()) {
        await page.click('ap-train-again', `[data-score="${score}"]`);
        await page.until(`return find(['ap-train-runs', 'tbody tr'], true).length === ${k + 2}`);
        equal(await page.count('ap-train', '[data-part="problem"]'), 0, `${score}: no error`);
        await page.until(`return find(['ap-train-bar', '[data-part="play"]']).textContent.trim() === 'Play'
          && Number(find(['ap-train-bar', 'input[type="range"]']).value) > 0`);
        equal(await at(page), looksAt, `${score}: as many steps`);
        await page.until(`return find(['ap-train-again', '[data-score]'], true).length >= 3`);
      }
      const cells = await page.run(`return find(['ap-train-runs', 'tbody tr'], true).map((row) => `
        + `row.children[1].textContent.trim())`);
      ok(cells.some((one) => /^Score: Projected query/.test(one)), `what changed: ${cells.join(' | ')}`);
      ok(map !== undefined, 'a map was watched');
    },
  },
  {
    first: true,
    name: 'training: a file of weights that cannot be taken is refused with its reason, and nothing else changes',
    view,
    async run(page) {
      await toTrain(page);
      await playTo(page, 30);
      const before = [await page.document(), await state(page)];
      for (const [name, bytes, why] of bad) {
        await page.run(`
          const input = find(['ap-train', '[data-part="load"]']);
          const files = new DataTransfer();
          files.items.add(new File([Uint8Array.from(values[0])], 'a.safetensors'));
          input.files = files.files;
          input.dispatchEvent(new Event('change'));`, [...bytes]);
        await page.until(`
          const { phase } = find(['ap-train-curves'])?.desk.training ?? {};
          const said = ['said', 'problem'].map((part) => find(['ap-train', '[data-part="' + part + '"]'])?.textContent);
          return phase === 'ready' && new RegExp(values[0]).test(said.join(' '));`, why.source);
        equal([await page.document(), await state(page)], before, name);
      }
      equal(await page.count('ap-train-runs', 'tbody tr'), 0, 'no run was left');
      await playTo(page, 40);
    },
  },
];
