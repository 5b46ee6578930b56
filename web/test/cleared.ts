// SPDX-License-Identifier: Apache-2.0
import { beforeAll } from 'vitest';

// Files that share a page find it empty.
beforeAll(() => {
  if (typeof document === 'undefined') return;
  document.head.replaceChildren();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
});

// The runner has been seen to evaluate a module twice in one page, on a busy machine and once in many runs; its
// element keeps its first class then, and the second can be made by a test that holds it. Two elements of one name are
// still an error, because their sources differ.
if (typeof customElements !== 'undefined' && !Object.hasOwn(customElements, 'define')) {
  const define = customElements.define.bind(customElements);
  let again = 2;
  customElements.define = (name, element, options) => {
    const known = customElements.get(name);
    if (!known || String(known) !== String(element)) define(name, element, options);
    else if (known !== element) define(`${name}-${String(again++)}`, element, options);
  };
}
