// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';

// .scroll: With a scrollbar that comes later, everything would be drawn twice.
// .summary bdi: A sentence and its answer are read whole; a long text ends in dots.
export const shellStyles = css`
  .skip { position: absolute; inset-inline-start: 8px; top: 6px; z-index: 40; min-height: var(--control-large);
    padding: 0 var(--space-7); border-radius: var(--radius); background: var(--ink); color: var(--background);
    transform: translateY(-200%); }
  .skip:focus { transform: none; }
  ap-sheet:not(:defined) { display: none; }
  :host { display: block; height: 720px; background: var(--background); overflow: clip; position: relative;
  text-align: start; }
  :host([compact]) { height: auto; min-height: 320px; overflow: visible; }
  :host([dropping])::after { content: ''; position: absolute; inset: 6px; z-index: 30; border: 3px dashed var(--ink);
  border-radius: var(--radius-large); pointer-events: none; }
  .page { display: grid; height: 100%; grid-template: auto minmax(0, 1fr) / minmax(0, 1fr); }
  :host([arriving='picture']) :is(.middle > *, ap-train, ap-efficient, ap-compact),
  :host([arriving]) :is(.left, .right) > * { visibility: hidden; }
  :host([arriving]) ap-waiting { visibility: visible; }
  ap-header { grid-column: 1 / -1; }
  .wide { grid-template-columns: 288px minmax(0, 1fr) 328px; }
  .medium { grid-template-columns: 288px minmax(0, 1fr); }
  .left { position: relative; overflow: auto; background: var(--panel); border-inline-end: 1px solid var(--line); }
  .middle { position: relative; display: grid; grid-template: minmax(0, 1fr) auto / minmax(0, 1fr); min-width: 0;
  min-height: 0; }
  .scroll { overflow: auto; min-height: 0; scrollbar-gutter: stable; }
  .left > .hint { position: absolute; inset-inline-end: 12px; top: 5px; z-index: 2; }
  .hints { display: flex; gap: var(--space-6); flex-wrap: wrap; padding: var(--space-2) var(--space-12) 0; }
  .narrow .hints { padding: var(--space-4) var(--space-7) 0; }
  .right { overflow: auto; background: var(--panel); border-inline-start: 1px solid var(--line); }
  .peek .scroll { padding-bottom: 180px; }
  .medium ap-sheet, .drawer ap-sheet { bottom: 40px; }
  .drawer .left { position: absolute; top: 48px; bottom: 0; inset-inline-start: 0; width: min(340px, 90%); z-index: 12;
  box-shadow: 6px 0 30px rgb(0 0 0 / 14%); }
  ap-train[hidden] { display: none; }
  .narrow .left { border: 0; background: var(--background); }
  .narrow .middle { grid-template: auto minmax(0, 1fr) / minmax(0, 1fr); }
  .tabs { display: flex; gap: var(--space-2); border-bottom: 1px solid var(--line); padding: 0 var(--space-4); }
  .tabs button { height: 48px; padding: 0 var(--space-6); font-size: var(--text-read); color: var(--ink2);
  border-bottom: 2px solid transparent; }
  .tabs button[aria-pressed='true'] { color: var(--ink); font-weight: 600; border-color: var(--ink); }
  .tools { display: flex; align-items: center; flex-wrap: wrap; padding: var(--space-2) var(--space-4);
    border-bottom: 1px solid var(--line); }
  .tools .text { min-height: 44px; }
  .summary { display: flex; justify-content: space-between; gap: var(--space-6); align-items: center; width: 100%;
    margin: var(--space-2) 0 var(--space-12); min-height: 44px; padding: var(--space-4) var(--space-6);
    border: 1px solid var(--line2); border-radius: var(--radius); text-align: start; }
  .scroll > .summary { width: calc(100% - 28px); margin: var(--space-6) var(--space-7) 0; }
  .summary bdi { overflow: hidden; overflow-wrap: anywhere; display: -webkit-box; -webkit-box-orient: vertical;
    -webkit-line-clamp: 6; }
  .notice { display: flex; gap: var(--space-6); align-items: center; justify-content: space-between;
    margin: var(--space-6) var(--space-12) 0; padding-block: var(--space-3);
    padding-inline: var(--space-6) var(--space-4); border: 1px solid var(--line2);
    border-inline-start: 3px solid var(--ink); border-radius: var(--radius); background: var(--raised); }
  .scroll > .notice.over { position: absolute; inset-inline: 0; bottom: 48px; z-index: 9;
  box-shadow: 0 4px 20px rgb(0 0 0 / 16%); }
  /* Where the explanation lies over the lower end, the notice is above what it speaks of. */
  .page:not(.wide) .scroll > .notice.over { position: sticky; bottom: auto; top: var(--space-3); }
  .narrow .scroll > .notice.over { margin-inline: var(--space-7); }
  .notice.lost { position: absolute; inset-inline: 0; bottom: 48px; z-index: 9; border-color: var(--error);
    color: var(--error); box-shadow: 0 4px 20px rgb(0 0 0 / 16%); }
  .notice.over { margin-inline: var(--space-12); }
  .notice > button { flex: none; }
  .notice.bad { border-color: var(--error); color: var(--error); }
  :host([data-point='controls']) .left, :host([data-point='card']) .right, :host([data-point='card']) ap-sheet,
  :host([data-point='inputs']) ap-inputs,
  :host([data-point='steps']) ap-steps, :host([data-point='flow']) ap-flow { outline: 2px solid var(--query);
  outline-offset: -2px; }
  .without-left.wide { grid-template-columns: minmax(0, 1fr) 328px; }
  .without-left.medium { grid-template-columns: minmax(0, 1fr); }
  .wide ap-efficient { grid-column: 2 / -1; }
  .without-left.wide ap-efficient { grid-column: 1 / -1; }
  .without-right.wide { grid-template-columns: 288px minmax(0, 1fr); }
  .without-left.without-right.wide { grid-template-columns: minmax(0, 1fr); }
`;
