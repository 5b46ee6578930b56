// SPDX-License-Identifier: Apache-2.0
import { Later } from '../lazy-fetch.ts';

/** Of the panel, what the first picture can do without. */
export const notes = new Later(() => import('./knob-notes.ts'));
