// SPDX-License-Identifier: Apache-2.0
// A long text in windows that a model can read. Two neighbours overlap by half, so that every token but those of the
// first window is predicted from at least half a window of text.

export interface Window {
  /** The tokens that the model reads. */
  ids: number[];
  /** The first token of the text whose probability counts here, and the one after the last. */
  from: number;
  to: number;
  /** In which row of `ids` the token `from` is. */
  row: number;
}

/**
 * `begin`: the tokens that the model expects before each text; `most`: so many tokens it reads, at least 2. A window is
 * longer only where nothing could be predicted otherwise.
 */
export function windowsOf(begin: readonly number[], text: readonly number[], most: number): Window[] {
  // A token in front predicts one; without it, the first token of a window predicts the second.
  const room = Math.max(begin.length > 0 ? 1 : 2, most - begin.length);
  const step = Math.max(1, Math.floor(room / 2));
  const windows: Window[] = [];
  // Without a token in front nothing predicts the first one.
  let from = begin.length > 0 ? 0 : 1;
  for (let first = 0; from < text.length; first += step) {
    // The last window is as long as the others: more context, and no other program.
    const start = Math.max(0, Math.min(first, text.length - room));
    const to = Math.min(text.length, start + room);
    windows.push({ ids: [...begin, ...text.slice(start, to)], from, to, row: begin.length + from - start });
    from = to;
  }
  return windows;
}
