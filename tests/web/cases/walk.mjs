// SPDX-License-Identifier: Apache-2.0
import { equal, ok } from '../check.mjs';

const narrow = { width: 360, height: 760 };
const wide = `const page = document.querySelector('attention-playground').shadowRoot.querySelector('.scroll'); return `
  + `page.scrollWidth - page.clientWidth`;

export const walk = [
  {
    name: 'stepped through, the mask hides nothing before its step, and later results say nothing yet',
    async run(page) {
      const seen = () => page.run(`
        const masked = (name) => find(['ap-matrix[data-tensor="' + name + '"]']).mask !== undefined;
        const shown = (selector) => getComputedStyle(find(['ap-flow', selector])).visibility;
        return [masked('scores'), shown('ap-measures'), shown('section h2')]`);
      equal(await seen(), [true, 'visible', 'visible'], 'the whole picture');
      const to = async (stage) => {
        await page.run(`document.querySelector('attention-playground').store.view.show({ stage: values[0] })`, stage);
        await page.settled();
      };
      await to('scores');
      equal(await seen(), [false, 'hidden', 'hidden'], 'at the scores');
      await to('mask');
      equal(await seen(), [true, 'hidden', 'hidden'], 'at the mask');
      await to('weights');
      equal(await seen(), [true, 'visible', 'hidden'], 'at the weights');
      await to(undefined);
      equal(await seen(), [true, 'visible', 'visible'], 'and in the end');
    },
  },
  {
    name: 'every named step is a stop, with the cells that it changed',
    async run(page) {
      const steps = await page.run(`return `
        + `document.querySelector('attention-playground').store.sessions.result.all('steps').map((t) => t.offset)`);
      const visited = new Set();
      for (let k = 0; k < 40; k++) {
        await page.click('ap-steps', '[aria-label="Next step"]');
        const at = await page.run(`
          const walking = find(['ap-walking']);
          const { store } = document.querySelector('attention-playground');
          const matrix = walking?.shadowRoot.querySelector('figure[data-stop] ap-matrix');
          return matrix ? { offset: matrix.plane.tensor.offset,
            said: walking.shadowRoot.querySelector('[data-part="changed"]').textContent, walk: store.view.walk }
            : null;`);
        if (!at) break;
        visited.add(at.offset);
        const [, n, of] = /^(\d+) of (\d+)/.exec(at.said) ?? [];
        if (n !== undefined) ok(Number(n) > 0 && Number(n) <= Number(of), `changed: ${at.said}`);
      }
      for (const offset of steps) ok(visited.has(offset), `no stop shows the step at ${offset}`);
      equal(await page.count('ap-walking'), 0, 'after the last step everything is shown');
    },
  },
  {
    name: 'cells that a step left as they were are faded, the others are counted',
    async run(page) {
      // Sorting leaves those rows as they were that are in order already.
      const found = await page.run(`
        const { store } = document.querySelector('attention-playground');
        store.documents.set('/mechanism/alignment', { type: 'sparsemax' });
        return true;`);
      ok(found, 'set');
      await page.settled();
      let faded = 0;
      for (let k = 0; k < 40; k++) {
        await page.click('ap-steps', '[aria-label="Next step"]');
        const now = await page.run(`
          const matrix = find(['ap-walking', 'figure[data-stop] ap-matrix']);
          if (!matrix) return null;
          const said = find(['ap-walking', '[data-part="changed"]']).textContent;
          const { tensor } = matrix.plane;
          if (!matrix.faded) return { said, kept: 0 };
          let kept = 0;
          const walk = (index) => index.length === tensor.shape.length ? (kept += matrix.faded(index) ? 1 : 0)
            : Array.from({ length: tensor.shape[index.length] }, (_, k) => walk([...index, k]));
          walk([]);
          return { said, kept, all: tensor.data.length };`);
        if (!now) break;
        if (now.kept) {
          equal(now.said, `${now.all - now.kept} of ${now.all} cells changed`, 'what is said and what is faded');
          faded++;
        }
      }
      ok(faded > 0, 'no step kept any cell');
    },
  },
  {
    name: 'arrows step, Escape shows everything, and where motion is reduced Play is one step',
    async run(page) {
      await page.click('ap-steps', '[aria-label="Play the steps"]');
      equal(await page.run(`return document.querySelector('attention-playground').store.view.walk`), 0, 'one step');
      await page.press('ArrowRight');
      await page.press('ArrowRight');
      await page.press('ArrowLeft');
      equal(await page.run(`return document.querySelector('attention-playground').store.view.walk`), 1, 'arrows');
      equal(await page.axe(), [], 'axe while walking');
      await page.press('Escape');
      equal(await page.count('ap-walking'), 0, 'Escape');
    },
  },
  {
    name: 'the walk, the comparison and the draws fit a narrow screen',
    view: narrow,
    async run(page) {
      await page.click('ap-steps', '[aria-label="Play the steps"]');
      await page.click('ap-steps', '[aria-label="Next step"]');
      ok((await page.count('ap-walking')) === 1, 'walking');
      ok((await page.run(wide)) <= 0, 'the walk is too wide');
      await page.click('ap-walking', 'header button');
      await page.click('ap-header', '[data-part="compare"]');
      await page.run(`document.querySelector('attention-playground').store.documents.set('/mechanism/alignment', { `
        + `type: 'hard-sample', samples: 5 })`);
      await page.settled();
      equal(await page.count('ap-compare', 'figure'), 3, 'three maps');
      equal(await page.count('ap-sampling', 'figure'), 4, 'four maps');
      ok((await page.run(wide)) <= 0, 'the comparison is too wide');
      equal(await page.axe(), [], 'axe');
    },
  },
];
