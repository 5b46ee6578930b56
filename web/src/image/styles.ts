// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';

export const imageStyles = css`
  :host { display: block; container-type: inline-size; }
  .whole { display: grid; grid-template-columns: minmax(0, 384px) minmax(0, 1fr); gap: 12px 28px; align-items: start;
  max-width: 900px; }
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
  .point.other { fill: none; stroke: var(--ink3); stroke-width: 1; }
  .stops { position: absolute; inset: 0; pointer-events: none; direction: ltr; }
  .stops span {
    position: absolute; transform: translate(-50%, -50%); min-width: 18px; padding: 0 4px; border: 1px solid var(--ink);
      border-radius: 9px;
    background: var(--background); font-size: 11px; line-height: 16px; text-align: center; white-space: nowrap;
  }
  .stops b { color: var(--query); }
  .path { fill: none; stroke: var(--ink); stroke-width: 1.4; vector-effect: non-scaling-stroke; }
  .path.wide { stroke: var(--background); stroke-width: 4; }
  .says { min-height: 36px; margin: 6px 0; }
  .tools { display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: center; margin-top: 6px; }
  .tools label { display: inline-flex; gap: 6px; align-items: center; min-height: 28px; }
  .tools input[type='range'] { width: 96px; }
  select { height: 28px; max-width: 200px; background: var(--raised); border: 1px solid var(--line2);
    border-radius: 4px; padding: 0 4px; }
  .button { display: inline-flex; align-items: center; min-height: 28px; padding: 0 10px;
  border: 1px solid var(--line2); border-radius: 4px; background: var(--raised); cursor: pointer; }
  .button:hover { background: var(--hover); }
  .button[aria-pressed='true'] { background: var(--ink); border-color: var(--ink); color: var(--background); }
  label.button:focus-within { outline: 2px solid var(--ink); outline-offset: 2px; }
  .paints { display: flex; flex-wrap: wrap; gap: 4px; }
  .swatch { width: 28px; height: 28px; border: 1px solid var(--line2); border-radius: 4px; }
  .swatch[aria-pressed='true'] { outline: 2px solid var(--ink); outline-offset: 2px; }
  .twin { min-width: 0; display: grid; gap: 8px; align-content: start; }
  .twin ap-matrix { max-width: 100%; }
  .seg { display: inline-flex; border: 1px solid var(--line2); border-radius: 4px; overflow: hidden; }
  .seg button { padding: 0 9px; min-height: 26px; }
  .seg button[aria-pressed='true'] { background: var(--ink); color: var(--background); }
  @media (pointer: coarse) { .button, select, .tools label, .seg button { min-height: 44px; }
  .swatch { width: 44px; height: 44px; } }
`;
