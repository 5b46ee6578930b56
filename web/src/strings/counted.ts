// SPDX-License-Identifier: Apache-2.0
// The engine counts hops, passes and steps from 0. Documents and links have the names that it makes of them, so that
// they stay as they are; a person reads them counted from 1.
import { strings } from './en.ts';

// In formulas: "A^{\text{hop }0}".
const IN_FORMULAS = /(\\text\{(?:hop|pass|step|cross|self) \})(\d+)/g;
// Names of modules there: "E\;(\text{tl-hop0})", "E\;(\text{first0})^{\text{step }0}".
const NAMED = /\\text\{([a-zA-Z][^{}]*)\}/g;
const TURNS = /(\\text\{(?:first|second))(\d+)(?=\}\)\^\{\\text\{step )/g;
// In names of results and of modules that the engine calls: "hops.weights.0", "hops.hop0", "rotation.tl-hop0". Of a
// module that a document calls "layer-1" or "hop1" the number is its own.
const IN_NAMES = /(\.|^)(\d+)(?=\.|$)|([.-](?:hop|first|second))(\d+)(?=\.|$)/g;

// The number of a module that a document counts: "block-1".
const NUMBERED = /^(.*?)(-?\d+)?$/;

/** A module's name as a person reads it, with the words for it in the language of the page: "Block 1". */
export const moduleCalled = (name: string): string => nameFromOne(name).split('.').map((part) => {
  const [, base = '', number = ''] = NUMBERED.exec(part)!;
  return `${strings.moduleNames[base] ?? base.replaceAll('-', ' ')}${number.replace('-', ' ')}`;
}).join('.');

/** A formula as a person reads it. */
export const formulaFromOne = (latex: string): string =>
  [TURNS, IN_FORMULAS].reduce((text, counted) =>
    text.replace(counted, (_all, before: string, at: string) => `${before}${Number(at) + 1}`), latex)
    .replace(NAMED, (_all, name: string) => `\\text{${nameFromOne(name)}}`);

/** A name that the engine made, as a person reads it. */
export const nameFromOne = (name: string): string => name.replace(IN_NAMES,
  (_all, dot: string | undefined, at: string, call: string, turn: string) =>
    (dot === undefined ? `${call}${Number(turn) + 1}` : `${dot}${Number(at) + 1}`));
