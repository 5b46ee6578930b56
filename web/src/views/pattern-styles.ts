// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';

/** What pictures of patterns are drawn with, wherever they stand. */
export const patternStyles = css`
  .class { fill: var(--weight); }
  .chips { display: flex; flex-wrap: wrap; gap: 3px; margin-bottom: 6px; }
  .chips li { display: inline-flex; gap: 4px; align-items: baseline; padding: 2px 6px; border-radius: 4px;
  background: color-mix(in srgb, var(--weight) var(--share), var(--background)); color: var(--ink);
  border: 1px solid var(--line); white-space: pre; }
  .chips .dark { color: var(--background); }
  .chips sub { font-size: 11px; vertical-align: baseline; }
  .strip { display: block; margin-bottom: 4px; direction: ltr; }
  .nth { display: block; font-size: 11px; color: var(--ink2); }
  .steps-key { display: flex; flex-wrap: wrap; gap: 4px 14px; margin-top: 6px; font-size: 12px; }
  .steps-key li { display: flex; gap: 6px; align-items: center; }
  .ramp { overflow: visible; direction: ltr; }
`;
