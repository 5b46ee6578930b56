// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';

export const compareStyles = css`
  :host { display: block; }
  .bar { display: flex; flex-wrap: wrap; gap: var(--space-3) var(--space-7); align-items: center;
    margin-bottom: var(--space-5); }
  .bar .text { margin-inline-start: auto; }
  .hint { font-size: var(--text-read); line-height: var(--leading-read); color: var(--ink2);
    margin-bottom: var(--space-4); }
  /* Maps beside each other have one top and one bottom, however many lines stand above or below one of them. */
  .maps { display: grid; column-gap: var(--space-14); }
  .maps > * { margin-bottom: var(--space-10); }
  .maps figure { display: grid; grid-row: span 4; grid-template-rows: subgrid; grid-template-columns: minmax(0, 1fr); }
  figcaption { min-height: 52px; display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-3);
    align-items: baseline; align-content: flex-start; }
  figcaption b { font-weight: 600; }
  .formula { flex-basis: 100%; min-width: 0; }
  .side { display: inline-grid; place-items: center; width: 18px; height: 18px; border-radius: var(--radius);
  border: 1.5px solid var(--ink); font-style: normal; font-weight: 600; font-size: var(--text-mark); }
  .side.A { background: var(--ink); color: var(--background); }
  .keys { position: relative; height: 52px; }
  .slant { position: absolute; bottom: 0; transform-origin: 0 100%; transform: rotate(-50deg); white-space: nowrap;
  line-height: var(--leading-mark); color: var(--ink2); pointer-events: none; max-width: 70px; overflow: hidden; }
  .slant.key { color: var(--key); font-weight: 600; }
  .picture { position: relative; }
  .rows { position: absolute; right: 100%; top: 0; padding-right: var(--space-4); display: grid; justify-items: end;
    width: 74px; }
  .rows span { display: grid; align-items: center; white-space: nowrap; overflow: hidden; max-width: 100%; }
  .rows .query { font-weight: 600; }
  .foot { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-6);
    white-space: nowrap; margin-top: var(--space-4); }
  .row-title { margin: var(--space-8) 0 var(--space-3); font-weight: 400; color: var(--ink2); }
  .row-title b { font-weight: 600; }
  .row-bars { display: flex; gap: var(--space-2); border-top: 0; overflow-x: auto; padding-top: var(--space-1); }
  .row-bars li { flex: 1 0 56px; max-width: 110px; text-align: center; }
  .row-bars .pair { display: flex; gap: var(--space-2); justify-content: center; align-items: flex-end; height: 102px;
  border-bottom: 1px solid var(--line2); }
  .row-bars i { position: relative; width: 22px; border: 1.5px solid var(--weight); }
  .row-bars i.A { background: var(--weight); }
  .row-bars i span { position: absolute; bottom: 100%; left: -6px; right: -6px; font-size: var(--text-mark);
    line-height: var(--leading-mark); font-style: normal; color: var(--ink2); }
  .facts { border-collapse: collapse; width: 100%; max-width: 720px; margin: var(--space-8) 0 var(--space-12); }
  .facts th { text-align: start; font-weight: 400; color: var(--ink2); }
  .facts thead th { font-weight: 600; color: var(--ink); }
  .facts th, .facts td { padding: var(--space-2) var(--space-3); border-bottom: 1px solid var(--line); }
  .facts td, .facts thead th:not(:first-child) { text-align: end; }
`;
