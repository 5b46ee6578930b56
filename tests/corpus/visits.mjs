// SPDX-License-Identifier: Apache-2.0
// What visitors do on the page before they send a link: each visit opens a shipped document and takes some steps.
// The steps use the page's store, whose functions are what its buttons call.

const LANGUAGES = ['en', 'de', 'ar'];
const WAYS = ['matrix', 'lines', 'text', 'table'];

// Each entry of the list is taken as often as it takes to fill the visits.
const turn = (list, k) => list[k % list.length];

const looks = [
  { lock: true },
  { view: 'lines', lock: true },
  { view: 'text' },
  { large: true },
  { table: true, lock: true },
  { walk: 1 },
  { seed: 12, lock: true },
  { pin: true, seed: 3 },
  { slope: true },
  { how: true },
];

const look = (names) => names.map((name, k) =>
  ({ name: `look/${name}`, from: name, language: turn(LANGUAGES, k), does: turn(looks, k) }));
const train = (names) => names.map((name, k) =>
  ({ name: `train/${name}`, from: name, language: turn(LANGUAGES, k), does: { place: 'train' } }));

const compared = [
  ['examples/see-that-girl-run', '/mechanism/alignment', { type: 'sparsemax' }],
  ['examples/luong', '/mechanism/score', { type: 'additive', hidden: 8 }],
  ['examples/bahdanau', '/mechanism/alignment', { type: 'softmax-temperature', temperature: 0.5 }],
  ['examples/transformer-head', '/mechanism/heads', { type: 'multi-head', count: 2 }],
  ['examples/i-love-you', '/mechanism/alignment', { type: 'hard-argmax' }],
  ['examples/cross-attention', '/mechanism/score', { type: 'similarity-cosine' }],
  ['examples/entmax', '/mechanism/alignment', { type: 'softmax' }],
  ['examples/words-that-keep-company', '/mechanism/mask', ['mask-causal']],
  ['examples/sigmoid', '/mechanism/alignment', { type: 'softmax' }],
].map(([from, path, value], k) => ({ name: `compare/${from}`, from, language: turn(LANGUAGES, k),
  does: { compare: [path, value] } }));

const cores = ['linear', 'performer', 'linformer', 'reformer', 'skyformer'];
const form = (id) => ({ schema: 'attention-playground/1', seed: 5, title: `Form ${id}`,
  inputs: { x: { tokens: ['the', 'animal', 'was', 'tired', 'so', 'it', 'slept', '.'],
    features: { type: 'embedding', dim: 16 } } },
  mechanism: { type: 'attention', query: { type: 'self-attention' }, core: { type: id } } });
const forms = cores.map((id, k) => ({ name: `forms/${id}`, document: form(id), language: turn(LANGUAGES, k),
  does: { place: 'compare' } }));

const embeds = [
  ['examples/see-that-girl-run', ''], ['examples/luong', '&hide=steps&lock=controls,inputs'],
  ['page/first', '&theme=dark'], ['systems/transformer', '&full=1&lang=de'], ['examples/entmax', '&full=1&lang=ar'],
  ['systems/han', '&theme=light&lang=de'],
].map(([from, parameters]) =>
  ({ name: `embed/${from}`, from, language: 'en', frame: parameters, does: { lock: true } }));

/** About a hundred visits to the documents of a release. */
export function visits(names) {
  const of = (group) => names.filter((name) => name.startsWith(`${group}/`));
  const half = (list) => list.filter((_, k) => k % 2 === 0);
  const trained = of('trained').filter((name) => name !== 'trained/translated');
  return [
    ...look(['page/first', 'trained/translated', ...half(of('systems')), ...half(of('examples'))]),
    ...train(['page/first', ...trained]),
    ...compared, ...forms, ...embeds,
  ];
}

/** Runs in the page: takes the steps of a visit. */
export const take = `async (does) => {
  const { store } = document.querySelector('attention-playground');
  await store.learn();
  const rest = () => new Promise((resolve) => {
    const wait = () => store.sessions.busy ? setTimeout(wait, 20) : setTimeout(resolve, 60);
    setTimeout(wait, 60);
  });
  const map = () => store.sessions.result.all('outputs').find((one) => one.role === 'weights')
    ?? store.sessions.result.all('outputs')[0];
  const target = () => ({ group: 'outputs', tensor: map().name,
    index: map().shape.map((extent) => Math.min(1, extent - 1)) });
  if (does.seed !== undefined) store.documents.set('/seed', does.seed);
  if (does.compare) {
    store.comparison.start();
    store.documents.set(...does.compare);
  }
  await rest();
  if (does.lock) store.selection.hold(target());
  if (does.pin) store.scales.toggle(map(), 'signed');
  if (does.slope) {
    store.selection.hold(target());
    await rest();
    const input = store.sessions.result.all('parameters')[0] ?? store.sessions.result.all('inputs')[0];
    if (input) store.slopes.toggle(input);
    await rest();
    if (store.sessions.error) store.documents.undo();
  }
  if (does.view) store.view.show({ view: does.view });
  if (does.large) store.view.show({ large: map().name });
  if (does.table) store.view.show({ table: map().name });
  if (does.walk !== undefined) store.view.show({ walk: does.walk });
  if (does.how) store.view.show({ how: true });
  if (does.place) store.view.show({ place: does.place });
  await rest();
}`;
