// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';

export const compareStyles = css`
  :host { display: block; }
  .bar { display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: center; margin-bottom: 10px; }
  .bar .text { margin-inline-start: auto; }
  .seg { display: inline-flex; border: 1px solid var(--line2); border-radius: 4px; overflow: hidden; }
  .seg button { padding: 0 11px; height: 26px; color: var(--ink2); }
  .seg button[aria-pressed='true'] { background: var(--ink); color: var(--background); font-weight: 600; }
  .seg button:focus-visible { outline-offset: -3px; }
  .hint { font-size: 14px; line-height: 20px; color: var(--ink2); margin-bottom: 8px; }
  .maps { display: flex; flex-wrap: wrap; gap: 20px 28px; }
  figcaption { min-height: 52px; display: flex; flex-wrap: wrap; gap: 2px 6px; align-items: baseline;
    align-content: flex-start; }
  figcaption b { font-weight: 600; }
  .formula { flex-basis: 100%; overflow: hidden; white-space: nowrap; }
  .side { display: inline-grid; place-items: center; width: 18px; height: 18px; border-radius: 3px;
  border: 1.5px solid var(--ink); font-style: normal; font-weight: 600; font-size: 11px; }
  .side.A { background: var(--ink); color: var(--background); }
  .keys { position: relative; height: 52px; }
  .slant { position: absolute; bottom: 0; transform-origin: 0 100%; transform: rotate(-50deg); white-space: nowrap;
  line-height: 14px; color: var(--ink2); pointer-events: none; max-width: 70px; overflow: hidden; }
  .slant.key { color: var(--key); font-weight: 600; }
  .picture { position: relative; }
  .rows { position: absolute; right: 100%; top: 0; padding-right: 8px; display: grid; justify-items: end; width: 74px; }
  .rows span { display: grid; align-items: center; white-space: nowrap; overflow: hidden; max-width: 100%; }
  .rows .query { font-weight: 600; }
  .foot { display: flex; gap: 12px; white-space: nowrap; margin-top: 9px; }
  .row-title { margin: 18px 0 6px; font-weight: 400; color: var(--ink2); }
  .row-title b { font-weight: 600; }
  .row-bars { display: flex; gap: 4px; border-top: 0; overflow-x: auto; padding-top: 2px; }
  .row-bars li { flex: 1 0 56px; max-width: 110px; text-align: center; }
  .row-bars .pair { display: flex; gap: 3px; justify-content: center; align-items: flex-end; height: 102px;
  border-bottom: 1px solid var(--line2); }
  .row-bars i { position: relative; width: 22px; border: 1.5px solid var(--weight); }
  .row-bars i.A { background: var(--weight); }
  .row-bars i span { position: absolute; bottom: 100%; left: -6px; right: -6px; font: normal 11px/14px inherit;
  font-style: normal; color: var(--ink2); }
  .facts { border-collapse: collapse; width: 100%; max-width: 720px; margin: 18px 0 24px; }
  .facts th { text-align: start; font-weight: 400; color: var(--ink2); }
  .facts thead th { font-weight: 600; color: var(--ink); }
  .facts th, .facts td { padding: 4px 6px; border-bottom: 1px solid var(--line); }
  .facts td, .facts thead th:not(:first-child) { text-align: end; }
  @media (pointer: coarse) { .seg button { height: 44px; min-width: 44px; } }
`;
