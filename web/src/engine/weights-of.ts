// SPDX-License-Identifier: Apache-2.0
// Which file of weights a document's parameters come from.

/** The name that a document's parameters give. */
export function weightsOf(text: string): string | undefined {
  // Most documents name none, and reading a long one takes time.
  if (!text.includes('"from"')) return undefined;
  try {
    const from = (JSON.parse(text) as { parameters?: { from?: unknown } } | null)?.parameters?.from;
    return typeof from === 'string' ? from : undefined;
  } catch {
    return undefined; // the engine says what is wrong
  }
}
