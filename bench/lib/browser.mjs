// SPDX-License-Identifier: Apache-2.0
// A headless Chromium whose pages see the checkout, with the clock as fine as it gets.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isolated, serve } from '../../tools/serve.mjs';

export const root = fileURLToPath(new URL('../../', import.meta.url));

// Isolation gives timers of 5 microseconds; the engines make code from text and workers from blobs.
const open = "default-src 'self' blob: data: 'unsafe-inline' 'unsafe-eval'";

const flags = [
  '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--disable-renderer-backgrounding',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows', '--enable-precise-memory-info',
];

export async function chromium() {
  const executablePath = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) =>
    path && existsSync(path));
  if (!executablePath) throw new Error('no Chromium: install the package chromium');
  const require = createRequire(join(root, 'web/package.json'));
  const { default: driver } = await import(pathToFileURL(require.resolve('playwright-core')));
  const folder = mkdtempSync(join(tmpdir(), 'attention-bench-'));
  const context = await driver.chromium.launchPersistentContext(folder,
    { executablePath, args: flags, viewport: { width: 1440, height: 900 } });
  const server = await serve(root, 0, '127.0.0.1', open, isolated);
  const apart = await serve(root, 0, '127.0.0.1', open);
  const plain = await serve(join(root, 'build/web'));
  const origin = `http://127.0.0.1:${server.address().port}`;
  return {
    version: `Chromium ${context.browser().version()}`,
    origin,
    /** The harness where nothing is isolated, as on most sites. */
    apart: `http://127.0.0.1:${apart.address().port}/bench/page/bench.html`,
    // Where the built page is served just as a host would.
    site: `http://127.0.0.1:${plain.address().port}`,
    newPage: () => context.newPage(),
    /** A page with the harness (page/harness.mjs) as globalThis.bench; what it complains of goes to `complain`. */
    async page(complain = () => {}, address = `${origin}/bench/page/bench.html`) {
      const page = await context.newPage();
      // LiteRT.js tells of its start by errors.
      page.on('console', (message) =>
        message.type() === 'error' && !/^(INFO|WARNING):/.test(message.text()) && complain(message.text()));
      page.on('pageerror', (error) => complain(String(error)));
      await page.goto(address);
      await page.waitForFunction('globalThis.bench !== undefined');
      return page;
    },
    async close() {
      await context.close();
      for (const one of [server, apart, plain]) {
        one.closeAllConnections();
        one.close();
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
