// SPDX-License-Identifier: Apache-2.0
// Two workers of an isolated page train one model: what they learn is what one worker learns, to the bit.
import { createServer } from 'node:http';
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

/**
 * A server before that of the page, which answers for the second worker's script as it is told: the browser does not
 * ask the driver about scripts of a worker that a worker starts. `changed` gives another text, or nothing for none.
 */
async function before(origin, changed) {
  const server = createServer((request, response) => {
    void fetch(origin + request.url, { headers: { accept: '*/*' } }).then(async (answer) => {
      const body = Buffer.from(await answer.arrayBuffer());
      const own = /share-worker-/.test(request.url) ? changed(body.toString()) : body;
      const kept = [...answer.headers].filter(([name]) => !/encoding|length|transfer/.test(name));
      const headers = { ...Object.fromEntries(kept), 'cache-control': 'no-store' };
      response.writeHead(own === undefined ? 404 : answer.status, headers);
      response.end(own);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

async function onIsolatedPage(page, work, changed = (text) => text) {
  const whole = await serve(built, 0, '127.0.0.1', policy, isolated);
  const server = await before(`http://127.0.0.1:${whole.address().port}`, changed);
  const origin = `http://127.0.0.1:${server.address().port}`;
  try {
    page.expect(origin);
    await page.go(`${origin}/`);
    equal(await page.run('return crossOriginIsolated'), true, 'isolated');
    return await work();
  } finally {
    for (const one of [server, whole]) {
      one.closeAllConnections();
      one.close();
    }
  }
}

/** How a second worker ends: code that runs in it before its own. */
const ends = {
  'while it opens': `addEventListener('message', (event) => {
    if (event.data.kind !== 'open') return;
    event.stopImmediatePropagation();
    said();
    setTimeout(close, 50);
  });`,
  'while it joins': `addEventListener('message', (event) => {
    if (event.data.kind !== 'join') return;
    event.stopImmediatePropagation();
    said();
    setTimeout(close, 50);
  });`,
  'in a step, with an error': `const { store } = Atomics;
  let steps = 0;
  Atomics.store = (...all) => {
    if (++steps === 40) {
      said();
      throw new Error('a second worker that fails');
    }
    return store(...all);
  };`,
  'in a step, without a word': `const { store, wait } = Atomics;
  let steps = 0;
  Atomics.store = (...all) => {
    if (++steps === 40) {
      said();
      wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    }
    return store(...all);
  };`,
};

export const trainTwo = [
  {
    limit: 480_000,
    name: 'training: whenever the second worker ends, the first goes on alone with the same numbers',
    view,
    async run(page) {
      const last = 1200;
      const said = `const said = () => new BroadcastChannel('ends').postMessage('');`;
      let end;
      await onIsolatedPage(page, async () => {
        await toTrain(page, divided());
        await page.run(`new BroadcastChannel('ends').onmessage = () => (globalThis.ended = true);`);
        const train = async (how) => {
          end = how;
          await page.run(`globalThis.ended = false; find(['ap-train-bar']).desk.startAgain();`);
          await page.until(`return ${training}.phase === 'ready' && ${training}.step === 0`);
          await exactlyTo(page, last);
          // On a busy machine the second worker may have ended in the last steps: one more is taken alone.
          await page.run(`${training}.stepOnce()`);
          await page.until(`return ${training}.step === values[0]`, last + 1);
          equal(await page.run('return globalThis.ended'), end !== undefined, `it ended ${end}`);
          equal(await page.run(`return [${training}.problem, ${training}.ended, ${training}.workers]`), [null, null, 1],
            `nothing is wrong after it ended ${end}`);
          return learned(page);
        };
        const alone = await train();
        for (const how of Object.keys(ends)) equal(await train(how), alone, `the checkpoint after it ended ${how}`);
        page.errors = page.errors.filter((text) => !/404|a second worker that fails/.test(text));
      }, (text) => (end === undefined ? undefined : `{ ${said} ${ends[end]} }\n${text}`));
    },
  },
  {
    name: 'training: two workers train on while the document changes a hundred times in a second, and from there',
    view,
    async run(page) {
      await onIsolatedPage(page, async () => {
        await toTrain(page, divided());
        await pace(page, FULL);
        await press(page, 'play');
        await byTwo(page);
        const changed = await page.run(`
          const { documents } = document.querySelector('attention-playground').store;
          const before = ${training}.step;
          for (let k = 1; k <= 100; k++) {
            documents.change((draft) => void (draft.training.dropout = k / 400));
            await new Promise((resolve) => setTimeout(resolve, 10));
          }
          return [before, ${training}.step, ${training}.phase];`);
        ok(changed[1] > changed[0] && changed[2] === 'playing', `it plays on: ${changed}`);
        // With the settings as they are now, again and again before the one before has begun.
        await page.run(`
          const { desk } = find(['ap-train-bar']);
          for (let k = 0; k < 10; k++) {
            void desk.goOn();
            await new Promise((resolve) => setTimeout(resolve, 10));
          }`);
        await page.until(`return ${training}.phase === 'playing' && ${training}.step > values[0] + 500`, changed[1]);
        await byTwo(page);
        equal(await page.run(`return ${training}.trained.training.dropout`), 0.25, 'the settings as they are now');
        const trainers = page.driver.workers().filter((one) => /trainer/.test(one.url())).length;
        ok(trainers <= 2, `workers of trainings that were left end: ${trainers}`);
      });
    },
  },
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
        await toTrain(page, divided());
        await pace(page, FULL);
        await press(page, 'play');
        await page.until(`return ${training}.step > 40`);
        await press(page, 'play');
        await page.until(`return ${training}.phase === 'ready'`);
        equal(await page.run(`return [${training}.problem, ${training}.ended, ${training}.workers]`), [null, null, 1],
          'nothing is wrong');
        page.errors = page.errors.filter((text) => !text.includes('404'));
      }, () => undefined);
    },
  },
];
