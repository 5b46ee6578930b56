// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';

export const trainStyles = css`
  :host { display: grid; grid-template: minmax(0, 1fr) auto / 288px minmax(0, 1fr); min-height: 0; height: 100%; grid-column: 1 / -1; }
  :host([narrow]) { grid-template: minmax(0, 1fr) auto / minmax(0, 1fr); }
  .settings { overflow: auto; background: var(--panel); border-inline-end: 1px solid var(--line); grid-row: 1 / -1; }
  .group { display: grid; gap: 6px; padding: 14px 16px; border-bottom: 1px solid var(--line); }
  .row { display: grid; grid-template-columns: 104px minmax(0, 1fr) 60px; gap: 8px; align-items: center; min-height: 28px; }
  .row.plain { grid-template-columns: 104px minmax(0, 1fr); }
  .row > input[type='range'] { width: 100%; accent-color: var(--ink); direction: ltr; }
  .row > input:not([type='range']) { width: 60px; text-align: end; }
  select { height: 28px; background: var(--raised); border: 1px solid var(--line2); border-radius: 4px; padding: 0 4px; min-width: 0; max-width: 100%; }
  .button { min-height: 30px; padding: 0 12px; border: 1px solid var(--line2); border-radius: 4px; background: var(--raised); }
  .button:hover:not(:disabled) { background: var(--hover); }
  .middle { overflow: auto; padding: 20px 24px 24px; min-width: 0; }
  :host([narrow]) .middle { padding: 14px; }
  .head { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 8px 16px; align-items: start; }
  .head h2 { font-size: 15px; line-height: 22px; }
  .maps { display: flex; flex-wrap: wrap; gap: 8px 24px; align-items: start; margin: 12px 0 8px; min-height: 120px; }
  .maps figcaption { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; padding-top: 6px; padding-inline-start: 74px; }
  .maps figure { max-width: 100%; overflow-x: auto; }
  .maps svg .label { font-size: 13px; fill: var(--ink); }
  .maps svg .number { font-size: 11px; }
  .empty { fill: var(--hover); }
  .means { fill: var(--weight); }
  .agrees { fill: none; stroke: var(--weight); stroke-width: 1.6; stroke-dasharray: 3 3; }
  .key { display: inline-block; width: 12px; height: 12px; background: var(--weight); }
  .key.dashed { background: none; border: 1.6px dashed var(--weight); }
  .maps figcaption.flush { padding-inline-start: 0; }
  /* As high as the head and the cells of the maps (maps.ts). */
  .wrote { padding-top: 58px; }
  .wrote li { height: 34px; display: flex; gap: 6px; align-items: center; white-space: nowrap; }
  .wrong b { color: var(--error); }
  .panel { display: block; overflow: visible; margin-top: 10px; touch-action: none; cursor: ew-resize; max-width: none; }
  .panel .title { font-size: 13px; font-weight: 600; fill: var(--ink); }
  .panel .tick { font-size: 11px; fill: var(--ink2); }
  .panel .legend { font-size: 12px; fill: var(--ink2); }
  .panel .bold { font-weight: 600; fill: var(--ink); }
  .grid { stroke: var(--line); fill: none; }
  .line { fill: none; stroke: var(--ink); stroke-width: 1.8; }
  .line.thin { stroke: var(--ink3); stroke-width: 1; }
  .line.looks { stroke: var(--weight); }
  .line.dashed { stroke-dasharray: 4 3; }
  .thumb { stroke: var(--ink); stroke-width: 1.4; fill: none; }
  .now { stroke: var(--ink3); stroke-dasharray: 2 3; fill: none; }
  .bar { display: grid; grid-template-columns: auto auto auto minmax(0, 1fr) auto auto; gap: 8px 10px; align-items: center; padding: 8px 24px; border-top: 1px solid var(--line); min-height: 48px; }
  :host([narrow]) .bar { display: flex; flex-wrap: wrap; padding: 8px 14px; }
  :host([narrow]) .bar input { flex-basis: 100%; order: -1; }
  .bar input { width: 100%; accent-color: var(--ink); direction: ltr; }
  .play { border: 1px solid var(--ink); background: var(--ink); color: var(--background); border-radius: 16px; min-width: 84px; height: 32px; padding: 0 14px; display: inline-flex; gap: 6px; align-items: center; justify-content: center; }
  .play:disabled { background: none; color: var(--ink3); border-color: var(--line2); }
  .bad { color: var(--error); padding: 8px 0; }
  .idle { max-width: 60ch; padding-bottom: 8px; }
  @media (pointer: coarse) { .row, .button, .bar .icon, .play { min-height: 44px; } .row > input { height: 40px; } }
`;
