// SPDX-License-Identifier: Apache-2.0
import { html } from 'lit';

/** A word before a number: one without a letter or a digit, such as a full stop, would be read as part of it. */
export const inNumbers = (word: string): unknown => (/[\p{L}\p{N}]/u.test(word) ? word : html`<q>${word}</q>`);
