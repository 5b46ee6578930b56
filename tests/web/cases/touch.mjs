// SPDX-License-Identifier: Apache-2.0
// A phone under a finger, and the steps played in time. In Chromium, which can be told of both.
import { equal, ok } from '../check.mjs';

const store = `document.querySelector('attention-playground').store`;
const phone = { width: 390, height: 844, touch: true };
const tap = async (page, ...chain) => {
  const { x, y } = await page.spot(...chain);
  await page.driver.finger.tap(x, y);
};

// Of a list to choose from so much belongs to its arrow.
const arrow = 20;

export const touch = [
  {
    name: 'touch: a tap locks a cell, the sheet is dragged open and shut, and the next tap is not eaten',
    only: 'chromium',
    view: phone,
    async run(page) {
      ok(await page.run(`return matchMedia('(pointer: coarse)').matches`), 'a finger');
      await page.run(`${store}.view.show({ stage: 'weights' }); ${store}.selection.hold(undefined)`);
      await page.settled();
      const box = await page.spot('ap-matrix[data-tensor="weights"]');
      await page.driver.finger.tap(box.left + (box.width * 2.5) / 8, box.top + (box.height * 4.5) / 8);
      await page.until(`return ${store}.selection.lock?.index.join() === '0,4,2'`);
      const open = () => page.run(`return find(['ap-sheet']).open === true`);
      const grip = await page.spot('ap-sheet', '.grip');
      await page.driver.finger.drag([grip.x, grip.y], [grip.x, grip.y - 160]);
      await page.until(`return find(['ap-sheet']).open === true`);
      // Nothing is eaten: the very next tap does what it says.
      await tap(page, 'ap-sheet', '.grip');
      await page.until(`return find(['ap-sheet']).open !== true`);
      await tap(page, 'ap-sheet', '.grip');
      await page.until(`return find(['ap-sheet']).open === true`);
      const low = await page.spot('ap-sheet', '.grip');
      await page.driver.finger.drag([low.x, low.y], [low.x, low.y + 160]);
      await page.until(`return find(['ap-sheet']).open !== true`);
      equal(await open(), false, 'shut');
      await tap(page, 'ap-card', '[aria-label="Close"]');
      await page.until(`return ${store}.selection.lock === undefined`);
    },
  },
  {
    name: 'touch: a menu of mechanisms tells a finger what to do, not which keys to press',
    only: 'chromium',
    view: phone,
    async run(page) {
      await tap(page, '[aria-label="Show controls"]');
      await tap(page, 'ap-panel', '[aria-label^="Score: "]:not([aria-label*="formula"])');
      const help = await page.until(`return find(['ap-menu', '.help'])?.textContent`);
      ok(help.includes('Tap a choice') && !/Arrow|Enter|Escape/.test(help), help);
      await page.run(`${store}.view.show({ place: 'train' })`);
      await page.settled();
      // How fast it trains is read whole beside Play: nothing of the chosen words is cut.
      const [room, needed] = await page.until(`const select = find(['ap-train-bar', 'select']);
        if (!select) return null;
        const style = getComputedStyle(select);
        const pen = document.createElement('canvas').getContext('2d');
        pen.font = [style.fontWeight, style.fontSize, style.fontFamily].join(' ');
        const inner = select.clientWidth - ${arrow} - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
        return [inner, pen.measureText(select.selectedOptions[0].textContent.trim()).width]`);
      ok(needed < room, `${needed} pixels of words in ${room}`);
    },
  },
  {
    name: 'touch: where one trains the menu opens, leads to the gallery and shuts, and the training is as it was',
    only: 'chromium',
    view: { ...phone, width: 360 },
    async run(page) {
      await page.run(`${store}.view.show({ place: 'train' })`);
      await page.until(`return find(['ap-train-bar'])?.desk?.training?.phase === 'ready'`);
      const fits = await page.until(`const select = find(['ap-train-bar', 'select']);
        if (!select) return null;
        const style = getComputedStyle(select);
        const pen = document.createElement('canvas').getContext('2d');
        pen.font = [style.fontWeight, style.fontSize, style.fontFamily].join(' ');
        const inner = select.clientWidth - ${arrow} - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
        return [pen.measureText(select.selectedOptions[0].textContent.trim()).width <= inner]`);
      equal(fits, [true], 'the pace is read whole');
      await tap(page, '[aria-label="Show controls"]');
      await page.until(`return find(['.tools [data-dialog="presets"]'])?.getBoundingClientRect().height > 43`);
      equal(await page.run(`return find(['ap-train']).getBoundingClientRect().height`), 0, 'the menu is alone');
      await tap(page, '.tools [data-dialog="presets"]');
      await page.until(`return find(['ap-gallery', '.middle'])`);
      await page.press('Escape');
      await tap(page, '[aria-label="Hide controls"]');
      await page.until(`return find(['ap-train']).getBoundingClientRect().height > 100`);
      equal(await page.run(`return find(['ap-train-bar']).desk.training.phase`), 'ready', 'as it was');
    },
  },
  {
    name: 'touch: a word is replaced, moved and removed by taps',
    only: 'chromium',
    view: phone,
    async run(page) {
      await tap(page, '[aria-label="Show controls"]');
      await tap(page, '.tabs button:nth-child(2)');
      const tokens = async () => Object.values((await page.document()).inputs)[0].tokens;
      const before = await tokens();
      const chip = async (k) => tap(page, 'ap-tokens', `li:nth-child(${k + 1}) .chip`);
      await chip(1);
      await tap(page, 'ap-tokens', '[data-part="later"]');
      await page.settled();
      equal((await tokens()).slice(0, 3), [before[0], before[2], before[1]], 'moved');
      await tap(page, 'ap-tokens', '[data-part="earlier"]');
      await page.settled();
      equal(await tokens(), before, 'and back');
      await tap(page, 'ap-tokens', '[data-part="another"]');
      await page.until(`return find(['ap-tokens', 'input'])`);
      await page.driver.keyboard.type('dog');
      await page.press('Enter');
      equal((await tokens())[1], 'dog', 'replaced');
      await chip(1);
      await tap(page, 'ap-tokens', '[data-part="remove"]');
      await page.settled();
      equal(await tokens(), [before[0], ...before.slice(2)], 'removed');
    },
  },
  {
    name: 'touch: a lesson leads to where a step is done, and what is to do and that it is done stay in sight',
    only: 'chromium',
    view: { ...phone, width: 360 },
    async run(page) {
      await page.run(`${store}.view.show({ lesson: 'tour' })`);
      await page.until(`return !!find(['ap-lesson', '.do'])`);
      await page.settled();
      equal(await page.run(`return find(['ap-lesson', '.strip'])`), null, 'the task itself is in sight');
      await tap(page, 'ap-lesson', '[data-where]');
      await page.until(`return !!find(['ap-lesson', '.strip'])`);
      const inSight = (chain) => page.run(`const box = find(values[0]).getBoundingClientRect();
        return box.top >= 0 && box.bottom <= innerHeight;`, chain);
      ok(await inSight(['ap-lesson', '.strip .do']), 'the task stays on top');
      await page.run(`${store}.selection.hold({ group: 'outputs', tensor: 'weights', index: [1, 2] })`);
      await page.until(`return !!find(['ap-lesson', '.strip .do.well'])`);
      ok(await inSight(['ap-lesson', '.strip [data-next]']), 'and so does that it is done');
      // Bringing it into the middle of the page would scroll to where the strip is not shown.
      const next = await page.run(`const { x, y, width, height } = find(['ap-lesson', '.strip [data-next]'])
        .getBoundingClientRect(); return [x + width / 2, y + height / 2]`);
      await page.driver.finger.tap(...next);
      await page.until(`return !find(['ap-lesson', '.strip'])`);
      await page.run(`${store}.selection.hold({ group: 'outputs', tensor: 'scores', index: [1, 2] })`);
      await page.until(`return !!find(['ap-lesson', '.do.well'])`);
      // What is said of a step that is done moves what is below it.
      await page.settled();
      await page.frames(20);
      await tap(page, 'ap-lesson', '[data-next]');
      await page.until(`return !!find(['ap-lesson', '[data-where]'])`);
      // The third step is done in the menu, where the task stands above the controls.
      await tap(page, 'ap-lesson', '[data-where]');
      await page.until(`return !!find(['ap-panel']) && !!find(['ap-lesson', '.do'])`);
      await page.run(`${store}.documents.set('/mechanism/alignment', { type: 'sparsemax' })`);
      await page.until(`return !!find(['ap-lesson', '.do.well'])`);
    },
  },
  {
    name: 'touch: on a narrow phone the sentence and its answer are read whole',
    only: 'chromium',
    first: true,
    view: { ...phone, width: 360 },
    async run(page) {
      const [text, ...sizes] = await page.until(`const box = find(['.summary[data-part="sentence"] bdi']);
        return box && [box.textContent, box.scrollWidth, box.clientWidth, box.scrollHeight, box.clientHeight,
          document.documentElement.scrollWidth, innerWidth]`);
      ok(text.includes('they see the red car') && text.includes('ils voient la voiture rouge'), text);
      ok(sizes[0] <= sizes[1] && sizes[2] <= sizes[3], `the words are cut: ${sizes}`);
      ok(sizes[4] <= sizes[5], `the page is wider than the window: ${sizes}`);
    },
  },
  {
    name: 'touch: what can be pressed at 360 px is large enough for a finger',
    only: 'chromium',
    view: { ...phone, width: 360 },
    async run(page) {
      const small = () => page.run(`
        const seen = (e) => { const b = e.getBoundingClientRect();
          return b.width > 0 && b.height > 0 && getComputedStyle(e).visibility !== 'hidden'; };
        // A link inside a sentence has the height of its line.
        const inText = (e) => e.localName === 'a' && e.closest('p, li, figcaption') !== null;
        return find(['button, select, summary, a[href], input[type="range"]'], true)
          .filter((e) => seen(e) && !inText(e))
          .map((e) => [e.getBoundingClientRect(), e]).filter(([b]) => b.height < 43.5 || b.width < 43.5)
          .map(([b, e]) => [e.getRootNode().host?.localName, e.className, e.textContent.trim().slice(0, 20),
            Math.round(b.width), Math.round(b.height)].join(' '));`);
      equal(await small(), [], 'Look: smaller than 44 pixels');
      await page.run(`${store}.view.show({ view: 'text' })`);
      await page.until(`return !!find(['ap-text', 'button'])`);
      equal(await small(), [], 'Text: smaller than 44 pixels');
      await page.run(`${store}.view.show({ view: 'matrix' })`);
      // Sliders are where a mechanism has a number.
      await page.run(`${store}.documents.set('/mechanism/alignment', { type: 'softmax-temperature', temperature: 1 })`);
      await page.settled();
      await tap(page, '[aria-label="Show controls"]');
      await page.until(`return find(['ap-panel', 'input[type="range"]'], true).length > 0`);
      equal(await small(), [], 'Mechanism: smaller than 44 pixels');
      await tap(page, '.tabs button:nth-child(2)');
      await page.until(`return !!find(['ap-tokens', '.chip'])`);
      equal(await small(), [], 'Inputs: smaller than 44 pixels');
      await page.click('ap-header', '[data-place="train"]');
      await page.until(`return find(['ap-train-bar'])?.desk?.training?.phase === 'ready'`);
      equal(await small(), [], 'Train: smaller than 44 pixels');
      await page.click('ap-header', '[data-place="compare"]');
      await page.until(`return !!find(['ap-efficient'])`);
      await page.settled();
      equal(await small(), [], 'Compare: smaller than 44 pixels');
      await page.run(`${store}.view.show({ place: 'look' })`);
      await page.settled();
      for (const [name, part] of [['cost', 'ap-cost'], ['share', 'ap-share'], ['take', 'ap-picture'],
        ['learn', 'ap-lesson-list']]) {
        await page.run(`document.querySelector('attention-playground').dialog(values[0])`, name);
        await page.until(`return !!find([values[0], 'button'])`, part);
        await page.settled();
        equal(await small(), [], `${name}: smaller than 44 pixels`);
        await page.run(`find(['ap-dialogs', 'dialog']).close()`);
        await page.until(`return !find(['ap-dialogs', 'dialog'])`);
      }
    },
  },
  {
    name: 'locked inputs offer no change: no link, no empty box to type in, no invitation',
    only: 'chromium',
    async run(page) {
      const offers = () => page.run(`return find(['ap-inputs', '.link, .asks, .dashed'], true)
        .filter((one) => one.getBoundingClientRect().width > 0).map((one) => one.textContent.trim())`);
      ok((await offers()).length > 2, 'open, they do');
      await page.run(`document.querySelector('attention-playground').lock = 'inputs'`);
      await page.until(`return find(['ap-inputs']).inert`);
      await page.frames(3);
      equal(await offers(), [], 'locked');
    },
  },
  {
    name: 'play goes from step to step by itself, stops at a touch of anything, and at the end shows everything',
    only: 'chromium',
    view: { motion: true },
    async run(page) {
      const walk = () => page.run(`return ${store}.view.walk ?? null`);
      await page.click('ap-steps', '[aria-label="Play the steps"]');
      equal(await walk(), 0, 'the first step at once');
      await page.until(`return ${store}.view.walk === 2`);
      ok(await page.run(`return find(['ap-steps', '[aria-label="Pause"]']) !== undefined`), 'it plays');
      await page.click('ap-card', 'h2');
      const at = await walk();
      ok(await page.run(`return find(['ap-steps', '[aria-label="Play the steps"]']) !== undefined`), 'it stopped');
      await page.click('ap-steps', '[aria-label="Next step"]');
      equal(await walk(), at + 1, 'on by hand');
      // The last steps, then the end.
      await page.run(`${store}.view.show({ walk: values[0] })`, await page.run(`
        const { store } = document.querySelector('attention-playground');
        const here = store.view.walk;
        for (let k = here; ; k++) { find(['ap-steps', '[aria-label="Next step"]']).click();
          if (store.view.walk === undefined) return k - 1; }`));
      await page.click('ap-steps', '[aria-label="Play the steps"]');
      await page.until(`return ${store}.view.walk === undefined && find(['ap-steps', '[aria-label="Play the steps"]']) `
        + `!== undefined`);
    },
  },
];
