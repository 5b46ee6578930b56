// SPDX-License-Identifier: Apache-2.0
// What this program is, as its package says it: for figures and for citations.
import { license, version } from '../../package/package.json';
import { strings } from '../strings/en.ts';

export const software = { get name() { return strings.title; }, version, license };

/** A citation for BibTeX: `address` is where the page was read, on that day. */
export const bibtex = (address: string, day: Date): string =>
  `@software{attention-playground, title = {Attention Playground}, version = {${version}}, url = {${address}}, `
    + `urldate = {${day.toISOString().slice(0, 10)}}, note = {Licence: ${license}}}`;
