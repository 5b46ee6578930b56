// SPDX-License-Identifier: Apache-2.0
import { html } from 'lit';

/** A name of parts, such as "decoder.attention.score.w", that a narrow column breaks between its parts. */
export const breakable = (name: string): unknown =>
  name.split(/(?<=[._])/).map((part, k) => (k > 0 ? html`<wbr>${part}` : part));
