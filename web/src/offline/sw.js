// SPDX-License-Identifier: Apache-2.0
// Keeps this build's files, so that the page opens without a network. The build writes in their names.
const CACHE = 'attention-playground-__VERSION__';
const FILES = ['__FILES__'];
const MINE = /^attention-playground-/;
// Of the engine's two builds, the one that the page takes here: src/library/relaxed.ts has these bytes in words.
const RELAXED = WebAssembly.validate(new Uint8Array(['__PROBE__']));
const wanted = (file) => !file.endsWith('.wasm') || /relaxed/.test(file) === RELAXED;

self.addEventListener('install', (event) => {
  const filled = caches.open(CACHE).then((cache) => cache.addAll(FILES.filter(wanted)));
  event.waitUntil(filled.then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  const old = (names) => names.filter((name) => MINE.test(name) && name !== CACHE).map((name) => caches.delete(name));
  event.waitUntil(caches.keys().then((names) => Promise.all(old(names))).then(() => self.clients.claim()));
});

// Pages come fresh where there is a network; files, whose names change with their contents, from the cache.
self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== self.location.origin) return;
  const kept = () => caches.open(CACHE).then((cache) => cache.match(request, { ignoreSearch: true }));
  if (request.mode === 'navigate')
    event.respondWith(fetch(request).catch(async () => (await kept()) ?? Response.error()));
  else event.respondWith(kept().catch(() => undefined).then((found) => found ?? fetch(request)));
});
