// SPDX-License-Identifier: Apache-2.0
// Two workers of an isolated page train one model: what they learn is what one worker learns, to the bit.
import { fileURLToPath } from 'node:url';
import { isolated, policy, serve } from '../../../tools/serve.mjs';
import { equal, ok } from '../check.mjs';
import { FULL, pace, press, toTrain, trained } from './train.mjs';

const view = { width: 1440, height: 900 };
const built = fileURLToPath(new URL('../../../build/web', import.meta.url));
const training = `find(['ap-train-bar']).desk.training`;

/** Everything that a step draws, in two shares of sizes that differ. */
const divided = () => {
  const document = trained('translate');
  document.model[3].attention.alignment = { type: 'hard-sample' };
  Object.assign(document.training, { batch: 5, shares: 2, steps: 60_000, 'teacher-forcing': 0.8 });
  return document;
};
const exactlyTo = async (page, step) => {
  await page.run(`${training}.play(values[0], 0)`, step);
  await page.until(`return ${training}.step === values[0] && ${training}.phase === 'ready'`, step);
};
/** A number that changes with every bit of the checkpoint. */
const learned = (page) => page.run(`
  const bytes = await ${training}.save(false);
  const sum = await crypto.subtle.digest('SHA-256', bytes);
  return [bytes.length, ...new Uint8Array(sum)].join()`);
const losses = (page) => page.run(`return ${training}.history.steps.map(({ loss }) => loss)`);
const byTwo = (page) => page.until(`return find(['ap-train-bar', '.said']).textContent.includes('two threads')`);

async function onIsolatedPage(page, work) {
  const server = await serve(built, 0, '127.0.0.1', policy, isolated);
  const origin = `http://127.0.0.1:${server.address().port}`;
  try {
    page.expect(origin);
    await page.go(`${origin}/`);
    equal(await page.run('return crossOriginIsolated'), true, 'isolated');
    return await work();
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

export const trainTwo = [
  {
    limit: 480_000,
    name: 'training: two workers of an isolated page learn what one learns, to the bit, also after a pause, single '
      + 'steps and a way back',
    view,
    async run(page) {
      const first = page.driver.url();
      const [end, expected, lost] = await onIsolatedPage(page, async () => {
        await toTrain(page, divided());
        await pace(page, FULL);
        await press(page, 'play');
        await byTwo(page);
        await press(page, 'play');
        await page.until(`return ${training}.phase === 'ready'`);
        const paused = await page.run(`return ${training}.step`);
        await press(page, 'step');
        await page.until(`return ${training}.step === values[0]`, paused + 1);
        const last = paused + 200;
        await exactlyTo(page, last);
        const found = await learned(page);
        // Back to a checkpoint, and the same steps again.
        await page.run(`${training}.look(values[0]); ${training}.goOnFromHere()`, paused);
        await page.until(`return ${training}.phase === 'ready' && ${training}.step <= values[0]`, paused);
        await exactlyTo(page, last);
        equal(await learned(page), found, 'the same steps again');
        return [last, found, await losses(page)];
      });
      await page.go(first);
      equal(await page.run('return crossOriginIsolated'), false, 'not isolated');
      await toTrain(page, divided());
      await exactlyTo(page, end);
      equal(await losses(page), lost, 'the losses of one worker');
      equal(await learned(page), expected, 'the checkpoint of one worker');
      ok(!await page.run(`return find(['ap-train-bar', '.said']).textContent.includes('two threads')`), 'one worker');
    },
  },
  {
    name: 'training: an isolated page whose second worker does not load trains with one',
    view,
    async run(page) {
      await onIsolatedPage(page, async () => {
        await page.driver.route('**/share-worker-*', (route) => route.abort());
        await toTrain(page, divided());
        await pace(page, FULL);
        await press(page, 'play');
        await page.until(`return ${training}.step > 40`);
        await press(page, 'play');
        await page.until(`return ${training}.phase === 'ready'`);
        equal(await page.run(`return [${training}.problem, ${training}.ended, ${training}.workers]`), [null, null, 1],
          'nothing is wrong');
        page.errors = page.errors.filter((text) => !text.includes('ERR_FAILED'));
      });
    },
  },
];
