// SPDX-License-Identifier: Apache-2.0
import '../strings/en-later.ts';
import { html } from 'lit';
import { type LeftOut, mapsLeft } from './bins.ts';
import './map-row.ts';

export { areRowsOfMaps } from './bins.ts';

/** A row of the maps that were left out of these modules. */
export function rows(left: readonly LeftOut[], of: string[]): unknown {
  const found = [...mapsLeft(left)].filter(([module]) => of.includes(module));
  return found.map(([, maps]) => html`<ap-map-row .maps=${maps}></ap-map-row>`);
}
