// SPDX-License-Identifier: Apache-2.0
// The lecture: one picture as large as the window, entered, gone through and left by keys alone.
import { equal, ok } from '../check.mjs';
import { catchSaved, saved } from '../files.mjs';
import { playTo, toTrain, translated } from './train.mjs';

const OPEN = `const lecture = find(['ap-lecture']);
  return !!lecture?.course && !!find(['ap-lecture', 'ap-heat', 'canvas'])`;
/** What the lecture shows: the moment's name, where its picture is, what it is, and what a screen reader hears. */
const seen = (page) => page.run(`
  const [lecture, canvas] = [find(['ap-lecture']), find(['ap-lecture', 'ap-heat', 'canvas'])];
  await lecture.updateComplete;
  await find(['ap-lecture', 'ap-lecture-picture'])?.updateComplete;
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const box = canvas.getBoundingClientRect();
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let sum = 0;
  for (let k = 0; k < data.length; k++) sum = (sum * 31 + data[k]) >>> 0;
  const title = find(['ap-lecture', 'h2']).cloneNode(true);
  title.querySelector('small')?.remove();
  return { name: title.textContent.trim(),
    notes: find(['ap-lecture', '.what']).textContent.trim(), box: [box.x, box.y, box.width, box.height].map(Math.round),
    picture: sum, told: canvas.getAttribute('aria-label'),
    live: find(['ap-lecture', '[data-part="live"]']).textContent.trim(),
    type: parseFloat(getComputedStyle(find(['ap-lecture', '.word.row'])).fontSize),
    moments: find(['ap-lecture', '[data-moment] span'], true).map((one) => one.textContent),
    legend: find(['ap-lecture', '.ticks span'], true).map((one) => one.textContent) }`);
const enter = async (page) => {
  await page.press('p');
  await page.until(OPEN);
};
const leave = async (page) => {
  await page.press('Escape');
  await page.until(`return !find(['ap-lecture'])`);
};
// A press on nothing: keys go to the page.
const away = (page) => page.run(`document.activeElement?.blur()`);

export const lectures = [
  {
    name: 'lecture: a training is gone through by keys, and its picture changes in place',
    view: { width: 1440, height: 900 },
    async run(page) {
      await toTrain(page, translated);
      await playTo(page, 120);
      await away(page);
      await enter(page);
      const after = await seen(page);
      equal(after.name, 'after', 'where one trains, it begins at the newest step');
      ok(after.type >= 24, `words of ${after.type} pixels`);
      ok(after.box[2] * after.box[3] > 0.25 * 1440 * 900, `a picture of ${after.box}`);
      await page.press('Home');
      const before = await seen(page);
      equal([before.name, before.box, before.legend], ['before', after.box, after.legend], 'the same place and scale');
      ok(before.picture !== after.picture, 'the picture changes');
      ok(before.notes.includes('step 0 of'), before.notes);
      equal(before.live, `Moment 1 of ${before.moments.length}: before`, 'what is heard');
      ok(/^Weights\. .+: .+ \.\d\d; /.test(before.told), before.told);
      await page.press('End');
      equal((await seen(page)).picture, after.picture, 'the last one again');
      await page.press('PageUp');
      const near = await seen(page);
      equal(near.name, near.moments.at(-2), 'the one before');
      await page.press('1');
      equal((await seen(page)).name, 'before', 'a digit jumps');
      await page.press('PageDown');
      equal((await seen(page)).name, before.moments[1], 'a clicker goes on');
      await page.press('Home');
      await page.press('n');
      const plain = await seen(page);
      ok(plain.name === 'before' && plain.picture !== before.picture, 'without numbers');
      await page.press('b');
      ok(await page.run(`return !!find(['ap-lecture', '.blank'])`), 'blank');
      await page.press('b');
      equal(await page.axe(), [], 'axe');
      await page.press('?');
      ok(await page.run(`return find(['ap-lecture', '[data-part="keys"] dt'], true).length > 10`), 'the keys');
      await page.press('Escape');
      ok(await page.run(`return !!find(['ap-lecture']) && !find(['ap-lecture', '[data-part="keys"]'])`),
        'Escape shuts the list first');
      await leave(page);
      ok(await page.run(`return !!find(['ap-train-shown', '[data-part="learned"]'])`), 'where it was entered');
    },
  },
  {
    name: 'lecture: a step of a training gets a name',
    async run(page) {
      await toTrain(page, translated);
      await playTo(page, 60);
      await page.run(`find(['ap-train-bar']).desk.training.look(37)`);
      await page.click('ap-train', '[data-part="lecture"]');
      await page.until(OPEN);
      equal((await seen(page)).name, 'Step 37, no named moment', 'between two moments');
      await page.press('a');
      equal((await seen(page)).name, 'step 37', 'kept');
      await page.press('e');
      await page.until(`return find(['ap-lecture-list', 'input'], true).length >= 3`);
      await page.fill('here it turns', 'ap-lecture-list', 'li:nth-child(2) input');
      await page.press('Escape');
      await page.press('Home');
      await page.press('PageDown');
      equal((await seen(page)).name, 'here it turns', 'its name');
      await leave(page);
    },
  },
  {
    name: 'lecture: moments of the page are undo steps, or those that the reader keeps, and outlast a visit',
    async run(page, origin) {
      await away(page);
      await enter(page);
      const alone = await seen(page);
      equal(alone.moments, ['now'], 'nothing was changed');
      await leave(page);
      await page.run(`document.querySelector('attention-playground').store.documents.change((d) => {
        d.mechanism.score = { type: 'cosine' }; })`);
      await page.settled();
      await away(page);
      await enter(page);
      await page.until(`return find(['ap-lecture', '[data-moment]'], true).length === 2`);
      const changed = await seen(page);
      equal(changed.moments[0], 'before', 'the first undo step');
      ok(/^Score: .* → .*osine/.test(changed.moments[1]), changed.moments[1]);
      await page.press('ArrowLeft');
      await page.until(`return !!find(['ap-lecture', 'ap-heat', 'canvas'])`);
      const before = await seen(page);
      ok(before.picture !== changed.picture, 'another map');
      equal(before.box, changed.box, 'in the same place');
      const head = before.notes;
      await page.press('ArrowDown');
      ok((await seen(page)).notes !== head, 'another head');
      await leave(page);
      equal(await page.run(`return document.querySelector('attention-playground').store.documents.document.mechanism`
        + `.score.type`), 'cosine', 'the page shows what it showed');
      await away(page);
      await page.chord('Shift', 'P');
      await page.until(`return document.querySelector('[data-part="moment-kept"]')?.textContent.includes('before')`);
      await page.leave();
      await page.go(`${origin}/`);
      await away(page);
      await enter(page);
      equal((await seen(page)).moments, ['before', 'now'], 'what was kept is there at the next visit');
      await page.press('Home');
      await page.until(OPEN);
      equal((await seen(page)).name, 'before', 'and is computed again');
      await leave(page);
    },
  },
  {
    name: 'lecture: on a phone everything is pressed, with targets of a finger',
    view: { width: 390, height: 780 },
    async run(page) {
      await page.run(`document.querySelector('attention-playground').dialog('lecture')`);
      await page.until(OPEN);
      const small = await page.run(`return find(['ap-lecture', 'button'], true).filter((one) => one.offsetParent)
        .map((one) => one.getBoundingClientRect()).filter(({ width, height }) => width < 44 || height < 44).length`);
      equal(small, 0, 'targets below 44 pixels');
      const { box } = await seen(page);
      ok(box[0] >= 0 && box[0] + box[2] <= 390 && box[1] + box[3] <= 780, `inside the window: ${box}`);
      const { notes } = await seen(page);
      await page.click('ap-lecture', '[data-part="head"]');
      ok((await seen(page)).notes !== notes, 'the next head');
      await page.click('ap-lecture', '[data-part="leave"]');
      await page.until(`return !find(['ap-lecture'])`);
    },
  },
  {
    name: 'lecture: one that comes as a file begins, is taken home and put away',
    async run(page) {
      await page.run(`const { store } = document.querySelector('attention-playground');
        const text = JSON.stringify(store.documents.document);
        const moments = ['first', 'second'].map((name, seed) => ({ name, document: { ...JSON.parse(text), seed } }));
        const given = { at: 1, moments };
        const file = new File([JSON.stringify({ ...moments[1].document, lecture: given })], 'lecture.json');
        document.querySelector('attention-playground').dialog('bring', { file });`);
      await page.until(`return !!find(['ap-bring', 'button.first:not([disabled])'])`);
      await page.click('ap-bring', 'button.first:not([disabled])');
      await page.until(OPEN);
      const came = await seen(page);
      equal([came.name, came.moments], ['second', ['first', 'second']], 'the moments of the file');
      await page.press('e');
      await page.until(`return !!find(['ap-lecture-list', '[data-part="brought"]'])`);
      await page.click('ap-lecture-carry', '[data-part="take-home"]');
      await page.until(`return !!find(['ap-lecture-carry', '[data-part="save-lecture"]'])`);
      equal(await page.axe(), [], 'axe');
      await page.click('ap-lecture-list', '[data-part="put-away"]');
      await page.until(`return !find(['ap-lecture-list', '[data-part="brought"]'])`);
      await page.until(OPEN);
      await page.press('Escape');
      await leave(page);
      await away(page);
      await enter(page);
      ok(!(await seen(page)).moments.includes('first'), 'the page\'s own moments');
      await leave(page);
    },
  },
  {
    name: 'lecture: a figure of 8.5 centimetres on one scale, with own titles, as SVG and PNG',
    async run(page) {
      await page.dialog('take');
      await page.until(`return !!find(['ap-picture', '[data-part="figure"] summary'])`);
      await catchSaved(page);
      await page.click('ap-picture', '[data-part="figure"] summary');
      await page.fill('What the head does', 'ap-picture', '[data-part="heading"]');
      await page.fill('8.5', 'ap-picture', '[data-part="width"]');
      await page.fill('After the softmax', 'ap-picture', '[data-title="weights"]');
      await page.click('ap-picture', '[data-part="one-scale"]');
      equal(await page.axe(), [], 'axe');
      ok((await page.text('ap-picture', '[role="status"]')).includes('The text has a size of 8 pt'),
        'the size of the text');
      await page.click('ap-picture', '[data-save="svg"]');
      const { text } = await saved(page);
      ok(/ width="8\.5cm" height="[\d.]+cm"/.test(text), text.slice(0, 200));
      const titles = ['aria-label="What the head does"', 'aria-label="After the softmax"'];
      for (const title of [...titles, '<title>What the head does</title>']) ok(text.includes(title), title);
      await page.click('ap-picture', '[data-save="png"]');
      const { bytes } = await saved(page);
      equal(bytes.readUInt32BE(16), 1004, 'pixels across: 8.5 cm at 300 to the inch');
      const at = bytes.indexOf('pHYs');
      equal([bytes.readUInt32BE(at + 4), bytes.readUInt32BE(at + 8), bytes[at + 12]], [11811, 11811, 1],
        'pixels to the metre');
      const size = await page.run(`
        const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(values[0]), (c) => c.charCodeAt(0))],
          { type: 'image/png' }));
        return [bitmap.width, bitmap.height];`, bytes.toString('base64'));
      equal(size[0], 1004, 'a picture that browsers read');
      await page.fill('0', 'ap-picture', '[data-part="width"]');
      equal(await page.run(`return find(['ap-picture', '[data-part="width"]']).getAttribute('aria-invalid')`), 'true',
        'no width');
    },
  },
  {
    name: 'lecture: a button that is pressed straight from the field of the width saves the figure of that width',
    async run(page) {
      await page.dialog('take');
      await page.until(`return !!find(['ap-picture', '[data-part="figure"] summary'])`);
      await catchSaved(page);
      await page.click('ap-picture', '[data-part="figure"] summary');
      await page.click('ap-picture', '[data-part="width"]');
      await page.driver.keyboard.type('12');
      await page.settled();
      // Where it is now, nothing scrolled and no field left before.
      const { x, y } = await page.run(`find(['ap-picture', '[data-save="svg"]']).scrollIntoView({ block: 'nearest' });
        const box = find(['ap-picture', '[data-save="svg"]']).getBoundingClientRect();
        return { x: box.x + box.width / 2, y: box.y + box.height / 2 };`);
      await page.driver.mouse.click(x, y);
      const { text } = await saved(page);
      ok(/ width="12cm"/.test(text), text.slice(0, 200));
    },
  },
];
