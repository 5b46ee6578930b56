// SPDX-License-Identifier: Apache-2.0

/** Of a catalogue's entry, what is read here. */
export interface Worded {
  id: string;
  kind: string;
  title: string;
  formula: string;
  source?: { authors: string; year: number; where: string; link: string } | null;
}

/**
 * What stands above exported code, as the engine takes it: the words are the catalogue's, which the engine does
 * without.
 */
export function headingOf(mechanism: Worded | undefined): string {
  if (!mechanism) return '{}';
  const { title, formula, source } = mechanism;
  const from = source ? `${source.authors} ${source.year}, ${source.where}, ${source.link}` : '';
  return JSON.stringify({ title, formula, source: from });
}
