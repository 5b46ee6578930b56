// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';
import { chartStyles } from '../cost/chart.styles.ts';
import { tableStyles } from '../cost/table.ts';

/** The place: what is compared in the middle, the cell at the side. */
export const placeStyles = css`
  :host { display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); min-width: 0; min-height: 0; }
  :host([size='wide']) { grid-template-columns: minmax(0, 1fr) 328px; }
  .middle { overflow: auto; min-width: 0; padding: var(--space-8) var(--space-12) var(--space-14); }
  :host([size='narrow']) .middle { padding: var(--space-7) var(--space-6) var(--space-12); }
  .right { overflow: auto; background: var(--panel); border-inline-start: 1px solid var(--line); }
  .head { display: flex; flex-wrap: wrap; gap: var(--space-4) var(--space-10); align-items: baseline;
    justify-content: space-between; }
  .head h2 { font-size: var(--text-title); line-height: var(--leading-title); }
  .paper { max-width: 60em; margin: var(--space-2) 0 var(--space-6); font-size: var(--text-read);
    line-height: var(--leading-read); }
  .paper:not([lang]) { unicode-bidi: isolate; }
  .settings { display: flex; flex-wrap: wrap; gap: var(--space-4) var(--space-7); align-items: center; }
  .settings label { display: inline-flex; gap: var(--space-3); align-items: center; color: var(--ink2); }
  select { max-width: 220px; font-size: var(--text); }
  ap-menu { min-width: 180px; max-width: 300px; }
  ap-menu:not([chosen]) { border: 1px solid var(--line2); border-radius: var(--radius); background: var(--raised); }
  .says { font-size: var(--text-read); line-height: var(--leading-read); margin: var(--space-7) 0 var(--space-5);
    max-width: 60em; }
  .charts { display: flex; flex-wrap: wrap; gap: var(--space-10) var(--space-12); align-items: flex-start;
    border-top: 1px solid var(--line); padding-top: var(--space-8); margin-top: var(--space-10); }
  .charts ap-knob-error { flex: 1 1 220px; max-width: 340px; }
  .charts ap-growth { flex: 2 1 460px; max-width: 700px; }
  :host([size='narrow']) .charts > * { flex: 1 1 100%; }
  .below { border-top: 1px solid var(--line); margin-top: var(--space-12); padding-top: var(--space-8); }
  .inner { margin-top: var(--space-10); border: 1px solid var(--line); border-radius: var(--radius-large); }
`;

/** The two charts of the place, with what is set and measured below them. */
export const plotStyles = [chartStyles, tableStyles, css`
  :host { display: block; min-width: 0; }
  /* These words are the page's own: they run as it does, whatever letter they begin with. */
  .note { unicode-bidi: isolate; }
  .one { max-width: 340px; }
  .two { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(210px, 100%), 1fr));
    gap: var(--space-10) var(--space-12); }
  .ring { direction: ltr; display: block; appearance: none; height: 24px;
  margin-block: calc(-12.59% - 12px) calc(12.59% - 12px); background: none; cursor: grab; position: relative; }
  .ring::-webkit-slider-runnable-track { height: 2px; background: none; }
  .ring::-moz-range-track { height: 2px; background: none; }
  .ring::-webkit-slider-thumb { appearance: none; width: 16px; height: 16px; margin-top: calc((2px - 16px) / 2);
    border-radius: 50%; border: 2px solid var(--ink); background: var(--raised); }
  .ring::-moz-range-thumb { width: 12px; height: 12px; border-radius: 50%; border: 2px solid var(--ink);
  background: var(--raised); }
  .row { display: flex; flex-wrap: wrap; gap: var(--space-3) var(--space-5); align-items: center;
    margin-top: var(--space-3); }
  .row label { display: inline-flex; flex-wrap: wrap; gap: var(--space-1) var(--space-3); align-items: center;
    max-width: 100%; color: var(--ink2); }
  progress { height: 8px; accent-color: var(--ink); flex: 1 1 100px; min-width: 60px; }
  details { margin-top: var(--space-3); }
  summary { cursor: pointer; min-height: var(--press); color: var(--ink2); }
  .scroll { max-height: 260px; }
  @media (pointer: coarse) { .ring { height: 44px; margin-block: calc(-12.59% - 22px) calc(12.59% - 22px); } }
`];

export const letterStyles = css`
  .side { display: inline-grid; place-items: center; width: 17px; height: 17px; border: 1px solid var(--ink);
  border-radius: var(--radius); font-style: normal; font-weight: 600; font-size: var(--text-mark); line-height: 1; }
  .side.A { background: var(--ink); color: var(--background); }
`;
