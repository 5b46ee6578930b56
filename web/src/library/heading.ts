// SPDX-License-Identifier: Apache-2.0
import type { Mechanism } from './types.ts';

/** What stands above exported code, as the engine takes it: the words are the catalogue's, which the engine does without. */
export function headingOf(mechanism: Mechanism | undefined): string {
  if (!mechanism) return '{}';
  const { title, formula, source } = mechanism;
  const from = source ? `${source.authors} ${source.year}, ${source.where}, ${source.link}` : '';
  return JSON.stringify({ title, formula, source: from });
}
