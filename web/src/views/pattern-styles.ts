// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';

/** The styles of views, in the menu and under Compare; the first rules are those of the elements that draw marks. */
export const patternStyles = css`
  .bar { fill: var(--weight); }
  .axis { stroke: var(--line2); }
  .line { fill: none; stroke: var(--ink); stroke-width: 1.5; }
  text { font-size: var(--text-mark); fill: var(--ink2); }
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
  .memory { display: grid; gap: var(--space-4); justify-items: start; }
  .memory .now { display: flex; flex-wrap: wrap; gap: var(--space-4) var(--space-8); }
  .memory figcaption, .strip-of span, .block-names { font-size: var(--text-mark); color: var(--ink2); }
  .strip-of { display: flex; flex-wrap: wrap; gap: var(--space-3); align-items: end; }
  .strip-of li { display: grid; gap: var(--space-1); justify-items: center; padding: var(--space-1);
    border: 2px solid transparent; }
  .strip-of .followed { border-color: var(--ink); }
  .strip-of .followed span { color: var(--ink); font-weight: 600; }
  .block-names { display: flex; direction: ltr; }
  .block-names li { flex: 1; text-align: center; white-space: nowrap; overflow: hidden; }
  .bars { overflow: visible; direction: ltr; }
`;
