// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';

/** What pictures of patterns are drawn with, wherever they stand. */
export const patternStyles = css`
  .class { fill: var(--weight); }
  .chips { display: flex; flex-wrap: wrap; gap: var(--space-2); margin-bottom: var(--space-3); }
  .chips li { display: inline-flex; gap: var(--space-2); align-items: baseline; padding: var(--space-1) var(--space-3);
    border-radius: var(--radius); background: color-mix(in srgb, var(--weight) var(--share), var(--background));
    color: var(--ink); border: 1px solid var(--line); white-space: pre; }
  .chips .dark { color: var(--background); }
  .chips sub { font-size: var(--text-mark); vertical-align: baseline; }
  .strip { display: block; margin-bottom: var(--space-2); direction: ltr; }
  .nth { display: block; font-size: var(--text-mark); color: var(--ink2); }
  .steps-key { display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-7); margin-top: var(--space-3);
    font-size: var(--text-note); }
  .steps-key li { display: flex; gap: var(--space-3); align-items: center; }
  .ramp { overflow: visible; direction: ltr; }
`;
