// SPDX-License-Identifier: Apache-2.0
import { html } from 'lit';
import '../flow/table.ts';
import { matrix } from './matrix.ts';
import { csv, planeOf, type View } from './view.ts';

/** The numbers as a table, to be read and copied. */
export const table: View = {
  id: 'table',
  rank: 150,
  bare: true,
  accepts: () => true,
  draw: (subject) => html`<ap-table .plane=${planeOf(subject)} .places=${3}></ap-table>`,
  says: matrix.says,
  exports: (subject) => csv(subject),
};
