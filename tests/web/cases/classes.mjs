// SPDX-License-Identifier: Apache-2.0
// A ViT that somebody drops, and pictures dropped on it: resized and normalised as its preprocessor says, it answers
// with classes.
import { equal, ok } from '../check.mjs';
import { dropAll } from '../files.mjs';
import { json, safetensors } from '../../models.mjs';
import { CONFIG, seen, SIZES, vit } from '../../vit.mjs';

const tensors = vit();
const PREPROCESSOR = { do_normalize: true, image_mean: [0.4, 0.5, 0.6], image_std: [0.2, 0.25, 0.3], resample: 2,
  size: { height: SIZES.image, width: SIZES.image } };
const weights = { 'model.safetensors': safetensors(tensors) };
const opened = async (page, files) => {
  await dropAll(page, Object.entries(files));
  await page.until(`return find(['ap-drop', '[data-part="ready"]'])`);
};
const landed = async (page) => {
  await page.click('ap-drop', '[data-part="open"]');
  await page.until(`return find(['ap-classes', '[data-part="classes"]'])`);
  await page.settled();
};
// As the browser itself makes it: a picture of 24 by 16 pixels in which each pixel differs.
const picture = (page) => page.run(`
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [24, 16];
  const to = canvas.getContext('2d');
  const image = to.createImageData(24, 16);
  for (let k = 0; k < image.data.length; k++) {
    const [c, x, y] = [k % 4, Math.floor(k / 4) % 24, Math.floor(k / 96)];
    image.data[k] = c === 3 ? 255 : (x * 9 + y * (7 + c) + c * 50) % 256;
  }
  to.putImageData(image, 0, 0);
  return canvas.toDataURL('image/png').split(',')[1];`);
const told = (page) => page.run(`return find(['ap-classes', 'li'], true).map((one) => [Number(one.dataset.class),
  one.querySelector('b').textContent, Number(one.querySelector('span').textContent)])`);
const image = async (page) => (await page.document()).inputs.image;

// Means over the pixels that a smaller one covers, each with the triangle's weight, in whole levels.
function shrunk(levelOf, w, h, to) {
  const along = (from, k) => {
    const scale = from / to;
    const centre = (k + 0.5) * scale;
    const all = Array.from({ length: from }, (_, x) => Math.max(0, 1 - Math.abs((x + 0.5 - centre) / scale)));
    const sum = all.reduce((a, b) => a + b);
    return all.map((weight) => weight / sum);
  };
  const data = [];
  for (let y = 0; y < to; y++) for (let x = 0; x < to; x++) for (let c = 0; c < 3; c++) {
    const [across, down] = [along(w, x), along(h, y)];
    data.push(Math.round(down.reduce((sum, weight, j) => weight === 0 ? sum
      : sum + weight * Math.round(across.reduce((row, one, i) => row + one * levelOf(i, j, c), 0)), 0)));
  }
  return data;
}

async function classesOf(page, what) {
  const { data } = await image(page);
  const right = seen(tensors, data);
  await page.until(`return Number(find(['ap-classes', 'li'])?.dataset.class) === values[0]`,
    right.indexOf(Math.max(...right)));
  for (const [id, , probability] of await told(page))
    ok(Math.abs(probability - right[id]) <= 0.00501, `${what}, class ${id}: ${probability}, not ${right[id]}`);
  return right;
}

// A change of the model leaves the probabilities before it beside the new ones; Undo swaps both, a picture ends it.
async function beforeChange(page) {
  const listed = () => page.run(`return find(['ap-classes', 'li'], true).map((one) => [one.dataset.class,
    one.querySelector('span').textContent, one.querySelector('[data-before]')?.textContent ?? null])`);
  const first = await listed();
  ok(first.every(([, , before]) => before === null), 'nothing was changed yet');
  await page.run(`const { documents } = document.querySelector('attention-playground').store;
    documents.change((draft) => { draft.interventions = [{ type: 'set', of: values[0], head: 0, value: 0 }]; })`,
  'layer-1.attention.heads');
  await page.until(`return find(['ap-classes', '[data-before]'], true).length === 4`);
  for (const [id, , before] of await listed())
    equal(before, `before: ${first.find(([one]) => one === id)[1]}`, `class ${id}`);
  ok((await page.text('ap-classes', '[data-part="changed"]')).startsWith('The second number'), 'what they are');
  await page.click('ap-header', '[aria-label="Undo"]');
  await page.until(`return find(['ap-classes', 'li'], true).map((one) => one.querySelector('span').textContent)
    .join() === values[0]`, first.map(([, value]) => value).join());
}

export const classes = [
  {
    name: 'classes: a ViT and a picture that are dropped answer with labels and probabilities',
    async run(page) {
      await opened(page, { ...weights, 'config.json': json(CONFIG), 'preprocessor_config.json': json(PREPROCESSOR) });
      ok((await page.text('ap-drop', '[data-part="sizes"]')).startsWith('2 layers, 3 heads, width 12, 4 classes'),
        await page.text('ap-drop', '[data-part="sizes"]'));
      ok((await page.text('ap-drop', '.files')).includes('how images are read'), 'the preprocessor');
      await landed(page);
      await classesOf(page, 'the picture that the document begins with');
      equal(await page.count('ap-classes', '[data-part="assumed"]'), 0, 'mean and deviation are known');
      await beforeChange(page);
      // A picture of another size, dropped on the page.
      await dropAll(page, [['photo.png', Buffer.from(await picture(page), 'base64'), 'image/png']]);
      await page.click('ap-bring', '[data-use]');
      await page.settled();
      const given = await image(page);
      equal(given.shape, [8, 8, 3], 'the model’s size');
      const levels = shrunk((x, y, c) => (x * 9 + y * (7 + c) + c * 50) % 256, 24, 16, 8);
      given.data.forEach((value, k) => {
        const wanted = (levels[k] / 255 - PREPROCESSOR.image_mean[k % 3]) / PREPROCESSOR.image_std[k % 3];
        ok(Math.abs(value - wanted) <= 1.01 / 255 / PREPROCESSOR.image_std[k % 3], `pixel ${k}: ${value}, ${wanted}`);
      });
      await classesOf(page, 'a dropped picture');
      const names = (await told(page)).map(([id, label]) => [id, label]);
      for (const [id, label] of names) equal(label, CONFIG.id2label[id], `label ${id}`);
      equal(await page.axe(), [], 'axe');
      // The same picture, dropped on the picture itself: its change of size is said.
      await page.run(`
        const bytes = Uint8Array.from(atob(values[0]), (c) => c.charCodeAt(0));
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([bytes], 'photo.png', { type: 'image/png' }));
        const surface = find(['ap-classes', 'ap-image', '.surface']);
        for (const kind of ['dragover', 'drop']) surface.dispatchEvent(new DragEvent(kind,
          { dataTransfer, bubbles: true, cancelable: true, composed: true }));`, await picture(page));
      const said = await page.until(`return find(['ap-image', '[data-remark]'])?.textContent`);
      ok(said.includes('24 × 16') && said.includes('8 × 8'), said);
      equal(await image(page), given, 'the same numbers');
      ok(!(await page.run(`return !!find(['ap-image', '[data-part="side"]'])`)), 'its size is the model’s');
      // Painted on, it stays within what colours can be.
      await page.click('ap-image', '[data-part="another"]');
      await page.settled();
      const drawn = (await image(page)).data;
      ok(drawn.every((value, k) => value >= -PREPROCESSOR.image_mean[k % 3] / PREPROCESSOR.image_std[k % 3] - 1e-4),
        'a drawn picture is normalised too');
      await classesOf(page, 'a drawn picture');
      await page.click('ap-header', '[aria-label="Undo"]');
      equal(await image(page), given, 'one step of undo');
    },
  },
  {
    name: 'classes: without labels they are numbers, and what is not known of the colours is said',
    async run(page) {
      const { id2label: _, ...config } = CONFIG;
      await opened(page, { ...weights, 'config.json': json(config) });
      ok((await page.text('ap-drop', '.files ~ .note')).includes('preprocessor_config.json'), 'said in the dialog');
      await landed(page);
      equal(await page.count('ap-classes', '[data-part="assumed"]'), 1, 'said beside the picture');
      await classesOf(page, 'without labels');
      for (const [id, label] of await told(page)) equal(label, `class ${id + 1}`, 'a number');
      ok((await page.text('ap-classes', '[data-part="classes"]')).includes('4 classes'), 'how many there are');
    },
  },
  {
    name: 'classes: labels or colours that do not fit are named with their file',
    async run(page) {
      const before = await page.document();
      for (const [files, says] of [
        [{ 'config.json': json({ ...CONFIG, id2label: { 0: 'cat' } }) }, ['config.json', 'id2label', '4 classes']],
        [{ 'config.json': json(CONFIG), 'preprocessor_config.json': json({ image_mean: [1] }) },
          ['preprocessor_config.json', '3 channels']],
      ]) {
        await dropAll(page, Object.entries({ ...weights, ...files }));
        const said = await page.until(`return find(['ap-drop', '[role="alert"]'])?.textContent`);
        for (const part of says) ok(said.includes(part), `${part}: ${said}`);
        await page.press('Escape');
        await page.until(`return !find(['ap-drop'])`);
        equal(await page.document(), before, 'the document');
      }
    },
  },
];
