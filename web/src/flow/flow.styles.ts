// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';

// .said: A formula with a superscript pushes no caption below its neighbours'.
// .hidden: It keeps its height, so that nothing moves while one goes through a menu.
// figure figcaption ap-math: A long formula stays within its own caption, and is scrolled where it is too wide even in
// small letters.
export const flowStyles = css`
  :host { direction: ltr; display: block; padding: var(--space-4) var(--space-12) var(--space-12); position: relative; }
  .geometry { position: relative; margin: 0 auto var(--space-6) 0; }
  .beside { display: flex; flex-wrap: wrap; gap: var(--space-4) var(--space-14); align-items: flex-start; }
  .beside > .geometry { flex: none; }
  .beside ap-map-row { flex: 1 1 320px; min-width: 0; }
  .geometry > *, .geometry > ap-chosen > * { position: absolute; }
  .geometry > ap-chosen { display: contents; }
  .arrows { inset: 0; pointer-events: none; overflow: visible; }
  .arrows path { fill: none; stroke: var(--ink3); stroke-width: 1.2; }
  .arrows .q { stroke: var(--query); }
  .arrows .k { stroke: var(--key); }
  .place { line-height: var(--leading-note); }
  .place ap-matrix, .place ap-lines { display: block; }
  .cap { position: absolute; bottom: 100%; padding-bottom: var(--space-4); white-space: nowrap; pointer-events: none; }
  .foot { padding-top: var(--space-4); white-space: nowrap; }
  .said { display: flex; align-items: center; height: var(--leading-title); margin-top: calc(-1 * var(--space-1)); }
  .said .title { line-height: var(--leading-title); height: var(--leading-title); }
  .foot ap-legend { margin-top: var(--space-3); }
  .title { font-weight: 600; }
  .slope { pointer-events: auto; min-width: var(--press); height: var(--press);
    margin: calc(-1 * var(--space-2)) 0 calc(-1 * var(--space-2)) var(--space-2); border-radius: var(--radius);
    text-align: center; color: var(--ink2); font-weight: 400; font-style: italic; }
  .slope svg { width: 14px; height: 14px; }
  .slope:has(svg) { display: inline-grid; place-items: center; vertical-align: middle; align-self: center; }
  .slope:hover { background: var(--hover); color: var(--ink); }
  .slope[aria-pressed='true'] { background: var(--ink); color: var(--background); }
  .title ap-math { font-weight: 400; }
  .unreached { visibility: hidden; }
  .hidden { visibility: hidden; }
  .hidden slot { visibility: visible; }
  .unfit { position: sticky; top: var(--space-12); height: 0; z-index: 3; }
  .unfit > div { max-width: 480px; padding: var(--space-6) 0; }
  .unfit p { color: var(--ink2); }
  .later .foot, .later .cap { opacity: 0.45; }
  .rows { display: grid; justify-items: end; align-content: start; }
  .rows span, .slant { cursor: pointer; }
  .rows span { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; max-width: 100%; }
  .rows span.query, .rows span.value, .slant.key { font-weight: 600; }
  .small span { font-size: var(--text-note); color: var(--ink2); }
  .small span.value { color: var(--value); }
  .slant {
    transform-origin: 0 100%; transform: translateY(-100%) rotate(-50deg); white-space: nowrap;
    line-height: var(--leading-mark); color: var(--ink2);
  }
  .slant.key { color: var(--key); }
  .lonely { position: absolute; font-size: var(--text-note); color: var(--ink2); white-space: nowrap;
    background: var(--background); }
  .sheet { overflow: auto; background:
      linear-gradient(90deg, var(--background) 50%, transparent) left / 36px 100% no-repeat local,
      linear-gradient(270deg, var(--background) 50%, transparent) right / 36px 100% no-repeat local,
      linear-gradient(90deg, var(--line2), transparent) left / 14px 100% no-repeat scroll,
      linear-gradient(270deg, var(--line2), transparent) right / 14px 100% no-repeat scroll; }
  .sheet::-webkit-scrollbar { height: 10px; width: 10px; }
  .sheet::-webkit-scrollbar-thumb { background: var(--line2); border-radius: var(--radius); }
  .slice { display: inline-flex; gap: var(--space-3); align-items: center; font-size: var(--text-note);
    margin-inline-start: var(--space-5); }
  .slice input { width: 52px; height: var(--control); border: 1px solid var(--line2); border-radius: var(--radius);
  background: var(--raised); }
  .views { display: flex; justify-content: flex-end; align-items: center; gap: var(--space-5); }
  .under .views { justify-content: flex-start; flex-wrap: wrap; gap: var(--space-3) var(--space-5); }
  .switch { z-index: 2; }
  .geometry > ap-margin { left: 0; top: 0; }
  .beside > .after { flex: 1 0 100%; }
  .how { border: 1px solid var(--line2); border-radius: var(--radius); background: var(--raised);
    padding: 0 var(--space-5); height: var(--control); white-space: nowrap; }
  .how:hover { background: var(--hover); }
  .below { display: flex; flex-wrap: wrap; gap: var(--space-10) var(--space-14);
    margin: var(--space-2) 0 var(--space-14); align-items: flex-start; }
  ap-heads { flex: 1 1 340px; max-width: 560px; }
  ap-measures { flex: 1 1 260px; max-width: 340px; }
  section { border-top: 1px solid var(--line); padding: var(--space-8) 0 var(--space-10); }
  .many { display: flex; flex-wrap: wrap; gap: var(--space-10) var(--space-14); margin-top: var(--space-6); }
  ap-bounded { display: contents; }
  figure figcaption { margin-bottom: var(--space-3); display: flex; gap: var(--space-4); align-items: baseline;
    flex-wrap: wrap; }
  .end { white-space: nowrap; }
  figure figcaption ap-math { max-width: 100%; }
  figure ap-legend { margin-top: var(--space-4); }
  .listed { margin: var(--space-2) 0 var(--space-5); }
  .listed summary { font-weight: 400; font-size: var(--text); }
  .listed table { border-collapse: collapse; font-size: var(--text-note); }
  .listed th, .listed td { padding: var(--space-2) var(--space-7) var(--space-2) 0; text-align: end;
    border-bottom: 1px solid var(--line); font-weight: 400; white-space: nowrap; }
  .listed th:first-child { text-align: start; white-space: normal; overflow-wrap: break-word; min-width: 9ch;
    max-width: 24ch; }
  .narrow .listed :is(th, td) { padding-inline-end: var(--space-4); }
  .listed tfoot th, .listed tfoot td { font-weight: 600; border: 0; }
  section.large { border: 0; padding: 0 0 var(--space-12); }
  .largehead { display: flex; align-items: center; gap: var(--space-6); }
  .largehead .icon { margin-inline-start: auto; }
  .structure { margin-bottom: var(--space-5); }
  .structure > summary { font-weight: 400; font-size: var(--text); }
  summary { cursor: pointer; min-height: var(--press); font-weight: 600; align-content: center; }
  summary .note { font-weight: 400; }
  .tablehead { display: flex; align-items: center; justify-content: space-between; max-width: 560px; }
  .busy { position: absolute; left: 0; right: 0; top: 0; height: 2px; background: var(--ink); opacity: 0; }
  .dim .geometry, .dim .below { opacity: 0.5; }
  .dim + .busy { opacity: 1; }
  .warn { display: flex; flex-direction: column; gap: var(--space-2); margin-bottom: var(--space-6);
    color: var(--ink2); }
  .pager { display: flex; align-items: center; gap: var(--space-2); margin-inline-start: auto; }
  .pager b { font-weight: 600; }
  .narrow .views { justify-content: space-between; margin-bottom: var(--space-4); flex-wrap: wrap; }
  .narrow .seg button { min-height: 44px; padding: 0 var(--space-4); }
  .pager .icon { min-width: var(--control-large); height: 44px; }
  .narrow h2 { font-size: var(--text-read); margin: var(--space-2) 0 var(--space-5); }
  :host([narrow]) { padding: var(--space-4) var(--space-7) var(--space-12); }
  @media (pointer: coarse) { .slope { margin-block: calc(-1 * var(--space-7)); } }
`;
