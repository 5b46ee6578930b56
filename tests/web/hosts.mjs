// SPDX-License-Identifier: Apache-2.0
// Another site: pages that say nothing about policies and know nothing of ours.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

const types = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm',
  '.css': 'text/css', '.woff2': 'font/woff2' };

/** A static host of a folder that sends no header of its own, as most do. */
export async function plainly(folder) {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(request.url.split(/[?#]/)[0]);
    try {
      const file = path.endsWith('/') ? `${path}index.html` : path;
      const body = await readFile(join(folder, file));
      response.writeHead(200, { 'Content-Type': types[extname(file)] ?? 'application/octet-stream' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

/** Serves these texts by path; resolves to the site's origin and how to close it. */
export async function host(files) {
  const server = createServer((request, response) => {
    const text = files[request.url.split('?')[0]];
    if (text === undefined) response.writeHead(204).end();
    else response.writeHead(200, {
      'Content-Type': request.url.endsWith('.mjs') ? 'text/javascript' : 'text/html; charset=utf-8' }).end(text);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** Opens a page of another site; requests to that site are not foreign to the test. */
export async function visit(page, site, path = '/') {
  page.expect(site.origin);
  await page.driver.goto(site.origin + path);
}

/** The first frame whose address holds this text, once it is there. */
export async function frame(page, part) {
  for (let left = 1200; left > 0; left--) {
    const found = page.driver.frames().find((f) => f.url().includes(part));
    if (found) return found;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`no frame of ${part}`);
}

/** Runs in a frame until it gives something. */
export async function untilIn(where, expression) {
  let last;
  for (let left = 1200; left > 0; left--) {
    last = await where.evaluate(expression).catch((problem) => void String(problem));
    if (last) return last;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`waited in vain for ${expression}: ${last}`);
}

/** Turns the wheel, and waits until the page has moved; the drivers differ in how. */
export async function wheel(page, by) {
  const was = await page.driver.evaluate('scrollY');
  if (page.driver.context) await page.driver.mouse.wheel(0, by);
  else await page.driver.mouse.wheel({ deltaY: by });
  await untilIn(page.driver, `scrollY > ${was}`);
}
