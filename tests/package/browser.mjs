// SPDX-License-Identifier: Apache-2.0
import { serve } from '../../tools/serve.mjs';
import { browsers } from '../web/browsers.mjs';
import { plainly } from '../web/hosts.mjs';

const look = `(() => {
  const element = document.querySelector('attention-playground');
  const store = element?.store;
  return JSON.stringify({ title: document.title, computed: !!store?.sessions.result && !store.sessions.busy
    && !store.sessions.error, notice: store?.view.notice[0]?.key ?? store?.sessions.error?.message,
    shown: !!element?.shadowRoot?.querySelector('ap-compact'), missing: globalThis.missing ?? [] });
})()`;

// The element must compute anew: what came with it was computed when it was built.
const again = `(() => {
  const { store } = document.querySelector('attention-playground');
  const [input] = Object.keys(store.documents.document.inputs);
  store.documents.set('/inputs/' + input + '/tokens', ['I', 'love', 'love', 'you']);
  return new Promise((done) => { const at = setInterval(() =>
    { if (store.sessions.result?.all('outputs').find((t) =>
    t.role === 'weights').shape.at(-1) === 4) { clearInterval(at); done(true); } }, 30);
    setTimeout(() => done(false), 60_000); });
})()`;

export async function works(where, { missing, strict = false } = {}) {
  const server = where.startsWith('http') ? undefined : strict ? await serve(where) : await plainly(where);
  const address = server ? `http://127.0.0.1:${server.address().port}/` : where;
  const browser = await browsers.chromium();
  try {
    const page = await browser.open({ width: 900, height: 700 });
    const wrong = [];
    page.on('pageerror', (error) => wrong.push(String(error)));
    page.on('requestfailed', (request) => wrong.push(`${request.url()} ${request.failure()?.errorText}`));
    page.on('response', (response) => {
      if (response.status() >= 400) wrong.push(`${response.status()} ${response.url()}`); });
    await page.goto(address);
    let seen;
    const end = Date.now() + 60_000;
    for (;;) {
      seen = JSON.parse(await page.evaluate(look).catch(() => '{}'));
      if (seen.title === 'rows 1,2,2' || seen.title === 'rows 2,2') if (seen.computed && seen.shown) break;
      if (Date.now() > end) throw new Error(`it never came to life: ${JSON.stringify(seen)}\n${wrong.join('\n')}`);
      await new Promise((done) => setTimeout(done, 100));
    }
    if (!(await page.evaluate(again))) throw new Error(`it does not compute anew\n${wrong.join('\n')}`);
    const bad = wrong.filter((text) => !missing?.test(text) && !/favicon/.test(text));
    if (bad.length > 0) throw new Error(bad.join('\n'));
    if (strict) {
      const broken = JSON.parse(await page.evaluate('JSON.stringify(globalThis.policyBroken)'));
      if (broken.length > 0) throw new Error(broken.join('\n'));
    }
  } finally {
    await browser.close();
    server?.close();
  }
}
