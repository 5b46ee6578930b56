// SPDX-License-Identifier: Apache-2.0
import { html } from 'lit';
import { absent } from './lazy-parts.ts';
import { strings } from '../strings/en.ts';

/** In place of a picture, which would be that of another model: what the document is about whose weights are absent. */
export function absentMiddle(above: unknown, openFiles: () => unknown): unknown {
  void absent.wanted();
  return html`<main class="middle" aria-label=${strings.flow}><div class="scroll">${above}<ap-absent
    @files=${openFiles}></ap-absent></div></main>`;
}
