// SPDX-License-Identifier: Apache-2.0
// How much a training asks of the page's own thread.
import { ok } from '../check.mjs';
import { FULL, pace, playTo, press, toTrain, trained } from './train.mjs';

const view = { width: 1440, height: 900 };

export const smooth = [
  ...[['translate', 100], ['transformer', 40], ['shapes', 20]].map(([name, steps]) => ({
    name: `training: nothing keeps the page busy for more than 50 ms while it learns: ${name}`,
    only: 'chromium',
    view,
    async run(page) {
      const play = `find(['ap-train-bar', '[data-part="play"]'])`;
      await page.run(`document.querySelector('attention-playground').store.documents.begin(values[0])`, trained(name));
      await page.settled();
      await page.click('ap-header', '[data-place="train"]');
      await page.until(`return ${play} && !${play}.disabled`);
      await pace(page, FULL);
      const tasks = await page.driver.tasksDuring(async () => {
        await press(page, 'play');
        await page.until(`return Number(find(['ap-train-bar', 'input[type="range"]']).value) >= values[0]`, steps);
      });
      await press(page, 'play');
      const long = tasks.filter((ms) => ms > 50);
      ok(tasks.length > 100, `${tasks.length} tasks`);
      // A beginning may be longer, in which much is drawn for the first time.
      ok(long.length <= 1, `tasks over 50 ms: ${long.map((ms) => ms.toFixed(0))}`);
    },
  })),
  {
    name: 'training: at full speed the page is told at most forty times a second, and draws each frame at most once',
    view,
    async run(page) {
      await toTrain(page);
      // What is drawn is counted beside the frames in which it can be seen; what is told beside the steps that were
      // taken and the time that passed.
      await page.run(`
        const counted = globalThis.counted = { frames: 0, drawn: 0, table: 0, told: 0, begun: performance.now() };
        const next = () => { counted.frames++; if (!counted.stop) requestAnimationFrame(next); };
        requestAnimationFrame(next);
        const count = (part, name) => {
          const element = find([part]);
          const render = element.render;
          element.render = function () { counted[name]++; return render.call(this); };
        };
        count('ap-train-curves', 'drawn');
        count('ap-train', 'table');
        const { training } = find(['ap-train-curves']).desk;
        const add = training.history.constructor.prototype.add;
        training.history.add = function (news) { counted.told++; return add.call(this, news); };`);
      await playTo(page, 400);
      const counted = await page.run(`counted.stop = true; return { ...counted, `
        + `seconds: (performance.now() - counted.begun) / 1000 }`);
      ok(counted.drawn > 5, `the curves were drawn ${counted.drawn} times`);
      // Stops, measurements and the pointer draw besides.
      ok(counted.drawn <= counted.frames + 30, `drawn ${counted.drawn} times in ${counted.frames} frames`);
      ok(counted.told <= 40 * counted.seconds + 5, `told ${counted.told} times in ${counted.seconds} s`);
      ok(counted.table < 10, `the place around them was drawn ${counted.table} times`);
    },
  },
];
