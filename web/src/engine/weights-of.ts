// SPDX-License-Identifier: Apache-2.0
// Which files of weights a document's parameters come from.

/** The names that a document's parameters give: one, or a list. */
export function weightsOf(text: string): readonly string[] {
  // Most documents name none, and reading a long one takes time.
  if (!text.includes('"from"')) return [];
  try {
    const from = (JSON.parse(text) as { parameters?: { from?: unknown } } | null)?.parameters?.from;
    return (Array.isArray(from) ? from : [from]).filter((name): name is string => typeof name === 'string');
  } catch {
    return []; // the engine says what is wrong
  }
}
