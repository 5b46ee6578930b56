// SPDX-License-Identifier: Apache-2.0
// What is said of a model in the place where one trains: measures, reasons, maps over drawings, lengths.
import { equal, ok } from '../check.mjs';
import { apart, at, FULL, MAP, pace, pause, playTo, press, state, toTrain, translated } from './train.mjs';

const view = { width: 1440, height: 900 };

export const judge = [
  {
    first: true,
    name: 'training: finished weights are measured with intervals and sentences, and asked whether their look is a '
      + 'reason',
    view,
    async run(page) {
      await toTrain(page, translated);
      equal(await page.count('ap-train-measures', 'li'), 0, 'nothing was measured yet');
      await press(page, 'measures', 'ap-train-measures');
      const numbers = (where) => page.run(
        `return Object.fromEntries(find([values[0], 'li[data-measure]'], true).map((row) => [row.dataset.measure, {
        value: row.querySelector('.number b').textContent, range: row.querySelector('.number .quiet')?.textContent,
          tells: row.querySelector('.tells').textContent.trim() }]))`, where);
      await page.until(`return find(['ap-train-measures', 'li[data-measure]'], true).length > 0`);
      ok(await page.count('ap-train-measures', '[data-part="stop-measures"]'),
        'the first comes while others are still measured');
      await page.until(`return !!find(['ap-train-measures', '[data-part="measures"]'])`);
      const found = await numbers('ap-train-measures');
      ok(Object.keys(found).length >= 10, `fitting measures: ${Object.keys(found)}`);
      ok(Number(found.accuracy.value) > 0.97 && /^[.0-9]+ to [.0-9]+$/.test(found.accuracy.range),
        `words right with an interval: ${JSON.stringify(found.accuracy)}`);
      ok(Number(found.aer.value) > 0.05 && Number(found.aer.value) < 0.3,
        `the alignment, as the truth has it: ${found.aer.value}`);
      for (const [id, { tells }] of Object.entries(found)) ok(tells.length > 60 && tells.endsWith('.'),
        `${id} says what it can tell: ${tells}`);
      // The model itself, about the example: other weights beside its own.
      await press(page, 'why', 'ap-train-why');
      await page.until(`return find(['ap-train-why', 'li[data-measure]'], true).length >= 1`);
      ok(await page.count('ap-train-why', '[data-part="stop-why"]'), 'it can be stopped');
      await page.until(`return !!find(['ap-train-why', '[data-part="why"]'])`);
      const why = await numbers('ap-train-why');
      ok(['permutation-test', 'adversarial-attention', 'adversarial-model', 'feature-importance-corr', 'erasure',
        'uniform-ablation'].every((id) => id in why), `asked: ${Object.keys(why)}`);
      ok(Number(why['permutation-test'].value) > 0.1, 'shuffled weights change the answer');
      const maps = await page.run(`return find(['ap-train-why', '[data-measure="adversarial-attention"] figure'],
        true).map((figure) => [...figure.querySelector('ap-heat').plane.tensor.data])`);
      ok(maps.length === 2 && maps[0].length === 12 && apart(...maps) > 0.05,
        'its own map, and the one found to answer alike');
      const sums = [0, 1, 2, 3].map((row) => maps[1].slice(3 * row, 3 * row + 3).reduce((sum, x) => sum + x, 0));
      ok(sums.every((sum) => Math.abs(sum - 1) < 1e-3), `rows of it sum to one: ${sums}`);
      // Given up is given up.
      await press(page, 'measures', 'ap-train-measures');
      await press(page, 'stop-measures', 'ap-train-measures');
      const kept = await page.count('ap-train-measures', 'li');
      await page.frames(30);
      equal(await page.count('ap-train-measures', 'li'), kept, 'nothing comes after a stop');
    },
  },
  {
    name: 'training: it is measured while it learns, and training goes on',
    view,
    async run(page) {
      await toTrain(page);
      await press(page, 'play');
      await page.until(`return Number(find(['ap-train-bar', 'input[type="range"]']).value) > 3`);
      await press(page, 'measures', 'ap-train-measures');
      await page.until(`return find(['ap-train-measures', 'li[data-measure]'], true).length > 2`);
      const then = await at(page);
      await page.until(`return Number(find(['ap-train-bar', 'input[type="range"]']).value) > values[0]`, then);
      equal((await state(page)).playing, 'Pause', 'it still learns');
      await press(page, 'play');
    },
  },
  {
    name: 'training: a drawing is shown under each word, with the look over it and the true place beside it',
    view,
    async run(page) {
      await toTrain(page);
      const choose = (name) => page.run(
        `const menu = find(['ap-train-side', '[data-part="task"]']); menu.value = values[0];
          menu.dispatchEvent(new Event('change'));`, name);
      await choose('shapes');
      await page.until(`return find(['ap-train-shown', 'ap-train-look'], true).length > 0`);
      const tiles = await page.run(`return find(['ap-train-shown', '.look'], true).map((tile) =>
        [...tile.querySelectorAll('ap-train-look')].map((look) => {
        const canvas = look.shadowRoot.querySelector('canvas');
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        const red = Array.from({ length: data.length / 4 }, (_, k) => data[4 * k] > 200 && data[4 * k + 1] < 60
          && data[4 * k + 2] < 60).filter(Boolean).length;
        return { said: canvas.getAttribute('aria-label'), red };
      }))`);
      equal(tiles.length, 8, 'a tile for each word of the sentence');
      ok(tiles.every((pair) => pair.length === 2), 'the look, and the truth beside it');
      const red = tiles.find(([, truth]) => truth.said.startsWith('red'));
      ok(red[1].red > 50, `where the red thing is, the drawing is clear: ${red[1].red}`);
      ok(tiles.find(([, truth]) => truth.said.startsWith('blue'))[1].red < 10, 'and faded where it is not');
      ok(/row \d, column \d/.test(red[0].said), `said in words: ${red[0].said}`);
      await choose('aspects');
      await page.until(`return !!find(['ap-train-shown', '[data-part="given"]'])`);
      ok((await page.text('ap-train-shown', '[data-part="given"]')).includes('food'), 'what is asked for is said');
    },
  },
  {
    name: 'training: presets as sentences set what they say, and right by length is measured for both kinds of model',
    view,
    async run(page) {
      await toTrain(page);
      await page.run(`document.querySelector('attention-playground').store.view.show({ lesson: 'bottleneck' })`);
      // The lesson brings a document of its own, whose training has to begin.
      const begun = `const { edited, training } = find(['ap-train-bar']).desk;
        return !edited && training.phase === 'ready' && !!find(['ap-train', 'ap-lesson', '.do'])
          && !!find(['ap-train-shown', '[data-part="learned"] ap-heat'])`;
      await page.until(begun);
      await page.click('ap-train', '[data-try="dropout"]');
      equal((await page.document()).training['word-dropout'], 0.3, 'a sentence set the document');
      await page.until(`return !find(['ap-train', '[data-try="dropout"]'])`);
      await page.until(begun);
      await page.click('ap-train', '[data-try="noDropout"]');
      await page.until(begun);
      await page.click('ap-train', '[data-try="fiveStarts"]');
      await page.until(`return find(['ap-train-several', 'input[type="checkbox"]'], true).filter((box) =>
        box.checked).length === 7`);
      const ticked = await page.run(
        `return find(['ap-train-several', 'input[type="checkbox"]'], true).filter((box) => box.checked).map((box) =>
          box.dataset.option)`);
      equal(ticked.toSorted(), ['1', '2', '3', '4', '5', 'softmax', 'uniform'], 'with a look and without, five starts');
      // Two of the starts and few steps are enough to see the picture.
      for (const id of ['3', '4', '5']) await page.run(
        `find(['ap-train-several', '[data-option="' + values[0] + '"]']).click()`, id);
      await page.run(`const steps = find(['ap-train-several', '.steps input']); steps.value = '6';
        steps.dispatchEvent(new Event('change'))`);
      await press(page, 'begin-several', 'ap-train-several');
      for (let k = 0; k < 4; k++) {
        await page.until(`return !!find(['ap-train-lengths', '[data-part="by-length"]']) && !find(['ap-train-lengths',
          '[data-part="by-length"]']).disabled`).catch((problem) => { if (k === 3) throw problem; });
      }
      await press(page, 'by-length', 'ap-train-lengths');
      for (let k = 0; k < 4; k++) await page.until(
        `return !!find(['ap-train-lengths', 'tbody tr']) && !find(['ap-train-lengths',
          '[data-part="by-length"]']).disabled`).catch((problem) => { if (k === 3) throw problem; });
      const rows = await page.run(`return find(['ap-train-lengths', 'tbody tr'], true).map((row) =>
        [...row.children].map((cell) => cell.textContent.trim()))`);
      equal(rows.length, 2, 'two kinds');
      ok(rows.every((row) => row.slice(1).every((cell) => cell.endsWith('%'))),
        `shares at each length: ${JSON.stringify(rows)}`);
      equal(await page.count('ap-train-lengths', 'polyline.one'), 4, 'and a thin line for each model');
      ok(!(await page.run(`return !!find(['ap-lesson', '.do.well'])`)),
        'the lesson wants five starts, and the steps before');
    },
  },
  {
    name: 'training: a lesson waits for what was learned, and then for what the model was asked',
    view,
    async run(page) {
      await page.run(`indexedDB.deleteDatabase('attention-playground')`);
      await page.run(`document.querySelector('attention-playground').store.view.show({ lesson: 'drank-water' })`);
      await page.until(`return !!find(['ap-train', 'ap-lesson', '.do']) && !!find(['ap-train-shown',
        '[data-part="learned"] ap-heat'])`);
      const done = () => page.run(`return !!find(['ap-lesson', '.do.well'])`);
      ok(!(await done()), 'done before anything was trained');
      await pace(page, FULL);
      await press(page, 'play');
      for (let k = 0; k < 4 && !(await done()); k++) await page.until(`return !!find(['ap-lesson', '.do.well'])`)
        .catch((problem) => { if (k === 3) throw problem; });
      await pause(page);
      await page.until(`return find(['ap-train-shown', '.wrote li'])?.textContent.trim() === 'water'`);
      await page.click('ap-lesson', '[data-next]');
      ok(!(await done()), 'nothing was asked yet');
      await press(page, 'why', 'ap-train-why');
      await page.until(`return !!find(['ap-lesson', '.do.well'])`);
      await page.run(`indexedDB.deleteDatabase('attention-playground');
        localStorage.removeItem('attention-playground.lessons')`);
    },
  },
  {
    name: 'training: more curves show the gradient and the rate of each step, and the thumb goes through them',
    view,
    async run(page) {
      await toTrain(page);
      const legends = () => page.run(
        `return find(['ap-train-curves', '.legend'], true).map((text) => text.textContent.trim())`);
      await playTo(page, 25);
      const before = (await legends()).length;
      await press(page, 'more-curves', 'ap-train-curves');
      const [first, entropy, ...others] = (await legends()).slice(before);
      const maps = await page.run(`return find(['ap-train-curves']).desk.training.history.pictures.at(-1).maps
        .map(({ shape }) => shape)`);
      ok(parseFloat(first) >= 0 && parseFloat(first) <= 100 && first.includes('%'), `on the first key: ${first}`);
      ok(parseFloat(entropy) > 0 && parseFloat(entropy) <= Math.log2(maps[0][2]), `entropy: ${entropy}`);
      const more = others.map((text) => Number(text.replace('−', '-')));
      ok(more.length === 2 && more.every((value) => value > 0), `two more, with numbers: ${more}`);
      ok(more[1] <= 0.005, `the rate warms up to .005: ${more[1]}`);
      equal(await page.count('ap-train-curves', '.thumb'), 7, 'one line through all');
    },
  },
  {
    first: true,
    name: 'training: a weight that is set by hand changes its row, what is said, and what is right',
    view,
    async run(page) {
      await toTrain(page, translated);
      // What is asked is the model whose map is shown: before the first step that is an untrained one.
      await press(page, 'begin-trained', 'ap-train');
      await page.until(`const { training } = find(['ap-train-bar']).desk;
        return training.phase === 'ready' && training.fitted !== undefined && ${MAP}`);
      // The first row, the second of its columns.
      const { rows, cols } = await page.run(`return find(['ap-train-shown', '[data-part="learned"] ap-heat']).plane`);
      await page.clickAt(['ap-train-shown', '[data-part="learned"] ap-heat', '.stop'], 1.5 / cols, 0.5 / rows);
      equal(await page.run(`return ['hand-row', 'hand-column'].map((part) => find(['ap-train-hand',
        '[data-part="' + part + '"]']).selectedOptions[0].textContent)`), ['je', 'love'], 'the pressed cell');
      await press(page, 'hand', 'ap-train-hand');
      await page.until(`return !!find(['ap-train-hand', '[data-part="patched"] ap-heat'])`);
      const cells = await page.run(`return [...find(['ap-train-hand', '[data-part="patched"] ap-heat'])
        .plane.tensor.data.slice(0, 3)]`);
      ok(Math.abs(cells[1] - 0.9) < 0.01 && Math.abs(cells[0] + cells[1] + cells[2] - 1) < 1e-3,
        `the row is what was asked for: ${cells}`);
      const says = await page.run(`return find(['ap-train-hand', '[data-part="patched"] tbody tr'], true).map((row) =>
        row.children[1].textContent)`);
      ok(says[0] !== 'je', `a look at love says no je: ${says}`);
      ok(/4 of 4 with the model’s own weights, [0-3] with/.test(await page.text('ap-train-hand', '[role="status"]')),
        await page.text('ap-train-hand', '[role="status"]'));
    },
  },
];
