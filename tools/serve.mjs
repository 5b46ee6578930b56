#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// A small static server for the built page: node tools/serve.mjs [FOLDER] [--port N] [--host NAME]
import { createReadStream, realpathSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fitted } from './oembed.mjs';

export const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
/**
 * With these headers pages may share memory with their workers, so that two workers can train one model. Pages of other
 * sites may still use the files.
 */
export const isolated = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

const headersWith = (rule) => ({
  'Content-Security-Policy': rule,
  'X-Content-Type-Options': 'nosniff',
  // A sandboxed frame has no origin of its own, so everything it fetches comes from another one.
  'Access-Control-Allow-Origin': '*',
});

// What was built last is what is seen. The name of a file in assets/ has a hash of its bytes: one of that name is the
// same for ever, and a browser that keeps it keeps what it compiled of it, too.
const keeping = (root, file) => (file.startsWith(join(root, 'assets') + sep)
  ? 'public, max-age=31536000, immutable' : 'no-store');

// The file that an address stands for, or null: nothing outside the folder, by .. or by link.
async function find(root, address) {
  try {
    const path = decodeURIComponent(address.split(/[?#]/)[0]);
    const file = await realpath(join(root, path));
    if (file !== root && !file.startsWith(root + sep)) return null;
    const about = await stat(file);
    if (about.isFile()) return { file, size: about.size };
    // Relative addresses in an index only work below a closing slash.
    return path.endsWith('/') ? await find(root, `${path}index.html`) : null;
  } catch {
    return null;
  }
}

// What a site that embeds asks for: how wide and how high it may be stands in the query.
const isAnswer = (root, file) => file === join(root, 'oembed.json')
  || (file.startsWith(join(root, 'oembed') + sep) && file.endsWith('.json'));

async function answer(root, request, response, headers) {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { ...headers, Allow: 'GET, HEAD' }).end();
    return;
  }
  const found = await find(root, request.url);
  if (!found) {
    response.writeHead(404, { ...headers, 'Content-Type': types['.txt'] }).end('Not found\n');
    return;
  }
  const query = new URLSearchParams(request.url.split('?')[1]?.split('#')[0]);
  if (isAnswer(root, found.file) && (query.has('maxwidth') || query.has('maxheight'))) {
    const text = JSON.stringify(fitted(JSON.parse(await readFile(found.file, 'utf8')), query));
    response.writeHead(200, { 'Cache-Control': 'no-store', ...headers, 'Content-Type': types['.json'] }).end(text);
    return;
  }
  response.writeHead(200, {
    'Cache-Control': keeping(root, found.file),
    ...headers,
    'Content-Type': types[extname(found.file)] ?? 'application/octet-stream',
    'Content-Length': found.size,
  });
  if (request.method === 'HEAD') response.end();
  else createReadStream(found.file).on('error', () => response.destroy()).pipe(response);
}

/** Serves a folder; resolves to the listening server. Port 0 is any free one; `more` are further headers. */
export function serve(folder, port = 0, host = '127.0.0.1', rule = policy, more = {}) {
  const root = realpathSync(resolve(folder));
  const headers = { ...headersWith(rule), ...more };
  const server = createServer((request, response) => void answer(root, request, response, headers));
  return new Promise((done, failed) => {
    server.once('error', failed);
    server.listen(port, host, () => done(server));
  });
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { port: { type: 'string' }, host: { type: 'string', default: '127.0.0.1' } },
  });
  const asked = values.port ?? process.env.PORT;
  const port = Number(asked ?? 8080);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new Error(`no such port: ${asked}`);
  const folder = positionals[0] ?? fileURLToPath(new URL('../build/web', import.meta.url));
  const server = await serve(folder, port, values.host, policy, isolated).catch((error) => {
    if (error.code !== 'EADDRINUSE') throw error;
    if (asked !== undefined) throw new Error(`port ${port} is taken; give another with --port N`);
    return serve(folder, 0, values.host, policy, isolated);
  });
  console.log(`Attention Playground: http://${values.host}:${server.address().port}/  (Ctrl-C ends it)`);
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
