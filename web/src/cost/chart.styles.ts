// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';

/** Of the charts that chart.ts draws, for every element that shows one. */
export const chartStyles = css`
  .chart svg { width: 100%; height: auto; display: block; }
  .chart .grid { stroke: var(--line); fill: none; }
  .chart .guide { stroke: var(--ink3); stroke-dasharray: 3 3; fill: none; }
  .chart .from { stroke: var(--ink2); stroke-dasharray: 1 3; fill: none; }
  .chart .legend { display: inline-flex; gap: var(--space-6); margin-inline-start: var(--space-6); }
  .chart .legend svg { display: inline-block; width: 24px; height: 8px; margin-inline-end: var(--space-2);
    overflow: visible; }
  .chart .tick { font-size: var(--text-mark); fill: var(--ink2); }
  .chart .line { fill: none; stroke-width: 2; }
  .chart polyline.line0 { stroke: var(--weight); }
  .chart polyline.line1 { stroke: var(--key); stroke-dasharray: 6 3; }
  .chart .dot.line0 { fill: var(--weight); }
  .chart .dot.line1 { fill: var(--background); stroke: var(--key); stroke-width: 2; }
`;
