// SPDX-License-Identifier: Apache-2.0
import { beforeAll } from 'vitest';
import { limit } from '../src/turns.ts';

// What is tested here is what is drawn, not in how many tasks: on a busy machine that differs from run to run.
limit.slice = Infinity;

// Files that share a page find it empty.
beforeAll(() => {
  if (typeof document === 'undefined') return;
  document.head.replaceChildren();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
});

// The runner has been seen to evaluate a module twice in one page, on a busy machine and once in many runs; its
// element keeps its first class then. Two elements of one name are still an error, because their sources differ.
if (typeof customElements !== 'undefined' && !Object.hasOwn(customElements, 'define')) {
  const define = customElements.define.bind(customElements);
  customElements.define = (name, element, options) => {
    const known = customElements.get(name);
    if (!known || String(known) !== String(element)) define(name, element, options);
  };
}
