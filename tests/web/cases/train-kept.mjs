// SPDX-License-Identifier: Apache-2.0
// Nothing of a training is lost: by a tab that nobody sees, by settings that change while it runs, by a reload; and
// what was stopped and resumed is what it would have been, to the bit.
import { amongTabs } from '../browsers.mjs';
import { equal, ok } from '../check.mjs';
import { Page } from '../page.mjs';
import { at, FULL, pace, playTo, press, state, toTrain, trained } from './train.mjs';

const view = { width: 1440, height: 900 };
const training = `find(['ap-train-bar']).desk.training`;
const losses = (page) => page.run(`return ${training}.history.steps.map(({ step, loss }) => [step, loss])`);
const phase = (page) => page.run(`return ${training}.phase`);
const counted = (from, to) => Array.from({ length: to - from + 1 }, (_, k) => from + k);
/** Every step is there once, in its order. */
const unbroken = async (page, least) => {
  const steps = (await losses(page)).map(([step]) => step);
  ok(steps.length >= least, `${steps.length} steps, ${least} at least`);
  equal(steps, counted(1, steps.length), 'each step once');
  return steps.length;
};
const exactlyTo = async (page, step) => {
  await page.run(`${training}.play(values[0], 0)`, step);
  await page.until(`return ${training}.step === values[0] && ${training}.phase === 'ready'`, step);
};
/** What was learned, as a number that changes with every bit of it. */
const learned = (page) => page.run(`
  const bytes = await ${training}.save(false);
  const sum = await crypto.subtle.digest('SHA-256', bytes);
  return [bytes.length, ...new Uint8Array(sum)].join()`);
const set = (page, path, value) => page.run(
  `document.querySelector('attention-playground').store.documents.set(values[0], values[1])`, path, value);

async function hidden(page) {
  await toTrain(page, trained('translate'));
  const first = await state(page);
  const seen = () => page.run(`return document.visibilityState`);
  await pace(page, FULL);
  await press(page, 'play');
  await page.until(`return ${training}.step > 20`);
  const closeFront = await page.driver.behind();
  equal(await seen(), 'hidden', 'another tab is in front of it');
  const left = (await losses(page)).length;
  await page.until(`return ${training}.step > values[0] + 200`, left);
  await page.until(`return (await new Promise((done) => {
    const opened = indexedDB.open('attention-playground', 1);
    opened.onsuccess = () => {
      const asked = opened.result.transaction('trainings').objectStore('trainings')
        .getAll(IDBKeyRange.bound('training:', 'training;'));
      asked.onsuccess = () => { opened.result.close(); done(asked.result[0]?.checkpoint.step ?? 0); };
    };
  })) > values[0]`, left);
  equal(await seen(), 'hidden', 'all the while');
  await closeFront();
  equal(await seen(), 'visible', 'seen again');
  await page.until(`return Number(find(['ap-train-bar', 'input[type="range"]']).value) > values[0] + 200`, left);
  await press(page, 'play');
  await page.until(`return ${training}.phase === 'ready'`);
  const steps = await unbroken(page, left + 200);
  const now = await state(page);
  equal(now.looksAt, steps, 'the bar');
  ok(now.map.some((weight, k) => Math.abs(weight - first.map[k]) > 0.1), 'the map is of now');
}

// All that is drawn while it learns: what is left out, words that are read as unknown, looks that are draws, own words
// in the place of true ones.
const drawing = () => {
  const document = trained('translate');
  document.model[3].attention.alignment = { type: 'hard-sample' };
  Object.assign(document.training, { steps: 400, estimator: 'moving-baseline', 'teacher-forcing': 0.8 });
  return document;
};

export const trainKept = [
  {
    first: true,
    name: 'training: stopped, left, reloaded and resumed in the middle is the unbroken one, to the bit, with all that '
      + 'is drawn',
    view,
    async run(page) {
      await toTrain(page, drawing());
      await exactlyTo(page, 90);
      const whole = { losses: await losses(page), weights: await learned(page) };
      equal(whole.losses.length, 90, 'steps');
      await press(page, 'start-again');
      await page.until(`return ${training}.phase === 'ready' && ${training}.step === 0`);
      await exactlyTo(page, 37);
      // Settings that come to the same again are no others.
      await set(page, '/training/optimiser/rate', 0.001);
      await page.click('ap-header', '[aria-label="Undo"]');
      await exactlyTo(page, 53);
      await page.until(`return location.hash.length > 2`);
      const address = await page.run(`return location.href`);
      await page.leave();
      await page.driver.goto(address);
      await page.until(`return !!find(['ap-train', '[data-part="resumed"]']) && ${training}.phase === 'ready'
        && ${training}.step === 53`);
      await exactlyTo(page, 90);
      equal(await losses(page), whole.losses, 'the losses of all steps');
      equal(await learned(page), whole.weights, 'weights, moments and counters');
    },
  },
  {
    name: 'training: the link of a document whose words come with its task opens where it is trained',
    view,
    async run(page) {
      const title = 'What a review says of one thing';
      const there = (what) => page.until(`return !!find(['ap-train', 'ap-train-side']) && ${training}.phase === 'ready'
        && ${training}.document.includes(values[0])`, what);
      await toTrain(page);
      await page.run(`const select = find(['ap-train-side', 'select']); select.value = 'aspects';
        select.dispatchEvent(new Event('change'))`);
      await there(title);
      await page.until(`return !document.querySelector('attention-playground').store.documents.held
        && location.hash.length > 2`);
      await page.frames(60);
      const address = await page.run(`return location.href`);
      await page.leave();
      await page.driver.goto(address);
      await there(title);
      equal(await page.run(`return document.querySelector('attention-playground').store.view.notice.length`), 0,
        'nothing is refused');
    },
  },
  {
    name: 'training: a reload in the middle of playing takes the steps again that no checkpoint held, and stops where '
      + 'it was',
    view,
    async run(page) {
      await toTrain(page);
      await pace(page, FULL);
      await press(page, 'play');
      await page.until(`return ${training}.step > 140`);
      await page.until(`return location.hash.length > 2`);
      const address = await page.run(`return location.href`);
      const before = await losses(page);
      await page.driver.goto('about:blank');
      await page.driver.goto(address);
      await page.until(`return !!find(['ap-train', '[data-part="resumed"]']) && ${training}.phase === 'ready'
        && ${training}.step >= values[0]`, before.length);
      const after = await losses(page);
      equal(after.slice(0, before.length), before, 'what was seen is there again');
      equal((await state(page)).playing, 'Play', 'and it waits');
      await page.frames(20);
      equal((await losses(page)).length, after.length, 'it waits');
      await unbroken(page, before.length);
    },
  },
  {
    name: 'training: a tab that nobody sees goes on learning and keeps what it learned, and shows all of it when it is '
      + 'seen again',
    only: 'chromium',
    view,
    async run(_, origin) {
      const { page: driver, close } = await amongTabs(view);
      try {
        const page = new Page(driver, origin);
        await page.go(`${origin}/`);
        await hidden(page);
        equal([...page.errors, ...(await page.policyBroken())], [], 'the page complains');
      } finally {
        await close();
      }
    },
  },
  {
    name: 'training: what is edited while it runs changes nothing of it, and taken over it runs on, no step lost',
    view,
    async run(page) {
      await toTrain(page, trained('translate'));
      await press(page, 'play');
      // A step each 12 milliseconds, of which the page hears each 25: what is on its way to it is no less kept.
      for (const rate of [0.004, 0.003, 0.0025, 0.002]) {
        const { length } = await losses(page);
        await set(page, '/training/optimiser/rate', rate);
        await press(page, 'keep-on', 'ap-train');
        await page.until(`return !find(['ap-train', '[data-part="edited"]']) && ${training}.phase === 'playing'
          && ${training}.step > values[0] + 8`, length);
      }
      await pace(page, FULL);
      await set(page, '/training/optimiser/rate', 0.001);
      await page.until(`return !!find(['ap-train', '[data-part="edited"]'])`);
      const edited = (await losses(page)).length;
      await page.until(`return ${training}.step > values[0] + 20`, edited);
      equal(await page.run(`return ${training}.trained.training.optimiser.rate`), 0.002, 'it learns as it began');
      await press(page, 'keep-on', 'ap-train');
      await page.until(`return !find(['ap-train', '[data-part="edited"]']) && ${training}.phase === 'playing'
        && ${training}.step > values[0] + 60`, edited);
      await press(page, 'play');
      await page.until(`return ${training}.phase === 'ready'`);
      await unbroken(page, edited + 60);
      const rates = await page.run(`return ${training}.history.steps.map(({ rate }) => rate)`);
      const [largest, last] = [Math.max(...rates), rates.at(-1)];
      ok(largest > 0.002 && last <= 0.001, `rates of ${largest}, and then of ${last}`);
      // Another model: what was learned becomes a run beside it.
      await press(page, 'play');
      await set(page, '/model/3/attention/score', { type: 'general' });
      await press(page, 'start-again');
      await page.until(`return ${training}.phase === 'ready'
        && find(['ap-train-runs', 'tbody tr'], true).length === 2`);
      equal(await at(page), 0, 'from its first step');
      // What is refused in the middle leaves the run with each of its steps.
      await exactlyTo(page, 10);
      await press(page, 'play');
      await page.until(`return ${training}.step > 20`);
      await set(page, '/training/batch', 100000);
      await press(page, 'again', 'ap-train');
      await page.until(`return !!find(['ap-train', '[data-part="problem"]'])`);
      await page.click('ap-header', '[aria-label="Undo"]');
      equal(await phase(page), 'ready', 'it waits');
      const steps = await unbroken(page, 20);
      await exactlyTo(page, steps + 10);
      await unbroken(page, steps + 10);
    },
  },
  {
    name: 'training: settings that cannot be are refused by their names, and the training is as it was',
    view,
    async run(page) {
      await toTrain(page, trained('translate'));
      await playTo(page, 12);
      const before = await state(page);
      for (const [path, value, says] of [
        ['/training/optimiser/rate', 0, /optimiser\/rate.*above 0.*found 0/],
        ['/training/optimiser/rate', -1, /optimiser\/rate.*above 0.*found -1/],
        ['/training/optimiser/rate', 1e9, /optimiser\/rate.*at most 1000/],
        ['/training/batch', 4000, /training\/batch.*larger than the data/],
        ['/training/task', { type: 'task-shapes' }, /no input "source"|image/],
      ]) {
        await set(page, path, value);
        await press(page, 'again', 'ap-train');
        await page.until(`return new RegExp(values[0]).test(
          find(['ap-train', '[data-part="problem"]'])?.textContent ?? '') && ${training}.phase === 'ready'`,
          says.source);
        await page.click('ap-header', '[aria-label="Undo"]');
        equal(await state(page), before, `${path} ${JSON.stringify(value)}`);
      }
      await playTo(page, 20);
      await unbroken(page, 20);
    },
  },
  {
    name: 'training: a pace is never gone faster than, and can be changed on the way',
    view,
    async run(page) {
      await toTrain(page);
      equal(await page.run(`return [...find(['ap-train-bar', 'select']).options].map(({ value }) => Number(value))`),
        [10, 40, 120, 0], 'the paces');
      // From the order to play until a step is heard of: nothing that keeps page or worker waiting makes that shorter.
      // Up to a quarter of a second of its waits is made up for.
      for (const [perSecond, steps] of [[10, 16], [40, 60]]) {
        await pace(page, String(perSecond));
        const [taken, ms] = await page.run(`
          const { step } = ${training};
          const begun = performance.now();
          ${training}.play();
          while (${training}.step < step + values[0]) await new Promise((resolve) => setTimeout(resolve, 5));
          return [${training}.step - step, performance.now() - begun];`, steps);
        ok(ms >= ((taken - 1) * 1000) / perSecond - 260, `${taken} steps in ${ms} ms at ${perSecond} a second`);
        await press(page, 'play');
        await page.until(`return ${training}.phase === 'ready'`);
      }
      await pace(page, '10');
      await press(page, 'play');
      await pace(page, FULL);
      await page.until(`return ${training}.step > 300`);
      equal(await phase(page), 'playing', 'still');
      await press(page, 'play');
      await page.until(`return ${training}.phase === 'ready'`);
      await unbroken(page, 300);
    },
  },
  {
    name: 'training: the screen is kept on while something is learned, wherever the reader is, and no longer',
    only: 'chromium',
    view: { width: 390, height: 844, touch: true },
    async run(page) {
      await toTrain(page);
      // What the browser is asked for and given, or what stands in for it where it has none to give.
      await page.run(`
        globalThis.locks = [];
        const lock = () => ({ released: false, async release() { this.released = true; } });
        Object.defineProperty(navigator, 'wakeLock', { configurable: true, value: { request: async (kind) => {
          if (kind !== 'screen') throw new Error(kind);
          globalThis.locks.push(lock());
          return globalThis.locks.at(-1);
        } } });`);
      const on = (count) => page.until(
        `return globalThis.locks.filter(({ released }) => !released).length === values[0]`, count);
      await pace(page, '10');
      await press(page, 'play');
      await on(1);
      await page.click('ap-train', '[data-tab="settings"]');
      await page.frames(3);
      await on(1);
      await press(page, 'play');
      await page.until(`return ${training}.phase === 'ready'`);
      await on(0);
    },
  },
  {
    name: 'training: on a phone a finger plays, pauses, steps and scrubs, and every target is large enough',
    only: 'chromium',
    view: { width: 390, height: 844, touch: true },
    async run(page) {
      await toTrain(page);
      const tap = async (...chain) => {
        const { x, y } = await page.spot(...chain);
        await page.driver.finger.tap(x, y);
      };
      const small = () => page.run(`return ['ap-train-bar', 'ap-train .tabs'].flatMap((part) =>
        find([...part.split(' '), 'button, select, input[type="range"]'], true)).map((one) =>
        [one.dataset.part ?? one.dataset.tab ?? one.type, one.getBoundingClientRect()])
        .filter(([, { width, height }]) => width < 44 || height < 44)
        .map(([name, { width, height }]) => [name, width, height].join(' '))`);
      equal(await small(), [], 'smaller than 44 pixels');
      // So slow that it does not end by itself before the finger pauses it.
      await pace(page, '120');
      await tap('ap-train-bar', '[data-part="step"]');
      await page.until(`return ${training}.step === 1`);
      await tap('ap-train-bar', '[data-part="play"]');
      await page.until(`return ${training}.step > 60`);
      await tap('ap-train-bar', '[data-part="play"]');
      await page.until(`return ${training}.phase === 'ready'`);
      const now = await state(page);
      // The bar says the step; above it nothing says it again, and the numbers of the model stand once.
      const twice = await page.until(`const { step, picture, measured } = ${training};
        return picture?.step === step && measured && find(['ap-train-shown', '.quiet'], true)
          .filter((one) => one.textContent.includes(step)).map((one) => one.textContent)`);
      equal(twice, [], 'the step is said once');
      const bar = await page.spot('ap-train-bar', 'input[type="range"]');
      const along = (share) => [bar.left + bar.width * share, bar.y];
      await page.driver.finger.drag(along(now.looksAt / now.steps), along(0));
      await page.until(`return ${training}.looksAt < values[0]`, now.looksAt / 2);
      await page.until(`const { plane } = find(['ap-train-shown', '[data-part="learned"] ap-heat']);
        return values[0].some((weight, k) =>
          Math.abs(weight - plane.at(Math.floor(k / plane.cols), k % plane.cols)) > 0.1)`, now.map);
      await tap('ap-train', '[data-tab="curves"]');
      await page.until(`return !!find(['ap-train-curves', '.panel'])`);
      ok(await page.run(`return document.documentElement.scrollWidth <= innerWidth`), 'fits');
    },
  },
];
