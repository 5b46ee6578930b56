// SPDX-License-Identifier: Apache-2.0
// A worker that multiplies and adds in registers, to see how much two threads of this machine give at all.
const { default: load } = await import('/build/wasm-relaxed/bench/attend_bench.mjs');
const module = await load();
self.onmessage = ({ data: steps }) => {
  module._bench_peak(2, steps);
  self.postMessage('done');
};
self.postMessage('ready');
