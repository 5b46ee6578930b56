// SPDX-License-Identifier: Apache-2.0
// What a page shows, in short: where the reader is, every tensor that was computed, every picture that is drawn.
import * as short from './digest.mjs';

const digests = `
  const FEW = ${short.FEW};
  const weight = ${short.weight};
  const flat = ${short.flat};
  const whole = ${short.digest};
  const digest = (tensor) => whole(tensor, 8, 0);`;

/** Runs in the page. */
export const shown = `async () => {
  ${digests}
  const host = document.querySelector('attention-playground');
  const { store } = host;
  const { view, selection, sessions, comparison, scales, slopes } = store;
  const deep = (root, selector) => [...root.querySelectorAll(selector),
    ...[...root.querySelectorAll('*')].flatMap((one) => one.shadowRoot ? deep(one.shadowRoot, selector) : [])];
  const tensors = (result) => {
    const groups = {};
    for (const { group, name, shape, data } of result?.tensors ?? [])
      (groups[group] ??= {})[name] = digest({ shape, data });
    return groups;
  };
  const picture = (element) => {
    const { plane } = element;
    const data = [];
    for (let i = 0; i < plane.rows; i++) for (let j = 0; j < plane.cols; j++) data.push(plane.at(i, j));
    const labels = plane.tensor.places.map((place) => sessions.result?.labels(place) ?? null);
    return { of: plane.tensor.group + '/' + plane.tensor.name, labels,
      ...digest({ shape: [plane.rows, plane.cols], data }) };
  };
  const both = comparison.results();
  return {
    language: host.lang || document.documentElement.lang,
    seen: { place: view.place, view: view.view, table: view.table, large: view.large, walk: view.walk, how: view.how,
      module: view.module, lock: selection.lock, chosen: selection.chosen, pins: scales.held, slopes: slopes.drawn,
      compared: comparison.held?.editing },
    notices: view.notice.length, problem: sessions.error?.message,
    // Where one trains the document itself may have no numbers yet.
    tensors: view.place === 'train' ? {} : tensors(sessions.result),
    ...(both ? { other: tensors(comparison.editing === 'B' ? both.a : both.b) } : {}),
    pictures: view.place === 'train' ? [] : deep(host.shadowRoot, 'ap-matrix').filter((one) => one.plane).map(picture),
  };
}`;

/** Runs in the page at Train, once its first map is drawn: the training there, and what three steps come to. */
export const trained = `async () => {
  ${digests}
  const host = document.querySelector('attention-playground');
  const deep = (root, selector) => [...root.querySelectorAll(selector),
    ...[...root.querySelectorAll('*')].flatMap((one) => one.shadowRoot ? deep(one.shadowRoot, selector) : [])];
  const { training } = deep(host.shadowRoot, 'ap-train-bar')[0].desk;
  const before = training.history.steps.length;
  training.play(3, 0);
  await new Promise((resolve) => {
    const wait = () => training.step === 3 && training.phase === 'ready' ? resolve() : setTimeout(wait, 20);
    wait();
  });
  return { before, losses: training.history.steps.map(({ loss }) => loss) };
}`;
