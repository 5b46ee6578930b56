// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';

// header: What a finger presses may reach beyond the head: nothing below it moves.
// .feed: Strips of all rows begin at one line, however long a name is.
export const cardStyles = css`
  :host { display: block; padding: var(--space-6) var(--space-8) var(--space-12); }
  header { display: flex; align-items: center; gap: var(--space-3); min-height: 28px;
    margin-block: calc((28px - var(--control)) / 2); }
  h2 { font-size: var(--text-title); line-height: var(--leading-title); flex: 1; min-width: 0;
    overflow-wrap: anywhere; }
  h2 em { font-style: italic; }
  .now { display: flex; align-items: baseline; gap: var(--space-6); flex-wrap: wrap; padding-bottom: var(--space-6); }
  .big { font-size: var(--text-large); line-height: var(--leading-large); font-weight: 600; }
  .set { width: 110px; height: 36px; font-size: var(--text-figure); }
  section { border-top: 1px solid var(--line); padding: var(--space-5) 0 var(--space-6); }
  ap-told { display: block; }
  ap-told[stale] { visibility: hidden; }
  h3 { font-weight: 400; color: var(--ink2); margin-bottom: var(--space-3); display: flex; gap: var(--space-3);
    align-items: baseline; }
  .made { margin-top: var(--space-4); display: grid; gap: var(--space-2); }
  .fraction { margin-top: var(--space-6); }
  .over, .under { direction: ltr; position: relative; height: 18px; }
  .over { border-bottom: 2px solid var(--ink); height: 21px; }
  .under { margin-top: var(--space-2); }
  .over i { position: absolute; top: 0; height: 18px; background: var(--weight); }
  .under { display: block; width: 100%; }
  .under rect { fill: var(--line2); }
  .under .chosen { fill: var(--weight); }
  .under path { stroke: var(--panel); vector-effect: non-scaling-stroke; }
  .under .lit { fill: none; stroke: var(--ink); stroke-width: 2; vector-effect: non-scaling-stroke; }
  .over span { position: absolute; top: 0; font-size: var(--text-note); color: var(--ink2); }
  .over span.within { color: var(--background); }
  .names { direction: ltr; position: relative; height: 18px; font-size: var(--text-note); color: var(--ink2); }
  .names span { position: absolute; transform: translateX(-50%); white-space: nowrap; }
  .names .weight { font-weight: 600; color: var(--weight); }
  .feed { display: grid; grid-template-columns: minmax(84px, 1fr) minmax(64px, 130px) minmax(56px, auto);
    gap: var(--space-1) var(--space-5);
    align-items: center; min-height: 26px; }
  .feed > .note:last-child, .feed > span:nth-child(3) { text-align: end; }
  .feed button { text-align: start; overflow-wrap: anywhere; }
  .strip { direction: ltr; position: relative; height: 14px; max-width: 130px; cursor: pointer;
    --wide: calc(100% / var(--cells));
    mask: repeating-linear-gradient(90deg, #000 0 calc(var(--wide) - 1px), transparent 0 var(--wide)); }
  .strip i { position: absolute; inset-block: 0; left: calc(var(--lit) * var(--wide)); width: var(--wide);
    box-shadow: inset 0 0 0 2px var(--ink); }
  .strip.slope { grid-column: 2; }
  .feed .d { grid-column: 1; text-align: end; }
  .follows { display: inline-flex; gap: var(--space-2); align-items: center; }
  .follows svg { width: 14px; height: 14px; }
  .mech { padding: var(--space-5) 0; }
  .mech .hint { margin: 0; }
  .mech h3 { color: var(--ink); font-weight: 600; }
  .mech li { padding: var(--space-1) 0; }
  .mech dl div { border-bottom: 1px solid var(--line); padding: var(--space-2) 0; }
  .mech dl div:last-child { border: 0; padding-bottom: 0; }
  .mech b { font-weight: 600; }
  .mech a { color: inherit; text-underline-offset: 3px; display: inline-flex; align-items: center; min-height: 24px; }
  .mech .aside { margin-top: var(--space-2); padding-inline-start: var(--space-4);
    border-inline-start: 2px solid var(--line2); }
  .hint { font-size: var(--text-read); line-height: var(--leading-read); color: var(--ink2);
    margin: var(--space-1) 0 var(--space-6); }
  .cut svg { width: 100%; overflow: visible; }
  .cut text { font-size: var(--text-mark); fill: var(--ink2); text-anchor: middle; }
  .cut .tau { text-anchor: start; }
  .cut .zero { stroke: var(--line2); }
  .cut .level { stroke: var(--ink); stroke-width: 1.6; stroke-dasharray: 5 3; }
  .cut .whole { fill: var(--line2); }
  .cut .above { fill: var(--weight); opacity: 0.6; }
  .cut .chosen .above { opacity: 1; }
  .cut .frame { fill: none; stroke: var(--ink); stroke-width: 1; }
  .cut .chosen .frame { stroke-width: 2; }
  .under-bars { direction: ltr; display: flex; margin-right: 34px; text-align: center; font-size: var(--text-note); }
  .under-bars li { flex: 1; min-width: 0; display: grid; }
  .under-bars span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--ink2); }
  .under-bars b { font-weight: 600; color: var(--weight); }
  .under-bars .chosen span { color: var(--key); font-weight: 600; }
  .cut .note { margin-top: var(--space-2); }
  .gate { display: flex; flex-wrap: wrap; gap: var(--space-2); }
  .gate li { padding: 1px var(--space-3); border: 1px solid var(--line2); border-radius: var(--radius);
    font-size: var(--text-note); }
  .gate .shut { color: var(--ink2); border-style: dashed; text-decoration: line-through; }
  .gate .open { background: var(--hover); }
  .gate .chosen { border-color: var(--ink); }
  .gate .lit { outline: 1.5px solid var(--ink); }
  .draws { border-collapse: collapse; font-size: var(--text-note); }
  .draws th { text-align: start; font-weight: 400; color: var(--ink2); padding-block: 1px;
    padding-inline-end: var(--space-7); }
  .draws td { padding-block: 1px; padding-inline-end: var(--space-7); white-space: nowrap; }
  .draws .p { display: inline-block; height: 10px; background: var(--weight); opacity: 0.6; vertical-align: -1px; }
  .draws .chosen th { color: var(--key); font-weight: 600; }
  .draws .lit { background: var(--hover); }
  .both div { display: flex; justify-content: space-between; padding: var(--space-1) 0; }
  .both dd { font-weight: 600; }
  .bib { overflow-x: auto; user-select: all; }
  .switch { margin-inline-start: auto; }
  .switch[aria-pressed='true'] { font-weight: 600; text-decoration-style: solid; }
`;
