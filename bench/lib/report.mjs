// SPDX-License-Identifier: Apache-2.0
// The results as Markdown.
import { fixed, kilobytes, missing, table } from './table.mjs';
import { held } from '../parts/recurrent.mjs';
import { describe } from './work.mjs';

const share = (value) => (Number.isFinite(value) ? value.toFixed(2).replace(/^0/, '') : missing);

function kernels({ columns }) {
  const titles = columns.map((column) => column.title);
  const rates = [
    ['multiply-add peak', ...columns.map(({ peak }) => fixed(peak))],
    ...columns[0].products.map(({ name }, i) =>
    [name, ...columns.map(({ products, peak }) => `${fixed(products[i].rate)} (${share(products[i].rate / peak)})`)]),
  ];
  const times = columns[0].times.map(({ name }, i) =>
    [name, ...columns.map((column) => fixed(column.times[i].nanoseconds, 2))]);
  return `## Kernels\n\n${table(['GFLOP/s (share)', ...titles], rates)}\n\n${table(['ns an element', ...titles],
    times)}\n`;
}

const shown = (found, cell) => (found === undefined ? missing : found.failed ? 'failed' : cell(found));

function attention({ versions, results }) {
  const engines = Object.keys(versions);
  // An engine with none of these works has no column.
  const having = (rows) => engines.filter((name) => rows.some((row) => row.engines[name]));
  const parts = [['forward', (id) => !describe(id).gradient && !id.startsWith('tiny')],
    ['forward and backward, counted as three forwards', (id) => describe(id).gradient]];
  const text = parts.map(([title, belongs]) => {
    const chosen = results.filter(({ id }) => belongs(id));
    if (chosen.length === 0) return '';
    const columns = having(chosen);
    const rates = chosen.map((row) =>
      [row.title, fixed(row.peak),
      ...columns.map((name) => shown(row.engines[name], ({ rate, share: of }) => `${fixed(rate)} (${share(of)})`))]);
    const medians = chosen.map((row) =>
      [row.title, ...columns.map((name) =>
      shown(row.engines[name], ({ median, medianShare }) => `${fixed(median)} (${share(medianShare)})`))]);
    return `### Attention, ${title}\n\nThe best round, GFLOP/s (share of the relaxed multiply-add peak of the same `
      + `run):\n\n${table(['', 'peak', ...columns], rates)}\n\n` +
      `The middle of the rounds, GFLOP/s (share of the peak of the same round):\n\n${table(['', ...columns],
        medians)}\n`;
  });
  const tiny = results.filter(({ id }) => id.startsWith('tiny'));
  const calls = tiny.map((row) =>
    [row.title, ...engines.map((name) =>
    shown(row.engines[name], ({ milliseconds }) => Math.round(1000 / milliseconds).toLocaleString('en')))]);
  const differences = results.map((row) =>
    [row.title, ...engines.map((name) => shown(row.engines[name], ({ difference }) => difference.toExponential(1)))]);
  const calm = results.flatMap((row) => Object.values(row.engines).map((one) => one.quiet).filter(Number.isFinite));
  const most = Math.round(calm.reduce((sum, x) => sum + x, 0) / Math.max(1, calm.length));
  return `## Attention in Chromium, one thread\n\n${Object.values(versions)
    .join(', ')}. Nothing else ran in ${most} rounds, on average.\n\n${text.filter(Boolean).join('\n')}\n` +
    (tiny.length ? `### Calls a second, arrays in and out\n\n${table(['', ...engines], calls)}\n\n` : '') +
    `### Largest difference from plain loops in double\n\n${table(['', ...engines], differences)}\n`;
}

function workers({ rows }) {
  const kinds = Object.keys(rows[0].kinds);
  const cells = rows.map((row) => [row.title, ...kinds.map((kind) => {
    const { one, two, ratio, medianRatio, medianMachine } = row.kinds[kind];
    return `${fixed(one, 2)} / ${fixed(two, 2)} ms = ${fixed(ratio, 2)} (${fixed(medianRatio,
      2)} of ${fixed(medianMachine, 2)})`;
  })]);
  return '## Two threads against one\n\nBest of each and their ratio; in brackets the middle of the rounds\' ratios, '
    + 'and what two threads gave in the same rounds ' +
    `that only multiply and add in registers.\n\n${table(['', ...kinds], cells)}\n`;
}

function memory({ rows }) {
  const mega = (bytes) => fixed(bytes / 2 ** 20, 2);
  return `## Memory at n = 16,384, one head of width 64\n\nOf the whole module. Beyond: by how much it grew more than `
    + `its copies of inputs and outputs; what found room in the memory of the start does not show.\n\n${table(
    ['MB', 'before', 'after', 'inputs and outputs', 'beyond'],
    rows.map(({ title, before, after, inputsAndOutputs, beyond }) =>
      [title, ...[before, after, inputsAndOutputs, beyond].map(mega)]))}\n`;
}

function startup({ rows }) {
  return `## From the first request to the first result, and what is fetched for it\n\n${table(
    ['', 'best, ms', 'middle, ms', 'files', 'gzip, KB'],
    rows.map(({ title, best, middle, files, bytes }) =>
      [title, fixed(best, 0), fixed(middle, 0), files.length, kilobytes(bytes)]))}\n`;
}

function mechanisms({ rows }) {
  const at = (row, n, field, scale, digits) =>
    (row.at[n]?.failed ? 'failed' : fixed(row.at[n]?.[field] * scale, digits));
  return `## Mechanisms\n\nOf a whole document, in Chromium, plain build. The power is that of the last doubling: 2 is `
    + `quadratic.\n\n${table(
    ['', 'n = 32, ms', 'n = 128, ms', 'n = 256, ms', 'n = 128, KB', 'power of time', 'power of memory'],
    rows.map((row) => [row.id, at(row, 32, 'best', 1, 2), at(row, 128, 'best', 1, 2), at(row, 256, 'best', 1, 2),
      at(row, 128, 'bytes', 1 / 1024, 0), fixed(row.time, 1), fixed(row.memory, 1)]),
  )}\n`;
}

function sliders({ rows }) {
  return `## From a slider's move to its picture\n\n${table(
    ['', 'middle, ms', '95 %, ms', 'tasks over 50 ms', 'longest, ms', 'scripting a pointer event, ms (least, 95 %)',
      'its formula, at rest, ms'],
    rows.map(({ tokens, heads, middle, late, blocked, longest, hover, hoverLate, hoverLeast, formula }) =>
      [`${tokens} tokens, ${heads} heads`, fixed(middle), fixed(late), blocked, longest,
      hover === undefined ? '' : `${fixed(hover)} (${fixed(hoverLeast)}, ${fixed(hoverLate)})`,
      formula === undefined ? '' : fixed(formula)]))}\n`;
}

function tasks({ rows }) {
  return `## The longest tasks of the page's thread\n\nProcessor time; of several rounds the one with the shortest `
    + `longest task.\n\n${table(['', 'longest, ms', 'the next two, ms', 'tasks over 50 ms', 'in the longest, ms'],
      rows.map(({ scene, longest, next, over50, work }) =>
        [scene, fixed(longest), next.map((ms) => fixed(ms)).join(', '), over50, work.join(', ')]))}\n`;
}

function native({ versions, rows }) {
  const engines = Object.keys(versions);
  return `## Natively, one thread\n\n${Object.entries(versions).map(([name, version]) => `${name}: ${version}`)
    .join('; ')}.\nGFLOP/s of the best round (middle of the rounds).\n\n${table(['', ...engines],
    rows.map((row) => [row.title, ...engines.map((name) =>
      shown(row.engines[name], ({ rate, median }) => `${fixed(rate)} (${fixed(median)})`))]))}\n`;
}

function fused({ rows }) {
  return `## A document's attention, by the graph and by the fused node\n\nNatively, one thread, width 64; the node `
    + `stands in where only the context is asked for. Best of each, their ratio (middle of the rounds).\n\n${table(
    ['', 'tokens', 'heads', 'graph, ms', 'fused, ms', 'ratio'],
    rows.map(({ title, n, heads, graph, fused: node, ratio, median }) =>
      [title, n, heads, fixed(graph, 3), fixed(node, 3), `${fixed(ratio)} (${fixed(median)})`]))}\n`;
}

function recurrent({ tokens, width, rows }) {
  const slow = rows.filter(({ times }) => times > held.times).map(({ id, times }) => `${id} (${fixed(times)})`);
  const large = rows.filter(({ megabytes }) => megabytes > held.megabytes).map(({ id }) => id);
  return `## Recurrent cores in chunks\n\nNatively, one thread, one head, ${tokens} tokens of width ${width}, only the `
    + 'context; milliseconds of processor time, the best of all rounds, in turns with the kernel: causal linear '
    + 'attention, or the delta rule for a core that erases. Beyond: the most that is held at once beside inputs, '
    + `parameters and the context, in MB, by the plan of the memory.\n\n${table(
      ['', 'in chunks', 'by token', 'kernel', 'times', 'beyond', 'by token, beyond'],
      rows.map((row) => [row.id, fixed(row.chunks), fixed(row.steps), `${fixed(row.kernel)} ${
        row.erases ? '(delta)' : '(linear)'}`, fixed(row.times), fixed(row.megabytes, 2), fixed(row.byStep, 2)]))}\n\n`
    + `More than ${held.times} times the kernel: ${slow.join(', ') || 'none'}. More than ${held.megabytes} MB beyond: ${
      large.join(', ') || 'none'}.\n`;
}

function program({ rows, documents = [] }) {
  const made = documents.length === 0 ? '' : `\nFrom a document's text to its program, natively; the best of all.\n\n${
    table(['', 'nodes', 'read, ms', 'compiled, ms'],
      documents.map(({ title, nodes, read, compile }) => [title, nodes, fixed(read, 3), fixed(compile, 3)]))}\n`;
  return `## A compiled program of small nodes\n\nEvery node computed, 4 x 4 numbers each; the best of all calls.\n\n${
    table(['', 'nodes', 'a node, µs'],
    rows.map(({ title, nodes, microseconds }) => [title, nodes, fixed(microseconds, 3)]))}\n${made}`;
}

// Which of the forms are beyond what they are held to, by the figures of this run.
function missed(rows, most) {
  const beyond = (name, value, bound) => (bound !== undefined && value > bound ? [name] : []);
  const found = rows.flatMap((row) => {
    const what = [
      ...beyond(`${fixed(row.at[most], 1)} ms`, row.at[most], row.held?.[0]),
      ...beyond(`${fixed(row.backward)} ms for gradients`, row.backward, row.heldBack),
      ...beyond(`a slope of ${fixed(row.slope, 2)}`, row.slope, row.steepest),
      ...beyond(`${fixed(row.beyond / 2 ** 20)} MB`, row.name === 'softmax' ? 0 : row.beyond, row.room),
    ];
    return what.length > 0 ? [`${row.name} (${what.join(', ')})`] : [];
  });
  return `Beyond what they are held to: ${found.length > 0 ? found.join('; ') : 'none'}.\n\n`;
}

function efficient({ rows, peak, build }) {
  const sizes = Object.keys(rows[0].at);
  const goal = (held) => (held ? `${held[0]}${held[1] ? ` (${held[1]})` : ''}` : missing);
  const quiet = rows.map((row) => row.quiet);
  return `## Efficient forms, one head of width 64\n\nChromium, one thread, the ${
    build} build, Float32Arrays in and out, milliseconds of the best call; multiply-add peak of the same run: ${fixed(
    peak)} GFLOP/s. ` +
    'The slope is the power of n by which time grows from the first to the last size; backward: what gradients add to '
      + 'the forward pass, and how many times that is; beyond: the whole memory of the module less inputs and outputs, '
      + 'of the form and with its gradients; softmax: time of softmax attention over all pairs in the same run over '
      + `the form's; held to: milliseconds at the last size (hoped for), and of gradients.\n\n${table(
      ['', ...sizes.map((n) => `n = ${n}`), 'slope', 'backward', 'times', 'beyond, MB', 'gradients, MB', 'softmax',
        'held to', 'gradients'],
      rows.map((row) => [row.name, ...sizes.map((n) => fixed(row.at[n], 2)), fixed(row.slope, 2), fixed(row.backward),
        fixed(row.times), fixed(row.beyond / 2 ** 20), fixed(row.beyondBack / 2 ** 20), fixed(row.ratio),
        goal(row.held), row.heldBack ?? missing]),
    )}\n\n${missed(rows, sizes.at(-1))}Nothing else ran in ${Math.min(...quiet)} to ${
      Math.max(...quiet)} of the measurements.\n`;
}


function training({ versions, rows }) {
  const engines = Object.keys(versions), browser = engines.find((name) => name.startsWith('Chromium'));
  const rate = (row, name, which) => row.engines[name] && 1000 / row.engines[name][which];
  const times = (row, name, peer) => (row.engines[name] && row.engines[peer]
    ? fixed(rate(row, name, 'middle') / rate(row, peer, 'middle')) : missing);
  const pairs = [['native', 'PyTorch'], ...['PyTorch', ...engines.filter((name) => /^(tfjs|jax)/.test(name))]
    .map((peer) => [browser, peer])].filter((pair) => pair.every((name) => name in versions));
  return `## Steps of training, one thread\n\n${Object.entries(versions).map(([name, version]) => `${name}: ${version}`)
    .join('; ')}.\nSteps a second, best round (middle of the rounds); with Adam, one step is forward, backward and `
    + `update.\n\n${table(['', ...engines], rows.map((row) => [row.title, ...engines.map((name) => (row.engines[name]
      ? `${fixed(rate(row, name, 'best'), 0)} (${fixed(rate(row, name, 'middle'), 0)})` : missing))]))}\n`
    + `${pairs.length === 0 ? '' : `One's rate over another's, middles of the same rounds:\n\n${table(['', ...pairs
      .map(([name, peer]) => `${name} / ${peer}`)], rows.map((row) => [row.title, ...pairs
        .map((pair) => times(row, ...pair))]))}\n`}${stepShares(rows)}${peakShares(rows)}`;
}

// Steps that were measured beside the peak.
function peakShares(rows) {
  const engines = [...new Set(rows.flatMap((row) => Object.keys(row.engines)
    .filter((name) => row.engines[name].ofPeak)))];
  if (engines.length === 0) return '';
  const cell = (found) => (found?.ofPeak ? `${share(found.ofPeak)} (${share(found.middleOfPeak)})` : missing);
  const peaks = rows.flatMap((row) => engines.map((name) => row.engines[name]?.peak ?? 0));
  return '\nThe share of the relaxed multiply-add peak that a step reaches by its counted multiply-adds (without the '
    + "optimiser's), best round (middle of the rounds, each beside the peak of its own moment); the best peak of the "
    + `run: ${fixed(Math.max(...peaks))} GFLOP/s:\n\n${table(
      ['', 'multiply-adds, millions', 'of the forward pass', ...engines],
      rows.filter(({ counted }) => counted).map(({ title, counted, engines: found }) => [title,
        fixed(counted.step / 1e6), fixed(counted.forward / 1e6), ...engines.map((name) => cell(found[name]))]))}\n`;
}

// A step beside its forward pass, where that was measured.
function stepShares(rows) {
  const measured = rows.filter(({ share: found }) => found);
  if (measured.length === 0) return '';
  return `\nA step beside its forward pass alone, natively; milliseconds, the middle of the rounds:\n\n${table(
    ['', 'forward', 'step', 'times'], measured.map(({ title, share: { forward, step, ratio } }) =>
      [title, fixed(forward, 3), fixed(step, 3), fixed(ratio, 2)]))}\n`;
}

// Milliseconds of processor time that a system may take of a change in the page.
const mostOfSystem = 100;

function systems({ rows }) {
  const beyond = rows.filter(({ both }) => both > mostOfSystem).map(({ id }) => id);
  const told = beyond.length > 0 ? beyond.join(', ') : `none of ${rows.length}`;
  return '## Systems of the literature in the page\n\nMilliseconds of processor time of a change that draws and '
    + "computes everything anew (a new seed), of the thread that computes and of the page's own, which draws; and the "
    + `page's own mark, from the change to its picture, by the clock. Beyond ${mostOfSystem} ms: ${told}.\n\n${table(
      ['', 'both, ms', 'computes, ms', 'draws, ms', 'to the picture, ms'],
      rows.map(({ id, both, worker, page, picture }) =>
        [id, fixed(both), fixed(worker), fixed(page), fixed(picture)]))}\n`;
}

// What the models are held to, of the multiply-add peak, of the time to read the weights once, and of float32.
const heldModels = { share: 0.75, reading: 1.2, bytes: 0.6 };

const llama = ' Q8_0 is int8 with a scale for every 32 weights; llama.cpp rounds activations in the same way. The time '
  + 'of wllama is by the clock of llama.cpp, without the few milliseconds that messages between page and worker take. '
  + 'llama.cpp looks up GELU in a table of half precision, which explains why its float32 differs more than ours. It '
  + 'also keeps keys and values in half precision, which changes the probabilities by less than 1e-6.';

function models({ peak, reading, numbers, text, versions = [], rows }) {
  const rate = ({ best }) => (2 * numbers * text) / best / 1e6;
  const found = (title) => rows.find((row) => row.title === title);
  const [floats, whole] = [found('ours, float32'), found('ours, int8')];
  const shown = (best, middle) => `${fixed(best)} (${fixed(middle)})`;
  const cells = rows.map((row) => [row.title, shown(row.best, row.middle), share(rate(row) / peak),
    shown(row.word, row.middleWord), fixed(row.word / reading, 2), row.difference.toExponential(1)]);
  return `## A model of another program, four layers of GPT-2 small's shape\n\nChromium, one thread, random weights; ${
    text} rows, and one row behind them; milliseconds, best (middle). ${
    versions.map((version) => `${version}. `).join('')}The difference is that of the likeliest words' `
    + `probabilities from onnxruntime-web's in float32.${found('wllama, Q8_0') ? llama : ''}\n\n${table(
      ['', `${text} rows`, 'share of the peak', 'a further row', 'times reading', 'difference'], cells)}\n`
    + `The peak of the same run: ${fixed(peak)} GFLOP/s; reading the float32 weights once: ${fixed(reading, 2)} ms. `
    + `Held to: ${share(heldModels.share)} of the peak (${share(rate(floats) / peak)}), a further row in ${
      heldModels.reading} times reading (${fixed(floats.word / reading, 2)}), with int8 weights in ${
      heldModels.bytes} of float32's time (${fixed(whole.word / floats.word, 2)}).\n`;
}

const writers = { kernels, attention, workers, memory, startup, mechanisms, sliders, tasks, native, fused, recurrent,
  program, training,
  efficient, systems, models };

/** All results as one text; a part that was not measured is left out. */
export function report(results) {
  const parts = Object.entries(writers).filter(([name]) => results[name] && !results[name].failed);
  const when = ({ machine, rounds, milliseconds, date }) =>
    `${date}, ${machine}; ${rounds} rounds of ${milliseconds} ms`;
  const text = parts.map(([name, write]) => `${write(results[name]).trimEnd()}\n\n*${when(results[name].run)}*\n`);
  const failed = Object.entries(results).filter(([, one]) => one.failed)
    .map(([name, one]) => `${name}: ${one.failed}\n`);
  return `# Results of bench/run\n\nWritten by it; what the figures mean is told in [../README.md](../README.md).\n\n${
    [...text, ...failed].join('\n')}`;
}
