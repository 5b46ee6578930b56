// SPDX-License-Identifier: Apache-2.0
// From a trained run to the next that is compared with it.
import { equal, ok } from '../check.mjs';
import { at, playTo, state, toTrain, translated } from './train.mjs';

const view = { width: 1440, height: 900 };

export const again = [
  {
    first: true,
    name: 'training: one press trains the same with another score for as many steps, and the runs say what changed; '
      + 'what cannot be is refused and leaves everything as it was',
    view,
    async run(page) {
      await toTrain(page, translated);
      equal(await page.count('ap-train-again', 'button'), 0, 'nothing was trained yet');
      await playTo(page, 40);
      const { looksAt, map } = await state(page);
      const offered = () => page.run(`return find(['ap-train-again', 'button'], true).map((one) => one.dataset.score)`);
      equal(await offered(), ['dot', 'general', 'scaled-dot'], 'other scores');
      // The rows that ask are narrower than those that answer: a plain product cannot be.
      await page.click('ap-train-again', '[data-score="dot"]');
      await page.until(`return !!find(['ap-train', '[data-part="problem"]'])`);
      ok(/width/.test(await page.text('ap-train', '[data-part="problem"]')), 'why not');
      const now = await state(page);
      equal([(await page.document()).model[3].attention.score.type, now.looksAt, now.map], ['additive', looksAt, map],
        'document and training are as they were');
      ok(!(await page.count('ap-train', '[data-part="edited"]')), 'nothing is to be decided');
      equal(await page.count('ap-train-runs', 'tbody tr'), 0, 'and no run was left');
      await page.click('ap-train-again', '[data-score="general"]');
      await page.until(`return find(['ap-train-runs', 'tbody tr'], true).length === 2 && `
        + `find(['ap-train-again', 'button'], true).length > 0`);
      equal([await at(page), await offered()], [looksAt, ['additive', 'dot', 'scaled-dot']], 'as many steps');
      const cells = await page.run(`return find(['ap-train-runs', 'tbody tr'], true).map((row) => `
        + `row.children[1].textContent.trim())`);
      equal(cells[1], 'Score: General (bilinear)', 'what changed, and nothing else');
    },
  },
];
