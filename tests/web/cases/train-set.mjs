// SPDX-License-Identifier: Apache-2.0
// What is set is what is trained, what is said of it is true, and a crash is told as a crash; no worker outlives its
// work.
import { readFileSync } from 'node:fs';
import { equal, ok } from '../check.mjs';
import { Page } from '../page.mjs';
import { at, FULL, MAP, pace, pause, playTo, press, state, toTrain, trained, translated } from './train.mjs';

const { document: lesson } = JSON.parse(readFileSync(
  new URL('../../../web/src/lessons/data/heads-that-differ.json', import.meta.url), 'utf8'));
const view = { width: 1440, height: 900 };
const training = `find(['ap-train-bar']).desk.training`;
const desk = `find(['ap-train-bar']).desk`;
const several = `find(['ap-train-several']).desk.several`;
const store = `document.querySelector('attention-playground').store`;
const type = (page, path, value) => page.run(`
  const field = find(['ap-train-side', '[data-setting="' + values[0] + '"] input[inputmode]']);
  field.value = values[1];
  field.dispatchEvent(new Event('change'));`, path, value);
const set = (page, path, value) => page.run(`${store}.documents.set(values[0], values[1])`, path, value);
const ready = (page) => page.until(`return ['ready', 'finished'].includes(${training}.phase) && !${desk}.edited`);
const rests = (page) => page.until(`return ['ready', 'finished'].includes(${training}.phase)`);
const edited = (page) => page.text('ap-train', '[data-part="edited"]');
/** The page says of what was set all of this, once it is drawn. */
const untilEdited = (page, ...parts) => page.until(`
  const said = find(['ap-train', '[data-part="edited"]'])?.textContent;
  return said !== undefined && values[0].every((part) => said.includes(part))`, parts);
const count = (page) => page.count('ap-train', '[data-part="edited"]');
/** The workers that train, by the name that they were given. */
const workers = (page) => page.driver.workers().filter((one) => /trainer/.test(one.url())).length;
const untilWorkers = async (page, most) => {
  for (let turn = 0; turn < 400 && workers(page) > most; turn++) await new Promise((done) => setTimeout(done, 50));
  ok(workers(page) <= most, `${workers(page)} workers that train, ${most} at most`);
};

export const trainSet = [
  {
    name: 'training: steps, rate and score that are set before Play are what is trained, and at its end it says so',
    view,
    async run(page) {
      await toTrain(page, trained('translate'));
      const before = await page.run(`return ${training}.begun.weights`);
      await type(page, '/training/steps', '60');
      await ready(page);
      equal(await page.run(`return [${training}.begun.steps, ${training}.trained.training.steps]`), [60, 60], 'steps');
      equal([(await state(page)).steps, await count(page)], [60, 0], 'the bar, and nothing to decide');
      await type(page, '/training/optimiser/rate', '0.002');
      await set(page, '/model/3/attention/score', { type: 'general' });
      await ready(page);
      const { weights, score, rate } = await page.run(`return { weights: ${training}.begun.weights,
        score: ${training}.trained.model[3].attention.score, rate: ${training}.trained.training.optimiser.rate }`);
      equal([score, rate], [{ type: 'general' }, 0.002], 'score and rate');
      ok(weights !== before, `learns ${weights}, not ${before}`);
      await page.until(`return find(['ap-train-side', 'section']).textContent.replaceAll(/[\\s,]/g, '')
        .includes(values[0] + 'parameters')`, weights);
      await pace(page, FULL);
      await press(page, 'play');
      await page.until(`return ${training}.phase === 'finished'`);
      equal((await state(page)).looksAt, 60, 'ends where it was to');
      const rates = await page.run(`return ${training}.history.steps.map(({ rate }) => rate)`);
      ok(Math.max(...rates) < 0.0021, 'its rate');
    },
  },
  {
    name: 'training: what is set between two plays is trained at the next, and it says before whether it goes on or '
      + 'begins again',
    view,
    async run(page) {
      await toTrain(page, trained('translate'));
      await playTo(page, 30);
      const { looksAt: left } = await state(page);
      await type(page, '/training/optimiser/rate', '0.001');
      await untilEdited(page, `continues from step ${left}`);
      await pace(page, '40');
      await press(page, 'play');
      await page.until(`return ${training}.step > values[0] + 3`, left);
      equal([await count(page), await page.run(`return ${training}.trained.training.optimiser.rate`)], [0, 0.001],
        'new');
      await type(page, '/training/optimiser/rate', '0.002');
      await untilEdited(page, 'still uses the old');
      await pause(page);
      await set(page, '/model/3/attention/score', { type: 'general' });
      await untilEdited(page, 'from step 0', 'General');
      await pace(page, FULL);
      await press(page, 'play');
      await page.until(`return ${training}.phase === 'playing' && ${training}.step > 20 && !${desk}.edited`);
      equal(await page.run(`return [${training}.history.steps[0].step, ${training}.trained.model[3].attention.score]`),
        [1, { type: 'general' }], 'from its first step');
      await pause(page);
      await page.until(`return find(['ap-train-runs', 'tbody tr'], true).length === 2`);
      // An end that is behind it already.
      await type(page, '/training/steps', '50');
      const { looksAt } = await state(page);
      if (looksAt >= 50) await untilEdited(page, 'step 50');
      await press(page, 'play');
      await page.until(`return ${training}.phase === 'finished'`);
      equal((await state(page)).looksAt, 50, 'to the new end');
    },
  },
  {
    name: 'training: what cannot be trained is refused with its field, and nothing else breaks',
    view,
    async run(page) {
      await toTrain(page);
      const first = await state(page);
      await type(page, '/training/batch', '0');
      await page.until(`return !!find(['ap-train', '[data-part="problem"]'])`);
      ok((await page.text('ap-train', '[data-part="problem"]')).includes('batch'), 'names the field');
      equal((await state(page)).map, first.map, 'what was there stays');
      // What is set is what Play trains: nothing else is trained in its place.
      await press(page, 'play');
      await page.until(`return !!find(['ap-train', '[data-part="problem"]'])
        && find(['ap-train-bar']).desk.training.phase === 'ready'`);
      equal(await at(page), 0, 'no step is taken');
      await type(page, '/training/batch', '24');
      await page.until(`return ${MAP} && find(['ap-train-bar']).desk.trained.training.batch === 24
        && !find(['ap-train-bar', '[data-part="play"]']).disabled`);
      await playTo(page, 10);
      await type(page, '/training/batch', '0');
      await press(page, 'again', 'ap-train');
      await page.until(`return !!find(['ap-train', '[data-part="problem"]'])`);
      ok((await at(page)) >= 10, 'what was learned stays');
    },
  },
  {
    name: 'training: what is refused says so until it is no longer what is set',
    view,
    async run(page) {
      await toTrain(page, trained('translate'));
      await type(page, '/training/batch', '100000');
      await page.until(`return !!find(['ap-train', '[data-part="problem"]'])`);
      ok((await page.text('ap-train', '[data-part="problem"]')).includes('batch'), 'names the field');
      await page.click('ap-header', '[aria-label="Undo"]');
      await page.until(`return !find(['ap-train', '[data-part="problem"]'])`);
      await playTo(page, 5);
      // Another model that was only tried: its refusal goes when one plays on.
      await page.run(`const { document } = ${desk};
        ${desk}.trainOn({ ...document, training: { ...document.training, batch: 100000 } })`);
      await page.until(`return !!find(['ap-train', '[data-part="problem"]'])`);
      await playTo(page, 10);
      equal(await page.count('ap-train', '[data-part="problem"]'), 0, 'gone');
    },
  },
  {
    first: true,
    name: 'training: what a weight set by hand does is asked of the example that is shown, before the first step too',
    view,
    async run(page) {
      await toTrain(page);
      const labels = await page.run(`return ${training}.picture.truth`);
      await press(page, 'hand', 'ap-train-hand');
      await page.until(`return find(['ap-train-hand', '[data-part="patched"] tbody tr'], true).length > 0`);
      const rows = await page.run(`return find(['ap-train-hand', '[data-part="patched"] tbody tr'], true).map((row) =>
        [...row.children].map((cell) => cell.textContent.trim()))`);
      equal(rows.map(([word]) => word), labels, 'a row for each word of it');
      ok(rows.every(([, says, sure, change]) => says !== '' && !/NaN/.test(sure + change)), JSON.stringify(rows));
      const columns = await page.run(
        `return find(['ap-train-hand', '[data-part="patched"] figure ap-heat']).plane.cols`);
      equal(columns, await page.run(`return ${training}.picture.source.length`), 'a column for each word of it');
    },
  },
  {
    first: true,
    name: 'first visit: the number of examples is that of the weights, whatever is set where one trains',
    view,
    async run(page) {
      const said = () => page.run(`return find(['ap-story', '[data-part="see"]'])?.textContent
        ?? find(['ap-story'])?.shadowRoot.textContent`);
      const story = await said();
      await toTrain(page);
      await type(page, '/training/steps', '50');
      await ready(page);
      await page.click('ap-header', '[data-place="look"]');
      await page.settled();
      equal(await said(), story, 'unchanged');
      ok(/38,400|38400|38.400/.test(story), story);
    },
  },
  {
    first: true,
    name: 'training: several at once trains what is ticked, in few workers that end with their work and when one '
      + 'leaves',
    only: 'chromium',
    view,
    async run(page) {
      await toTrain(page, translated);
      await page.click('ap-train', '[data-tab="several"]');
      const ticks = `.axes fieldset:first-child input[type="checkbox"]`;
      const boxes = () => page.run(`return find(['ap-train-several', values[0]], true)
        .map((box) => [box.dataset.option, box.checked])`, ticks);
      const click = (id) => page.run(`find(['ap-train-several', '[data-option="' + values[0] + '"]']).click();
        await find(['ap-train-several']).updateComplete;`, id);
      const ticked = async () => (await boxes()).filter(([, on]) => on).map(([id]) => id);
      const first = await ticked();
      equal(first, ['additive', 'general'], 'two that work, at first');
      for (const id of first) await click(id);
      equal(await ticked(), [], 'none of them is left');
      equal(await page.run(`return find(['ap-train-several', '[data-part="begin-several"]']).disabled`), true,
        'nothing to train');
      await click('general');
      await click('additive');
      await page.run(`const steps = find(['ap-train-several', '.steps input']); steps.value = '2000';
        steps.dispatchEvent(new Event('change'))`);
      const alone = workers(page);
      await press(page, 'begin-several', 'ap-train-several');
      await page.until(`return find(['ap-train-several', '.cell'], true).length === 4`);
      await page.until(`return ${several}.cells.every(({ training }) => training.step > 0)`);
      const rows = await page.run(`return ${several}.cells.map(({ row, training }) =>
        [row.id, training.trained.model[3].attention.score.type])`);
      ok(rows.every(([id, score]) => id === score) && new Set(rows.map(([id]) => id)).size === 2, JSON.stringify(rows));
      const lanes = await page.run(`return Math.max(1, Math.min(4, navigator.hardwareConcurrency - 1))`);
      ok(workers(page) <= alone + lanes, `${workers(page)} workers for four models, ${alone} before`);
      // Elsewhere on the page nobody watches them.
      await page.click('ap-header', '[data-place="look"]');
      await page.settled();
      await untilWorkers(page, alone);
      await page.click('ap-header', '[data-place="train"]');
      await page.until(`return !!find(['ap-train-several', '[data-part="pause-several"]'])`);
      const left = await page.run(`return ${several}.cells
        .map(({ training }) => training.step)`);
      await press(page, 'pause-several', 'ap-train-several');
      await page.until(`return ${several}.cells
        .every(({ training }, k) => training.step > values[0][k])`, left);
      await press(page, 'pause-several', 'ap-train-several');
      await page.until(`return !${several}.playing`);
    },
  },
  {
    name: 'training: a worker that ends without a word is told as a crash, and Play goes on from what is kept',
    view,
    async run(page) {
      await toTrain(page, trained('translate'));
      await pace(page, FULL);
      await press(page, 'play');
      await page.until(`return ${training}.history.checkpoints.at(-1).step > 0`);
      await page.run(`${training}.line.port.terminate()`);
      await page.until(`return !!find(['ap-train', '[data-part="ended"]'])`);
      const kept = await page.run(`return ${training}.step`);
      ok(kept > 0, `at step ${kept}`);
      const said = await page.text('ap-train', '[data-part="ended"]');
      ok(said.includes('crashed') && said.includes(String(kept)), said);
      await press(page, 'play');
      await page.until(`return ${training}.step > values[0] + 20`, kept);
      equal(await page.count('ap-train', '[data-part="ended"]'), 0, 'the notice is gone');
      await press(page, 'play');
      await page.until(`return ${training}.phase === 'ready'`);
      const steps = await page.run(`return ${training}.history.steps.map(({ step }) => step)`);
      equal(steps, steps.map((_, k) => k + 1), 'each step once');
      // Measures in a worker of their own.
      await press(page, 'measures', 'ap-train-measures');
      await page.until(`return ${desk}.measures.picture !== undefined`);
      await page.run(`${desk}.measures.line.port.terminate()`);
      await page.until(`return !${desk}.measures.busy`);
      ok((await page.text('ap-train-measures', '.bad')).includes('crashed'), 'so do measures');
    },
  },
  {
    name: 'training: an engine that ends without a word is started again, and the document is computed',
    view,
    async run(page) {
      await page.run(`${store}.sessions.client.line.worker.port.terminate()`);
      await page.run(`${store}.documents.set('/seed', 12)`);
      await page.settled();
      equal(await page.run(`return ${store}.sessions.result.directory.document.seed`), 12, 'computed');
    },
  },
  {
    first: true,
    name: 'parts: one that does not load is said to be lost, and comes when it is asked for again',
    only: 'chromium',
    view,
    async run(page, origin) {
      let refused = 0;
      const parts = /\/assets\/(train|place|structure)-.*\.js/;
      await page.driver.route(parts, (route) => (refused++, route.abort()));
      // From the beginning: a pointer that rests on the page has its parts fetched ahead.
      await page.go(`${origin}/`);
      await page.run(`document.querySelector('attention-playground').visit('train')`);
      await page.until(`return !!find(['.notice.lost'])`);
      ok(refused > 0 && (await page.text('.notice.lost')).includes('could not be loaded'), 'it says so');
      equal(await page.run(`return ${store}.view.place`), 'look', 'and stays where it is');
      await page.driver.unroute(parts);
      // What the browser says of a request that it was told to break off is no error of the page.
      page.errors = page.errors.filter((text) => !/ERR_FAILED|Failed to fetch/.test(text));
      await page.click('[data-part="fetch-lost"]');
      await page.until(`return !find(['.notice.lost'])`);
      await page.click('ap-header', '[data-place="train"]');
      await page.until(`return !!find(['ap-train-shown', '[data-part="learned"] ap-heat'])`);
    },
  },
  {
    name: 'training: two windows of the page each go on with their own training after a reload',
    only: 'chromium',
    view,
    async run(page, origin) {
      const other = new Page(await page.driver.context().newPage(), origin);
      try {
        await other.driver.setViewportSize(view);
        await other.go(`${origin}/`);
        const steps = [];
        for (const [one, to] of [[page, 40], [other, 90]]) {
          await one.driver.bringToFront();
          await toTrain(one, trained('translate'));
          // The second window sets out from what the first one keeps.
          await rests(one);
          await playTo(one, to);
          steps.push((await state(one)).looksAt);
        }
        for (const [k, one] of [page, other].entries()) {
          await one.driver.bringToFront();
          await one.until(`return location.hash.length > 2`);
          await one.driver.reload();
          await one.until(`return !!find(['ap-train', '[data-part="resumed"]']) && ${training}.phase === 'ready'
            && ${training}.step >= values[0]`, steps[k]);
          equal((await state(one)).looksAt, steps[k], `window ${k + 1}`);
        }
        ok(steps[0] !== steps[1], `${steps}`);
        equal(other.errors, [], 'the other window complains');
      } finally {
        await other.driver.close();
      }
    },
  },
  {
    name: 'training: the menu of tasks shows what is trained, after another task and after one that the model refuses',
    first: true,
    view,
    async run(page) {
      await toTrain(page);
      const shown = () => page.run(`const { options, selectedIndex } = find(['ap-train-side', '[data-part="task"]']);
        return options[selectedIndex].textContent.trim()`);
      const choose = (id) => page.run(`const menu = find(['ap-train-side', '[data-part="task"]']);
        menu.value = values[0];
        menu.dispatchEvent(new Event('change'))`, id);
      await choose('task:task-induction');
      await page.until(`return ${training}.phase === 'ready' && ${desk}.document.title === 'Induction'`);
      await page.frames(5);
      equal(await shown(), 'Induction', 'a task of the model at hand');
      // It writes as many symbols as it reads.
      await page.run(`${store}.documents.begin(values[0])`, { ...lesson, title: 'Two heads' });
      await page.until(`return ${training}.phase === 'ready' && ${training}.trained.title === 'Two heads'`);
      await choose('task:task-induction');
      await page.until(`return !!find(['ap-train', '[data-part="problem"]'])`);
      await page.frames(5);
      equal(await shown(), 'Two heads', 'what is trained');
      const said = await page.text('ap-train', '[data-part="problem"]');
      ok(said.includes('cannot be trained on “Induction”'), said);
      await page.until(`return !find(['ap-train-bar', '[data-part="play"]']).disabled`);
      await playTo(page, 5);
      equal([await page.run(`return ${training}.trained.title`), await page.count('ap-train', '[data-part="problem"]')],
        ['Two heads', 0], 'goes on');
    },
  },
  {
    name: 'training: a link whose document names no task shows its own document where one trains, after another '
      + 'training too',
    view,
    async run(page) {
      const alone = await page.document();
      await toTrain(page, trained('reverse'));
      await playTo(page, 8);
      await page.run(`${store}.documents.open(values[0])`, alone);
      await page.settled();
      await page.until(`return !!find(['ap-train', '[data-part="stands-in"]'])`);
      equal([await page.count('ap-train', '[data-part="edited"]'), await page.run(`return ${desk}.trained.title`)],
        [0, trained('reverse').title], 'the training goes on, and nobody changed it');
      await page.until(`return location.hash.length > 2`);
      await page.frames(60);
      const address = await page.run(`return location.href`);
      await page.leave();
      await page.driver.goto(address);
      await page.until(`return !!find(['ap-train', '[data-part="stands-in"]']) && ${training}.phase === 'ready'`);
      equal(await page.document(), alone, 'its document is the page’s');
      equal(await page.run(`return ${training}.trained.title`), trained('reverse').title,
        'the last training beside it');
      await page.frames(60);
      equal(await page.document(), alone, 'and stays it');
    },
  },
];
