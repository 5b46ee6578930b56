// SPDX-License-Identifier: Apache-2.0
// The engine counts hops, passes and steps from 0. Documents and links have the names that it makes of them, so that
// they stay as they are; a person reads them counted from 1.

// In formulas: "A^{\text{hop }0}".
const IN_FORMULAS = /(\\text\{(?:hop|pass|step|cross|self) \})(\d+)/g;
// In names of results and of modules that the engine calls: "hops.weights.0", "hops.hop0", "rotation.tl-hop0". Of a
// module that a document calls "layer-1" or "hop1" the number is its own.
const IN_NAMES = /(\.|^)(\d+)(?=\.|$)|([.-](?:hop|first|second))(\d+)(?=\.|$)/g;

/** A formula as a person reads it. */
export const formulaFromOne = (latex: string): string =>
  latex.replace(IN_FORMULAS, (_all, before: string, at: string) => `${before}${Number(at) + 1}`);

/** A name that the engine made, as a person reads it. */
export const nameFromOne = (name: string): string => name.replace(IN_NAMES,
  (_all, dot: string | undefined, at: string, call: string, turn: string) =>
    (dot === undefined ? `${call}${Number(turn) + 1}` : `${dot}${Number(at) + 1}`));
