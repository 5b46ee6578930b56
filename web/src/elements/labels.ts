// SPDX-License-Identifier: Apache-2.0
// The one rule for names beside rows and above columns: those that would lie over one another are thinned, and those
// that are longer than their room are cut.

/** Names that stand closer than this, in CSS pixels, lie over one another: slanted ones, and lines of text. */
export const SLANTED = 16;
export const LINE = 11;

/** Which of so many names have room where each has `each` pixels; the chosen one always has. */
export function namesWithRoom(count: number, each: number, chosen: number | undefined, apart = SLANTED): number[] {
  const every = Math.max(1, Math.ceil(apart / each));
  const all = Array.from({ length: Math.ceil(count / every) }, (_, k) => k * every);
  if (chosen === undefined || chosen >= count) return all;
  const others = all.filter((at) => at !== chosen && Math.abs(at - chosen) * each >= apart);
  return [...others, chosen].toSorted((a, b) => a - b);
}

/** A name in so many letters; what is cut off is told by its mark. */
export function cut(name: string, letters: number): string {
  const all = [...name];
  return all.length <= letters ? name : `${all.slice(0, Math.max(1, Math.floor(letters) - 1)).join('')}…`;
}

/** Words in lines that are no longer than this; a longer word is a line of its own. */
export function lines(text: string, letters: number): string[] {
  const made: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = made.length === 0 ? word : `${made.at(-1)} ${word}`;
    if (made.length > 0 && [...longer].length <= letters) made[made.length - 1] = longer;
    else made.push(word);
  }
  return made;
}
