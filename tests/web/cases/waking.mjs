// SPDX-License-Identifier: Apache-2.0
// What a movement of the pointer or of a slider draws anew, and what it leaves alone.
import { equal, ok } from '../check.mjs';

const weights = ['ap-matrix[data-tensor="weights"]'];
const store = `document.querySelector('attention-playground').store`;

// From now on every picture that is painted is counted, by the tensor that it shows.
const count = (page) => page.run(`
  const { prototype } = CanvasRenderingContext2D;
  globalThis.painted = [];
  globalThis.plainly ??= prototype.clearRect;
  prototype.clearRect = function (...box) {
    if (box[0] === 0 && box[1] === 0) globalThis.painted.push(this.canvas.getRootNode().host);
    return globalThis.plainly.apply(this, box);
  };`);

export const waking = [
  {
    name: 'waking: a hover writes over what stands in the card, and paints no matrix anew',
    async run(page) {
      await page.run(`${store}.selection.hold(undefined)`);
      await page.hoverAt(weights, 1.5 / 8, 5.5 / 8);
      await page.until(`return find(['ap-told', '.under .chosen'])`);
      const before = await page.text('ap-card', '.big');
      await page.run(`globalThis.parts = ['section', '[data-part="numbers"]', '.under', '[data-feed]', '.gate li']
        .map((part) => find(['ap-told', part])); globalThis.line = find(['${weights[0]}', 'ap-outlines', 'rect'])`);
      await count(page);
      const moved = await page.run(`performance.clearMeasures('hover'); return performance.now()`);
      await page.hoverAt(weights, 2.5 / 8, 6.5 / 8);
      ok(await page.text('ap-card', '.big') !== before, 'another number');
      equal(await page.run(`return globalThis.parts.map((part) => part !== undefined && part.isConnected)`),
        [true, true, true, true, true], 'the same elements');
      equal(await page.run(`return globalThis.painted.length`), 0, 'matrices painted anew');
      const outlined = await page.run(`const [matrix, line] = [find(['${weights[0]}']), globalThis.line];
        const last = find(['${weights[0]}', 'ap-outlines', 'rect'], true).at(-1);
        const [a, b] = [matrix.getBoundingClientRect(), last.getBoundingClientRect()];
        return [line.isConnected, ((b.left + b.width / 2 - a.left) / a.width) * 8,
          ((b.top + b.height / 2 - a.top) / a.height) * 8]`);
      equal(outlined.slice(1).map(Math.floor), [2, 6], 'the outline is around the cell that is pointed at');
      const movements = await page.run(`return performance.getEntriesByName('hover').map(({ startTime, duration }) =>
        [startTime, startTime + duration])`);
      equal(movements.length, 1, 'one movement, one mark');
      const [[began, ended]] = movements;
      ok(moved <= began && began < ended, `the mark runs from ${began} to ${ended}, the pointer moved after ${moved}`);
    },
  },
  {
    name: 'waking: a slider draws no matrix that nobody can see, and what it left out is drawn when it is seen',
    async run(page) {
      await page.run(`find(['${weights[0]}']).scrollIntoView({ block: 'end' })`);
      await page.frames(3);
      const away = await page.run(`globalThis.away = find(['ap-matrix'], true).filter((one) => {
        const { bottom, top } = one.getBoundingClientRect();
        return bottom < 0 || top > innerHeight;
      }); return globalThis.away.length`);
      ok(away > 1, `${away} matrices are out of sight`);
      await count(page);
      await page.run(`${store}.documents.set('/mechanism/alignment/temperature', 3)`);
      await page.settled();
      const painted = await page.run(`return [globalThis.painted.length,
        globalThis.painted.filter((one) => globalThis.away.includes(one)).length]`);
      ok(painted[0] > 0, 'what is seen is drawn');
      equal(painted[1], 0, 'what is not is not');
      const drawn = await page.run(`
        const one = globalThis.away.find(({ plane }) => plane?.tensor.name === 'weights');
        globalThis.painted = [];
        one.scrollIntoView();
        for (let k = 0; k < 4; k++) await new Promise((resolve) => requestAnimationFrame(resolve));
        return globalThis.painted.includes(one)`);
      ok(drawn, 'drawn once it is seen');
    },
  },
];
