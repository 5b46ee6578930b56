// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';

/** Of the charts that log-chart.ts draws, for every element that shows one. */
export const chartStyles = css`
  .plot { min-width: 0; max-width: 340px; }
  .plot figcaption { display: flex; flex-wrap: wrap; gap: 0 var(--space-4); align-items: baseline; min-height: 36px;
  align-content: flex-start; }
  .plot svg { width: 100%; height: auto; display: block; overflow: visible; }
  .blank { margin-bottom: var(--space-4); aspect-ratio: 270 / 236; border: 1px dashed var(--line2);
    border-radius: var(--radius); display: grid; place-items: center; }
  .grid, .base { stroke: var(--line); fill: none; }
  .base { stroke: var(--line2); }
  .change { stroke: var(--ink2); stroke-dasharray: 1 3; fill: none; }
  .power { stroke: var(--ink3); stroke-dasharray: 3 3; fill: none; }
  .guide { stroke: var(--ink3); stroke-dasharray: 2 2; fill: none; }
  .tick { font-size: var(--text-mark); fill: var(--ink2); }
  .line { fill: none; stroke-width: 1.8; }
  .line.a, .dot.a { stroke: var(--ink); }
  .line.b, .dot.b { stroke: var(--weight); }
  .dot.a { fill: var(--ink); }
  .dot.b { fill: var(--weight); }
  .dashed { stroke-dasharray: 5 3; }
  .band { fill: var(--weight); opacity: 0.18; }
  .ring-line { stroke: var(--ink); stroke-width: 1.6; }
  .crossing { fill: var(--background); stroke: var(--ink); stroke-width: 1.6; }
  .said { font-size: var(--text-note); fill: var(--ink); }
  .letter rect { fill: var(--background); stroke: var(--ink); }
  .letter.A rect { fill: var(--ink); }
  .letter text { font-size: var(--text-mark); font-weight: 600; fill: var(--ink); }
  .letter.A text { fill: var(--background); }
`;
