// SPDX-License-Identifier: Apache-2.0
// Systems made of transformer blocks, whose attention is a module within a module.
import { equal, ok } from '../check.mjs';
import { open } from '../gallery.mjs';
import { playTo } from '../play.mjs';

const store = `document.querySelector('attention-playground').store`;

const lecture = async (page) => {
  await page.run(`document.activeElement?.blur()`);
  await page.press('p');
  await page.until(`return !!find(['ap-lecture', 'ap-heat', 'canvas'])`);
  const said = await page.text('ap-lecture', '.what');
  const moments = await page.count('ap-lecture', '[data-moment]');
  await page.press('Escape');
  await page.until(`return !find(['ap-lecture'])`);
  return { said, moments };
};

const toTrain = async (page) => {
  await page.click('ap-header', '[data-place="train"]');
  await page.until(`const { training } = find(['ap-train-side'])?.desk ?? {};
    return training?.phase === 'ready' && !!training.picture`);
};

const SYSTEMS = [['DeepSeek-V2', 'block-2.attention', 3], ['Qwen3-Next', 'block-4.attention', 1]];
const opens = SYSTEMS.map(([name, module, head]) => ({
  first: true,
  name: `blocks: ${name} shows the map that its text describes, on the page, in the lecture and in the embed`,
  async run(page, origin) {
    await open(page, name);
    await page.until(`return ${store}.view.module === values[0]`, module);
    const drawn = `[data-tensor="${module}.weights"]`;
    await page.until(`return !!find(['ap-flow', 'ap-structure', values[0]]) || !!find(['ap-flow', values[0]])`, drawn);
    const { said } = await lecture(page);
    ok(said.includes(`(${module.replace('-', ' ')})`) && said.includes(`head ${head} of`), said);
    const link = await page.until(`return location.hash.length > 2 && location.hash`);
    await page.leave();
    await page.driver.goto(`${origin}/embed.html${link}`);
    await page.until(`return !!find(['ap-compact', 'ap-flow', values[0]])`, drawn);
  },
}));

export const blocks = [
  ...opens,
  {
    first: true,
    name: 'blocks: a training of GPT and its lecture show the map of the head that the page shows',
    async run(page) {
      await open(page, 'GPT');
      await page.until(`return ${store}.view.module === 'layer-2'`);
      await toTrain(page);
      await playTo(page, 30);
      const { map, head, names } = await page.run(`const { chosen, training } = find(['ap-train-side']).desk;
        return { map: chosen.map, head: chosen.head, names: training.picture.maps.map(({ name }) => name) };`);
      equal([names[map], head], ['layer-2.weights', 0], 'the map and its head');
      const rows = await page.run(`return find(['ap-train-shown', '[data-part="learned"] ap-heat']).names.down`);
      equal(rows.length, 8, 'a row for each word of the source');
      const { said, moments } = await lecture(page);
      ok(said.includes('layer-2') && said.includes('head 1 of 4') && moments >= 2, `${said}, ${moments} moments`);
      equal(await page.axe(), [], 'axe');
    },
  },
  {
    first: true,
    name: 'blocks: a training calls its maps as the structure does, and a weight of one can be set by hand',
    async run(page) {
      await open(page, 'DeepSeek-V2');
      await page.until(`return find(['ap-structure', '.node, .named'], true).length > 2`);
      const boxes = await page.run(`return find(['ap-structure', '.node, .named'], true)
        .map((one) => one.textContent.replaceAll('\\n', ' ').trim())`);
      await toTrain(page);
      await playTo(page, 10);
      const names = await page.run(`return find(['ap-train-shown', '[data-part="learned"] select option'], true)
        .map((one) => one.textContent).filter((one) => !/Head|heads/.test(one))`);
      equal(names, ['block 1', 'block 2'], 'the names of the maps');
      for (const name of names) ok(boxes.some((box) => box.includes(name)), `${name} is in the structure: ${boxes}`);
      const hand = async () => {
        await page.click('ap-train-hand', '[data-part="hand"]');
        await page.until(`return !find(['ap-train-hand']).busy && !!find(['ap-train-hand', '[data-part="patched"]'])`);
      };
      // What writes the answer is the last row: of a causal map the first row has a single weight.
      equal(await page.run(`return find(['ap-train-hand', '[data-part="hand-row"]']).selectedIndex`), 6, 'the row');
      await hand();
      const weight = await page.run(`const { data } = find(['ap-train-hand', '[data-part="patched"] ap-heat'])
        .plane.tensor; return data[6 * 7];`);
      ok(Math.abs(weight - 0.9) < 0.02, `what was asked for: ${weight}`);
      ok((await page.text('ap-train-hand', 'figcaption')).includes('mean of all heads'), 'whose weights these are');
      equal(await page.count('ap-train-hand', '[data-part="not-reached"]'), 0, 'it was reached');
      // A word later in the text is hidden from the one before it.
      await page.run(`find(['ap-train-hand']).desk.cell = { row: 1, column: 4 }`);
      await page.settled();
      await hand();
      const told = await page.text('ap-train-hand', '[data-part="not-reached"]');
      ok(told.startsWith('The weight is 0.00 instead of 0.90'), `a mask keeps it 0: ${told}`);
      equal(await page.axe(), [], 'axe');
    },
  },
  {
    first: true,
    name: 'blocks: a training without maps offers no lecture',
    async run(page) {
      await open(page, 'dynamic meta-embeddings');
      await toTrain(page);
      const lectureOf = `find(['ap-train', '[data-part="lecture"]'])`;
      equal(await page.run(`return ${lectureOf}?.disabled`), true, 'the button');
      await page.run(`document.activeElement?.blur()`);
      await page.press('p');
      await page.settled();
      equal(await page.count('ap-lecture'), 0, 'no lecture');
    },
  },
];
