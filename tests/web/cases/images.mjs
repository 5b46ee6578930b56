// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { attend, example } from '../attend.mjs';
import { compare, equal, ok } from '../check.mjs';
import { drop } from '../files.mjs';

const system = (id) => JSON.parse(
  readFileSync(new URL(`../../../systems/${id}.json`, import.meta.url), 'utf8')).document;
const show = async (page, document) => {
  await page.run(`const { store } = document.querySelector('attention-playground'); store.documents.replace(values[0])`,
    document);
  await page.until(`return !!find(['ap-image', '.stop'])`);
  await page.settled();
};
const image = async (page) => (await page.document()).inputs.image;
// A file as the browser itself makes it: drawn on a canvas of this size, then encoded.
const made = (page, width, height, body, type = 'image/png') => page.run(`
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [values[0], values[1]];
  const to = canvas.getContext('2d');
  ${body}
  return canvas.toDataURL(values[2]).split(',')[1];`, width, height, type);
const dropOn = (page, name, type, base64) => page.run(`
  const [name, type, base64] = values;
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name, { type }));
  const surface = find(['ap-image', '.surface']);
  for (const kind of ['dragover', 'drop']) surface.dispatchEvent(new DragEvent(kind,
    { dataTransfer, bubbles: true, cancelable: true, composed: true }));`, name, type, base64);
const remarks = (page) => page.run(`return find(['ap-image', '[data-remark]'], true).map((e) => e.dataset.remark)`);
const lock = (page) => page.run(`return document.querySelector('attention-playground').store.selection.lock ?? null`);

const close = (got, wanted, within, what) =>
  ok(Math.abs(got - wanted) <= within, `${what}: got ${got}, wanted ${wanted}`);

export const images = [
  {
    name: 'images: drawn by a seed, the same again after undo and redo, computed as attend does',
    async run(page) {
      await show(page, system('sagan-system'));
      const before = await image(page);
      const another = async () => {
        await page.click('ap-image', '[data-part="another"]');
        return image(page);
      };
      const [drawn, next] = [await another(), await another()];
      const pictures = new Set([before, drawn, next].map(({ data }) => JSON.stringify(data)));
      equal(pictures.size, 3, 'another picture each time');
      equal(next.shape, before.shape, 'the shape stays');
      await compare(page, 'a drawn image');
      await page.click('ap-header', '[aria-label="Undo"]');
      equal(await image(page), drawn, 'one step of undo');
      await page.click('ap-header', '[aria-label="Redo"]');
      equal(await image(page), next, 'redone');
      await page.run(`
        const motif = find(['ap-image', '[data-part="motif"]']);
        motif.value = 'digit';
        motif.dispatchEvent(new Event('change'));`);
      await page.settled();
      const digit = (await image(page)).data;
      ok(digit.filter((v) => v === 0).length > 100 && Math.max(...digit) > 0.5, 'a digit on black');
      equal(await page.axe(), [], 'axe');
    },
  },
  {
    name: 'images: a patch points at its row of the map, and a cell of the map at its patches',
    async run(page) {
      await show(page, system('sagan-system'));
      await page.clickAt(['ap-image', '.stop'], 2.5 / 8, 1.5 / 8);
      const held = await lock(page);
      equal([held.tensor, held.index[0]], ['weights', 10], 'row of the patch in row 1, column 2, counted from 0');
      ok((await page.text('ap-image', '.says')).startsWith('row 1, column 2 attends most to row '),
        await page.text('ap-image', '.says'));
      equal(await page.count('ap-image', '.mark.query'), 1, 'who asks is outlined');
      equal(await page.count('ap-image', '.mark.key'), 1, 'what is asked is outlined');
      // The twin's cells are the map's own.
      await page.clickAt(['ap-image', 'ap-matrix'], 0.5 / 8, 5.5 / 8);
      equal((await lock(page)).index, [10, 40], 'a cell of the row that is laid out');
      // Seen from the other side: who looks at the patch.
      await page.click('ap-image', '[data-side="column"]');
      await page.clickAt(['ap-image', '.stop'], 0.5 / 8, 0.5 / 8);
      equal((await lock(page)).index[1], 0, 'column of the first patch');
      ok((await page.text('ap-image', '.says')).includes('gets the most attention from'), 'said');
      // From the map: a cell of the large matrix marks two patches.
      await page.run(`document.querySelector('attention-playground').store.selection.hold({ group: 'outputs', tensor: `
        + `'weights', index: [63, 8] })`);
      await page.settled();
      const marks = await page.run(`return ['query', 'key'].map((n) => { const r = find(['ap-image', '.mark.' + n]); `
        + `return [Number(r.getAttribute('x')), Number(r.getAttribute('y'))]; })`);
      marks.flat().forEach((v, k) => close(v, [7, 7, 0, 1][k], 1e-6, 'where'));
    },
  },
  {
    name: 'images: channels are counted from 0, as their indices are',
    async run(page) {
      await show(page, system('show-attend-tell'));
      const { shape } = await image(page);
      const named = await page.run(`return [...find(['ap-image', '[data-part="channel"] option'], true)]
        .map((one) => [one.value, one.textContent])`);
      equal(named.slice(1), Array.from({ length: shape[2] }, (_, c) => [String(c), `Channel ${c}`]), 'channels');
    },
  },
  {
    name: 'images: a grid of filters is drawn where it reads, as its numbers say',
    async run(page) {
      const document = await example('selective-gaussian-grid');
      await show(page, document);
      const { outputs } = await attend({ ...document, outputs: ['filter_x', 'filter_y'] });
      const middles = (name) => {
        const { shape: [filters, size], data } = outputs[name];
        return Array.from({ length: filters }, (_, k) =>
          Array.from({ length: size }, (__, at) => data[k * size + at] * at).reduce((a, b) => a + b, 0.5));
      };
      const drawn = await page.until(`const all = find(['ap-image', '.filter'], true);
        return all.length > 0 && all.map((one) => ['cx', 'cy'].map((name) => Number(one.getAttribute(name))))`);
      const wanted = middles('filter_y').flatMap((y) => middles('filter_x').map((x) => [x, y]));
      equal(drawn.length, wanted.length, 'a filter for each pair');
      drawn.forEach((at, k) => at.forEach((v, axis) => ok(Math.abs(v - wanted[k][axis]) < 1e-3, `filter ${k}: ${at}`)));
      ok((await page.text('ap-image', '.says')).startsWith('A grid of 5 × 5 filters is centred on row '), 'said');
    },
  },
  {
    name: 'images: reached and painted by keyboard, one step of undo a stroke',
    async run(page) {
      await show(page, system('ram'));
      const before = await image(page);
      await page.click('ap-image', '[data-part="paint"]');
      await page.click('ap-image', '[data-colour="white"]');
      await page.run(`find(['ap-image', '.stop']).focus()`);
      for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'Enter']) await page.press(key);
      const painted = await image(page);
      equal(painted.shape, [12, 12], 'no channels');
      equal(painted.data[14], 1, 'row 1, column 2 is white');
      await compare(page, 'a painted image');
      await page.click('ap-header', '[aria-label="Undo"]');
      equal(await image(page), before, 'undone');
      // A stroke with the pointer, from corner to corner.
      const box = await page.spot('ap-image', '.stop');
      await page.driver.mouse.move(box.left + 4, box.top + 4);
      await page.driver.mouse.down();
      await page.driver.mouse.move(box.left + box.width - 4, box.top + box.height - 4, { steps: 8 });
      await page.driver.mouse.up();
      await page.settled();
      const { data } = await image(page);
      for (let k = 0; k < 12; k++) equal(data[k * 13], 1, `pixel ${k} of the diagonal`);
      await page.click('ap-header', '[aria-label="Undo"]');
      equal(await image(page), before, 'a stroke is one step');
      await page.run(`find(['ap-image', '.stop']).focus()`);
      await page.press('Escape');
      equal(await page.count('ap-image', '.swatch'), 0, 'Escape puts the brush away');
    },
  },
  {
    name: 'images: files are decoded and resized, whatever they are, and what was done is said',
    async run(page) {
      await show(page, system('sagan-system'));
      await dropOn(page, 'large.jpg', 'image/jpeg',
        await made(page, 4000, 4000,
        `to.fillStyle = '#f00'; to.fillRect(0, 0, 2000, 4000); to.fillStyle = '#00f'; to.fillRect(2000, 0, 2000, `
        + `4000);`, 'image/jpeg'));
      await page.until(
        `return document.querySelector('attention-playground').store.documents.document.inputs.image.data[0] > 0.9`);
      await page.settled();
      const { data } = await image(page);
      ok(data[0] > 0.95 && data[2] < 0.05 && data[21] < 0.05 && data[23] > 0.95,
        `red left, blue right: ${data.slice(0, 24)}`);
      equal(await remarks(page), [], 'nothing to say of it');
      await compare(page, 'a large image');
      await dropOn(page, 'wide.png', 'image/png',
        await made(page, 40, 20, `to.fillStyle = 'rgb(0 255 0 / 50%)'; to.fillRect(0, 0, 40, 20);`));
      await page.until(`return find(['ap-image', '[data-remark]'], true).length === 2`);
      equal(await remarks(page), ['cut', 'alpha'], 'cut, and half transparent');
      close((await image(page)).data[1], 0.5, 0.01, 'half of green over black');
      await dropOn(page, 'grey.png', 'image/png',
        await made(page, 1, 1, `to.fillStyle = '#808080'; to.fillRect(0, 0, 1, 1);`));
      await page.until(`return find(['ap-image', '[data-remark]'], true).some((e) => e.dataset.remark === 'tiny')`);
      equal(await remarks(page), ['tiny', 'grey'], 'one grey pixel');
      const before = await image(page);
      await dropOn(page, 'broken.png', 'image/png',
        Buffer.from('\x89PNG\r\n\x1a\n and nothing more').toString('base64'));
      ok((await page.until(`return find(['ap-image', '.error'])?.textContent`)).includes('cannot decode'), 'broken');
      equal(await image(page), before, 'what was here stays');
      await dropOn(page, 'words.txt', 'text/plain', Buffer.from('words').toString('base64'));
      await page.until(`return find(['ap-image', '.error'])?.textContent.includes('not an image')`);
    },
  },
  {
    name: 'images: dropped anywhere on the page they go to the input that is an image',
    async run(page) {
      await show(page, system('sagan-system'));
      await dropOn(page, 'broken.png', 'image/png', Buffer.from('\x89PNG').toString('base64'));
      await page.until(`return !!find(['ap-image', '.error'])`);
      // A file that says no type is known by its first bytes.
      await drop(page, 'red', '',
        Buffer.from(await made(page, 12, 12, `to.fillStyle = '#f00'; to.fillRect(0, 0, 12, 12);`), 'base64'));
      await page.until(`return find(['ap-bring', '.found'])?.dataset.found === 'tensor'`);
      await page.click('ap-bring', '[data-use]');
      await page.settled();
      equal((await image(page)).data.slice(0, 3), [1, 0, 0], 'red');
      equal(await page.count('ap-image', '.error'), 0, 'what was wrong with another file is no longer said');
      await compare(page, 'a dropped image');
    },
  },
  {
    name: 'images: patches of another side, and a patch larger than the image is refused at its field',
    async run(page) {
      await show(page, system('vit'));
      await page.run(`const s = find(['ap-image', '[data-part="side"]']); s.value = '12'; s.dispatchEvent(new `
        + `Event('change'))`);
      await page.settled();
      equal((await image(page)).shape, [12, 12, 1], 'resized');
      await compare(page, 'nine patches');
      equal(await page.run(`const m = find(['ap-image', '.twin ap-matrix']); return [m.plane.rows, m.plane.cols]`),
        [3, 3], 'nine patches are seen');
      await page.run(`document.querySelector('attention-playground').store.documents.set('/model/0/P', 50)`);
      await page.settled();
      ok(await page.until(`return find(['.error'])?.textContent`), 'an error is shown');
    },
  },
  {
    name: 'images: on a phone the image stands above the stage, and nothing is wider than the screen',
    view: { width: 360, height: 780 },
    async run(page) {
      await show(page, system('sagan-system'));
      ok(await page.run(`const box = find(['ap-image', '.surface']).getBoundingClientRect(); return box.width > 250 && `
        + `box.right <= 360`), 'fits');
      equal(await page.run(`return document.scrollingElement.scrollWidth`), 360, 'no sideways scrolling');
      equal(await page.axe(), [], 'axe');
    },
  },
  {
    name: 'images: points between pixels lie on the image, as large as their weights, those of one query when asked',
    async run(page) {
      await page.run(`
        const { store } = document.querySelector('attention-playground');
        await store.learn();
        const { text } = await store.client.send({ kind: 'example', of: 'deformable' });
        store.documents.replace(JSON.parse(text));`);
      await page.until(`return find(['ap-image', '.point'], true).length === 24`);
      await page.settled();
      const { outputs } = await attend(await page.document());
      const drawn = await page.run(`return find(['ap-image', '.point'], true).map((e) => ['cy', 'cx', 'r'].map((of) => `
        + `Number(e.getAttribute(of))))`);
      drawn.forEach(([row, col], k) => {
        close(row - 0.5, outputs.points.data[2 * k], 1e-4, 'row');
        close(col - 0.5, outputs.points.data[2 * k + 1], 1e-4, 'column');
      });
      const shares = [...outputs.weights.data];
      const [heavy, light] = [Math.max, Math.min].map((of) => shares.indexOf(of(...shares)));
      ok(drawn[heavy][2] > drawn[light][2], 'the heavier the larger');
      await page.run(`document.querySelector('attention-playground').store.selection.hold({ group: 'outputs', tensor: `
        + `'output', index: [1, 0] })`);
      await page.settled();
      equal(await page.run(`return find(['ap-image', '.point'], true).filter((e) => `
        + `!e.classList.contains('other')).map((e) => e.dataset.query)`), Array(8).fill('1'), 'the points of query 2');
      ok((await page.text('ap-image', '.says')).includes('Query 1 attends to 8 points'),
        await page.text('ap-image', '.says'));
      equal(await page.axe(), [], 'axe');
    },
  },
];
