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
