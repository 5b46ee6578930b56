// SPDX-License-Identifier: Apache-2.0
// A worker with a share of a step's examples, in an isolated page. It takes a step on its share, waits until the others
// have done so, and adds up the gradients of all shares in their order, as every worker does.
const { default: create } = await import('/build/wasm/bin/training-relaxed.mjs');
const training = await create();
let session, gradients, turns, own, sum, back, share, shares;
let round = 0;

/** Waits until every worker has come here as often as this one. */
function meet() {
  ++round;
  if (Atomics.add(turns, 0, 1) + 1 === round * shares) {
    Atomics.notify(turns, 0);
    return;
  }
  // A worker that sleeps wakes after tens of microseconds: it first looks for as long as that takes.
  for (let looks = 0; looks < 20_000; looks++) if (Atomics.load(turns, 0) >= round * shares) return;
  for (;;) {
    const seen = Atomics.load(turns, 0);
    if (seen >= round * shares) return;
    Atomics.wait(turns, 0, seen);
  }
}

function exchange(step) {
  // Two places for each share: the one of the last step may still be read.
  const place = (k) => gradients[(step % 2) * shares + k];
  place(share).set(own);
  meet();
  for (let k = 1; k < shares; k++) {
    const before = k === 1 ? place(0) : sum, other = place(k);
    for (let i = 0; i < sum.length; i++) sum[i] = before[i] + other[i];
  }
  back.set(sum);
}

self.onmessage = ({ data }) => {
  if (data.document) {
    if (session !== undefined) training.trainClose(session);
    ({ share, shares } = data);
    const opened = JSON.parse(training.trainOpen(data.document, ''));
    session = opened.session;
    own = new Float32Array(opened.weights).fill(1e-3);
    sum = new Float32Array(opened.weights);
    back = new Float32Array(opened.weights);
    gradients = (data.gradients ?? []).map((buffer) => new Float32Array(buffer));
    turns = data.turns && new Int32Array(data.turns);
    round = 0;
    training.trainStep(session, 40, 1e9);
    return self.postMessage({ weights: opened.weights });
  }
  const start = performance.now();
  let met = 0;
  for (let step = 0; step < data.steps; step++) {
    training.trainStep(session, 1, 1e9);
    if (shares === 1) continue;
    const computed = performance.now();
    exchange(step);
    met += performance.now() - computed;
  }
  self.postMessage({ spent: (performance.now() - start) / data.steps, met: met / data.steps });
};
self.postMessage('ready');
