// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';

export const flowStyles = css`
  :host { direction: ltr; display: block; padding: 8px 24px 24px; position: relative; }
  .geometry { position: relative; margin: 0 auto 12px 0; }
  .beside { display: flex; flex-wrap: wrap; gap: 8px 36px; align-items: flex-start; }
  .beside > .geometry { flex: none; }
  .beside ap-map-row { flex: 1 1 320px; min-width: 0; }
  .geometry > *, .geometry > ap-chosen > * { position: absolute; }
  .geometry > ap-chosen { display: contents; }
  .arrows { inset: 0; pointer-events: none; overflow: visible; }
  .arrows path { fill: none; stroke: var(--ink3); stroke-width: 1.2; }
  .arrows .q { stroke: var(--query); }
  .arrows .k { stroke: var(--key); }
  .place { line-height: 16px; }
  .place ap-matrix, .place ap-lines { display: block; }
  .cap { position: absolute; bottom: 100%; padding-bottom: 7px; white-space: nowrap; pointer-events: none; }
  .foot { padding-top: 9px; white-space: nowrap; }
  .foot ap-legend { margin-top: 9px; }
  .title { font-weight: 600; }
  .slope { pointer-events: auto; min-width: 24px; height: 24px; margin: -4px 0 -4px 4px; border-radius: 4px;
  text-align: center; color: var(--ink2); font-weight: 400; font-style: italic; }
  .slope svg { width: 14px; height: 14px; vertical-align: -2px; }
  .slope:hover { background: var(--hover); color: var(--ink); }
  .slope[aria-pressed='true'] { background: var(--ink); color: var(--background); }
  .title ap-math { font-weight: 400; }
  .unreached { visibility: hidden; }
  .later .foot, .later .cap { opacity: 0.45; }
  .rows { display: grid; justify-items: end; align-content: start; }
  .rows span { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; max-width: 100%; }
  .rows span.query, .rows span.value, .slant.key { font-weight: 600; }
  .small span { font-size: 12px; color: var(--ink2); }
  .small span.value { color: var(--value); }
  .slant {
    transform-origin: 0 100%; transform: translateY(-100%) rotate(-50deg); white-space: nowrap;
    line-height: 14px; color: var(--ink2); pointer-events: none;
  }
  .slant.key { color: var(--key); }
  .lonely { position: absolute; font-size: 12px; color: var(--ink2); white-space: nowrap; background: var(--background);
  }
  .sheet { overflow: auto; }
  .slice { display: inline-flex; gap: 6px; align-items: center; font-size: 12px; margin-inline-start: 10px; }
  .slice input { width: 52px; height: 24px; border: 1px solid var(--line2); border-radius: 4px;
  background: var(--raised); }
  .views { display: flex; justify-content: flex-end; align-items: center; gap: 10px; }
  .under .views { justify-content: flex-start; flex-wrap: wrap; gap: 6px 10px; }
  .switch { z-index: 2; }
  .geometry > ap-margin { left: 0; top: 0; }
  .how { border: 1px solid var(--line2); border-radius: 4px; background: var(--raised); padding: 0 10px;
  height: 28px; white-space: nowrap; }
  .how:hover { background: var(--hover); }
  .seg { display: inline-flex; border: 1px solid var(--line2); border-radius: 4px; overflow: hidden;
  background: var(--background); }
  .seg button { padding: 0 11px; height: 26px; color: var(--ink2); }
  .seg button + button { border-inline-start: 1px solid var(--line); }
  .seg button[aria-pressed='true'] { background: var(--ink); color: var(--background); font-weight: 600; }
  .seg button:hover:not([aria-pressed='true']) { background: var(--hover); }
  .seg button:focus-visible { outline-offset: -3px; }
  .below { display: flex; flex-wrap: wrap; gap: 20px 44px; margin: 4px 0 28px; align-items: flex-start; }
  ap-heads { flex: 1 1 340px; max-width: 560px; }
  ap-measures { flex: 1 1 260px; max-width: 340px; }
  section { border-top: 1px solid var(--line); padding: 16px 0 20px; }
  .many { display: flex; flex-wrap: wrap; gap: 20px 36px; margin-top: 12px; }
  ap-bounded { display: contents; }
  figure figcaption { margin-bottom: 6px; display: flex; gap: 8px; align-items: baseline; flex-wrap: wrap;
    max-width: 280px; }
  /* A long formula stays within its own caption; the card has it whole. */
  figure figcaption ap-math { max-width: 280px; overflow: hidden; }
  figure ap-legend { margin-top: 8px; }
  .listed { margin: 4px 0 10px; }
  .listed summary { font-weight: 400; font-size: 13px; }
  .listed table { border-collapse: collapse; font-size: 12px; }
  .listed th, .listed td { padding: 3px 14px 3px 0; text-align: end; border-bottom: 1px solid var(--line);
  font-weight: 400; white-space: nowrap; }
  .listed th:first-child { text-align: start; }
  .listed tfoot th, .listed tfoot td { font-weight: 600; border: 0; }
  section.large { border: 0; padding: 0 0 24px; }
  .largehead { display: flex; align-items: center; gap: 12px; }
  .largehead .icon { margin-inline-start: auto; }
  .structure { margin-bottom: 10px; }
  .structure > summary { font-weight: 400; font-size: 13px; }
  summary { cursor: pointer; min-height: 24px; font-weight: 600; }
  summary .note { font-weight: 400; }
  .tablehead { display: flex; align-items: center; justify-content: space-between; max-width: 560px; }
  .busy { position: absolute; left: 0; right: 0; top: 0; height: 2px; background: var(--ink); opacity: 0; }
  .dim .geometry, .dim .below { opacity: 0.5; }
  .dim + .busy { opacity: 1; }
  .warn { display: flex; flex-direction: column; gap: 4px; margin-bottom: 12px; color: var(--ink2); }
  .pager { display: flex; align-items: center; gap: 4px; margin-inline-start: auto; }
  .pager b { font-weight: 600; }
  .narrow .views { justify-content: space-between; margin-bottom: 8px; flex-wrap: wrap; }
  .narrow .seg button { height: 44px; padding: 0 9px; }
  .pager .icon { min-width: 32px; height: 44px; }
  .narrow h2 { font-size: 14px; margin: 4px 0 10px; }
  :host([narrow]) { padding: 8px 14px 24px; }
  @media (pointer: coarse) { .seg button, .how { min-height: 44px; }
  .slope { min-width: 44px; height: 44px; margin-block: -14px; } }
`;
