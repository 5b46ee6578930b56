// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';

export const imageStyles = css`
  :host { display: block; container-type: inline-size; }
  .whole { display: grid; grid-template-columns: minmax(0, 384px) minmax(0, 1fr); gap: var(--space-6) var(--space-14);
    align-items: start; max-width: 900px; }
  @container (max-width: 620px) { .whole { grid-template-columns: minmax(0, 1fr); } }
  .surface { position: relative; width: 100%; }
  .surface > canvas { display: block; width: 100%; height: 100%; border: 1px solid var(--line2); }
  .stop { position: absolute; inset: 0; cursor: pointer; touch-action: pan-x pan-y; }
  .stop.paints { cursor: crosshair; touch-action: none; }
  .stop:focus-visible { outline-offset: 3px; }
  .marks { position: absolute; inset: 0; width: 100%; height: 100%; overflow: visible; pointer-events: none;
  direction: ltr; }
  .mark { fill: none; stroke: var(--background); stroke-width: 4; vector-effect: non-scaling-stroke; }
  .mark.inner { stroke: var(--ink); stroke-width: 2; }
  .mark.query { stroke: var(--query); stroke-width: 2.4; }
  .mark.key { stroke: var(--key); stroke-width: 2.4; }
  .mark.fed { stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 4 3; }
  .point { fill: color-mix(in srgb, var(--weight) 70%, transparent); stroke: var(--background); stroke-width: 1.5;
  vector-effect: non-scaling-stroke; }
  .filter { fill: color-mix(in srgb, var(--weight) 22%, transparent); stroke: var(--weight); stroke-width: 1.5;
    vector-effect: non-scaling-stroke; }
  .reads { fill: none; stroke: var(--background); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
  .point.other { fill: none; stroke: var(--ink3); stroke-width: 1; }
  .stops { position: absolute; inset: 0; pointer-events: none; direction: ltr; }
  .stops span {
    position: absolute; transform: translate(-50%, -50%); min-width: 18px; padding: 0 var(--space-2);
    border: 1px solid var(--ink); border-radius: var(--radius-round);
    background: var(--background); font-size: var(--text-mark); line-height: var(--leading-note); text-align: center;
    white-space: nowrap;
  }
  .stops b { color: var(--query); }
  .path { fill: none; stroke: var(--ink); stroke-width: 1.4; vector-effect: non-scaling-stroke; }
  .path.wide { stroke: var(--background); stroke-width: 4; }
  .says { min-height: 36px; margin: var(--space-3) 0; }
  .tools { display: flex; flex-wrap: wrap; gap: var(--space-3) var(--space-7); align-items: center;
    margin-top: var(--space-3); }
  .tools label { display: inline-flex; gap: var(--space-3); align-items: center; min-height: var(--control); }
  select { max-width: 200px; }
  .tools input[type='range'] { width: 96px; }
  .paints { display: flex; flex-wrap: wrap; gap: var(--space-2); }
  .swatch { width: var(--control); height: var(--control); border: 1px solid var(--line2);
    border-radius: var(--radius); }
  .swatch[aria-pressed='true'] { outline: 2px solid var(--ink); outline-offset: 2px; }
  .twin { min-width: 0; display: grid; gap: var(--space-4); align-content: start; }
  .twin ap-matrix { max-width: 100%; }
`;
