// SPDX-License-Identifier: Apache-2.0
import type { KatexOptions } from 'katex';

/**
 * How formulas are drawn, here and while building. Only the class command is trusted: it is how terms get their role's
 * colour.
 */
export const options = (displayMode: boolean): KatexOptions => ({
  displayMode,
  throwOnError: true,
  strict: false,
  trust: (context) => context.command === '\\htmlClass',
  maxSize: 20,
  maxExpand: 500,
});
