// SPDX-License-Identifier: Apache-2.0
import { css, unsafeCSS } from 'lit';

/** How much room the names of rows have beside a map. */
export const NAMES = 72;

export const besideStyles = css`
  :host { display: block; min-width: 0; }
  .head { display: grid; gap: var(--space-2); margin-bottom: var(--space-6); }
  .head h2 { font-size: var(--text-title); line-height: var(--leading-title); }
  .choose { display: flex; flex-wrap: wrap; gap: var(--space-4) var(--space-6); align-items: center;
    margin-bottom: var(--space-6); }
  .choose label { display: inline-flex; flex-wrap: wrap; gap: var(--space-3); align-items: center; color: var(--ink2); }
  select { max-width: 260px; font-size: var(--text); }
  .letter { display: inline-grid; place-items: center; width: 18px; height: 18px; border: 1.5px solid var(--ink);
    border-radius: var(--radius); font-weight: 600; font-size: var(--text-mark); font-style: normal; }
  .letter.A { background: var(--ink); color: var(--background); }
  .sides, .row { display: grid; grid-template-columns: minmax(0, 1fr) 132px minmax(0, 1fr); gap: var(--space-4);
    align-items: stretch; }
  .sides { margin-bottom: var(--space-4); }
  .sides > span { display: flex; gap: var(--space-3); align-items: center; }
  .rows { display: grid; gap: var(--space-3); }
  .row { width: 100%; text-align: start; padding: 0; }
  .row:focus-visible { outline-offset: 3px; }
  .box { display: block; padding: var(--space-3) var(--space-5); border: 1px solid var(--line);
    border-radius: var(--radius); background: var(--panel); min-height: 40px; }
  .box.b { background: var(--background); border-color: var(--ink); border-inline-start: 4px solid var(--weight); }
  .box.none { border-style: dashed; color: var(--ink2); }
  .box b { display: block; font-weight: 600; }
  .box small { display: block; color: var(--ink2); font-size: var(--text-note); overflow-wrap: anywhere; }
  .between { display: grid; align-content: center; justify-items: center; text-align: center; }
  .between em { font-style: normal; font-weight: 600; color: var(--weight); }
  .row[aria-expanded='true'] .box { outline: 2px solid var(--ink); }
  .fold { display: flex; gap: var(--space-4); align-items: center; color: var(--ink2); min-height: 24px; }
  .fold::before, .fold::after { content: ''; flex: 1; border-top: 1px solid var(--line); }
  .fold span { max-width: 70%; text-align: center; }
  .more { border: 1px solid var(--line); border-radius: var(--radius); padding: var(--space-5) var(--space-6);
    display: grid; gap: var(--space-3); max-width: 62em; }
  .more ap-math { overflow-x: auto; display: block; }
  .maps { display: flex; flex-wrap: wrap; gap: var(--space-10) var(--space-14); margin-top: var(--space-6); }
  /* Each map has room of its own for the names of its rows, which stand on its left in every language. */
  .maps figure { position: relative; padding-left: ${unsafeCSS(NAMES)}px; }
  .maps figcaption { display: flex; gap: var(--space-3); align-items: center; margin-bottom: 56px; }
  .names { position: relative; }
  .slant { position: absolute; bottom: var(--space-1); transform-origin: 0 100%; transform: rotate(-50deg);
    white-space: nowrap; color: var(--ink2); line-height: var(--leading-mark); max-width: 70px; overflow: hidden; }
  .queries { position: absolute; right: 100%; bottom: 0; display: grid; justify-items: end;
    padding-right: var(--space-4); }
  .queries span { align-content: center; white-space: nowrap; max-width: ${unsafeCSS(NAMES - 8)}px; overflow: hidden;
    text-overflow: ellipsis; }
  .kept { border-top: 1px solid var(--line); margin-top: var(--space-10); padding-top: var(--space-6); }
  /* On a phone A stands above B. */
  .narrow .sides, .narrow .row { grid-template-columns: minmax(0, 1fr); gap: var(--space-1); }
  .narrow .between { justify-items: start; grid-auto-flow: column; justify-content: start; gap: var(--space-3); }
`;
