// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';

/** The place: what is compared in the middle, the cell at the side. */
export const placeStyles = css`
  :host { display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); min-width: 0; min-height: 0; }
  :host([size='wide']) { grid-template-columns: minmax(0, 1fr) 328px; }
  .middle { overflow: auto; min-width: 0; padding: 18px 24px 32px; }
  :host([size='narrow']) .middle { padding: 14px 12px 24px; }
  .right { overflow: auto; background: var(--panel); border-inline-start: 1px solid var(--line); }
  .head { display: flex; flex-wrap: wrap; gap: 8px 20px; align-items: baseline; justify-content: space-between; }
  .head h2 { font-size: 16px; line-height: 22px; }
  .paper { max-width: 60em; margin: 4px 0 12px; font-size: 14px; line-height: 20px; }
  .settings { display: flex; flex-wrap: wrap; gap: 8px 14px; align-items: center; }
  .settings label { display: inline-flex; gap: 6px; align-items: center; color: var(--ink2); }
  select { height: 28px; background: var(--raised); border: 1px solid var(--line2); border-radius: 4px; padding: 0 4px;
    max-width: 220px; color: var(--ink); }
  .says { font-size: 16px; line-height: 22px; margin: 14px 0 10px; max-width: 60em; }
  .charts { display: flex; flex-wrap: wrap; gap: 20px 24px; align-items: flex-start; border-top: 1px solid var(--line);
  padding-top: 16px; margin-top: 20px; }
  .charts ap-knob-error { flex: 1 1 220px; max-width: 340px; }
  .charts ap-growth { flex: 2 1 460px; max-width: 700px; }
  :host([size='narrow']) .charts > * { flex: 1 1 100%; }
  .below { border-top: 1px solid var(--line); margin-top: 24px; padding-top: 16px; }
  .inner { margin-top: 20px; border: 1px solid var(--line); border-radius: 8px; }
  @media (pointer: coarse) { select { height: 44px; } }
`;

/** Charts, wherever one stands. */
export const plotStyles = css`
  :host { display: block; min-width: 0; }
  .one { max-width: 340px; }
  .plot { min-width: 0; max-width: 340px; }
  .two { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(210px, 100%), 1fr)); gap: 20px 24px; }
  .plot figcaption { display: flex; flex-wrap: wrap; gap: 0 8px; align-items: baseline; min-height: 36px;
  align-content: flex-start; }
  .plot svg { width: 100%; height: auto; display: block; overflow: visible; }
  .blank { aspect-ratio: 270 / 236; border: 1px dashed var(--line2); border-radius: 4px; display: grid;
    place-items: center; }
  .grid, .base { stroke: var(--line); fill: none; }
  .base { stroke: var(--line2); }
  .tick { font-size: 11px; fill: var(--ink2); }
  .line { fill: none; stroke-width: 1.8; }
  .line.a, .dot.a { stroke: var(--ink); }
  .line.b, .dot.b { stroke: var(--weight); }
  .dot.a { fill: var(--ink); }
  .dot.b { fill: var(--weight); }
  .dashed { stroke-dasharray: 5 3; }
  .guide { stroke: var(--ink3); stroke-dasharray: 2 2; fill: none; }
  .band { fill: var(--weight); opacity: 0.18; }
  .ring-line { stroke: var(--ink); stroke-width: 1.6; }
  .crossing { fill: var(--background); stroke: var(--ink); stroke-width: 1.6; }
  .said { font-size: 12px; fill: var(--ink); }
  .letter rect { fill: var(--background); stroke: var(--ink); }
  .letter.A rect { fill: var(--ink); }
  .letter text { font-size: 11px; font-weight: 600; fill: var(--ink); }
  .letter.A text { fill: var(--background); }
  .ring { direction: ltr; display: block; appearance: none; height: 24px;
  margin-block: calc(-12.59% - 12px) calc(12.59% - 12px); background: none; cursor: grab; position: relative; }
  .ring::-webkit-slider-runnable-track { height: 2px; background: none; }
  .ring::-moz-range-track { height: 2px; background: none; }
  .ring::-webkit-slider-thumb { appearance: none; width: 16px; height: 16px; margin-top: -7px; border-radius: 50%;
  border: 2px solid var(--ink); background: var(--raised); }
  .ring::-moz-range-thumb { width: 12px; height: 12px; border-radius: 50%; border: 2px solid var(--ink);
  background: var(--raised); }
  .row { display: flex; flex-wrap: wrap; gap: 6px 10px; align-items: center; margin-top: 6px; }
  select { height: 26px; background: var(--raised); border: 1px solid var(--line2); border-radius: 4px; padding: 0 4px;
    max-width: 100%; color: var(--ink); }
  .button { min-height: 28px; padding: 0 12px; border: 1px solid var(--line2); border-radius: 4px;
  background: var(--raised); }
  .button:hover { background: var(--hover); }
  progress { height: 8px; accent-color: var(--ink); flex: 1 1 100px; min-width: 60px; }
  details { margin-top: 6px; }
  summary { cursor: pointer; min-height: 24px; color: var(--ink2); }
  .scroll { overflow: auto; max-height: 260px; }
  table { border-collapse: collapse; font-size: 12px; }
  th, td { padding-block: 2px; padding-inline-end: 12px; text-align: end; white-space: nowrap; }
  th { font-weight: 400; color: var(--ink2); }
  .tabled { max-width: 100%; }
  @media (pointer: coarse) { .button, select, summary { min-height: 44px; }
  .ring { height: 44px; margin-block: calc(-12.59% - 22px) calc(12.59% - 22px); } }
`;

export const letterStyles = css`
  .side { display: inline-grid; place-items: center; width: 17px; height: 17px; border: 1px solid var(--ink);
  border-radius: 3px; font: 600 11px/1 'Source Sans 3', system-ui, sans-serif; }
  .side.A { background: var(--ink); color: var(--background); }
`;
