// SPDX-License-Identifier: Apache-2.0

const number = /^[-+−]?(\d+([.,]\d*)?|[.,]\d+)(e[-+]?\d+)?$/i;

/** Whether pasted text is data rather than a sentence: JSON, or mostly numbers in columns. */
export function looksLikeData(text: string): boolean {
  const start = text.trim();
  if (/^(\{|\[)/.test(start) && /[}\]]$/.test(start)) return true;
  const cells = start.slice(0, 5000).split(/[\s,;|]+/).filter(Boolean);
  return cells.length >= 2 && cells.filter((cell) => number.test(cell)).length > cells.length / 2;
}
