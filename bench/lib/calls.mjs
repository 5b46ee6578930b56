// SPDX-License-Identifier: Apache-2.0
// Where a benchmark runs. An engine has call(name, ...numbers) -> { milliseconds, result }.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

export async function webAssembly(path) {
  const { default: load } = await import(pathToFileURL(path));
  const module = await load();
  return {
    async call(name, ...numbers) {
      const run = module[`_${name}`];
      const start = performance.now();
      const result = run(...numbers);
      return { milliseconds: performance.now() - start, result };
    },
    close() {},
  };
}

export function native(path) {
  const child = spawn(path, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async call(...words) {
      child.stdin.write(`${words.join(' ')}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`${path} ended early`);
      const [milliseconds, result] = value.split(' ').map(Number);
      return { milliseconds, result };
    },
    close() {
      child.stdin.end();
    },
  };
}

/** The module in a page of its own; one message a call. */
export async function inPage(browser, address) {
  const page = await browser.page();
  await page.evaluate(async (file) => { globalThis.calls = await (await import(file)).default(); }, address);
  return {
    call: (name, ...numbers) => page.evaluate(([call, given]) => {
      const run = globalThis.calls[`_${call}`];
      const start = performance.now();
      const result = run(...given);
      return { milliseconds: performance.now() - start, result };
    }, [name, numbers]),
    close: () => page.close(),
  };
}
