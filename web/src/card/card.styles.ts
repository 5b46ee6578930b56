// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';

export const cardStyles = css`
  :host { display: block; padding: 12px 16px 24px; }
  header { display: flex; align-items: center; gap: 6px; min-height: 28px; }
  h2 { font-size: 15px; flex: 1; min-width: 0; overflow-wrap: anywhere; }
  h2 em { font-style: italic; }
  .now { display: flex; align-items: baseline; gap: 12px; flex-wrap: wrap; padding-bottom: 12px; }
  .big { font-size: 30px; line-height: 36px; font-weight: 600; }
  .set { width: 110px; height: 36px; font-size: 20px; }
  section { border-top: 1px solid var(--line); padding: 10px 0 12px; }
  ap-told { display: block; }
  ap-told[stale] { visibility: hidden; }
  h3 { font-weight: 400; color: var(--ink2); margin-bottom: 6px; display: flex; gap: 6px; align-items: baseline; }
  .made { margin-top: 8px; display: grid; gap: 4px; }
  .fraction { margin-top: 12px; }
  .over, .under { direction: ltr; position: relative; height: 18px; }
  .over { border-bottom: 2px solid var(--ink); height: 21px; }
  .under { margin-top: 3px; }
  .over i { position: absolute; top: 0; height: 18px; background: var(--weight); }
  .under { display: block; width: 100%; }
  .under rect { fill: var(--line2); }
  .under .chosen { fill: var(--weight); }
  .under path { stroke: var(--panel); vector-effect: non-scaling-stroke; }
  .under .lit { fill: none; stroke: var(--ink); stroke-width: 2; vector-effect: non-scaling-stroke; }
  .over span { position: absolute; top: 0; font-size: 12px; color: var(--ink2); }
  .over span.within { color: var(--background); }
  .names { direction: ltr; position: relative; height: 18px; font-size: 12px; color: var(--ink2); }
  .names span { position: absolute; transform: translateX(-50%); white-space: nowrap; }
  .names .weight { font-weight: 600; color: var(--weight); }
  .fraction .note { text-align: end; }
  .feed { display: grid; grid-template-columns: minmax(84px, auto) 1fr auto; gap: 2px 10px; align-items: center;
  min-height: 26px; }
  .feed button { text-align: start; overflow-wrap: anywhere; }
  .strip { display: flex; height: 14px; gap: 1px; max-width: 130px; }
  .strip i { flex: 1; min-width: 1px; }
  .strip i.lit, .strip i:hover { box-shadow: inset 0 0 0 2px var(--ink); }
  .strip.slope { grid-column: 2; }
  .feed .d { grid-column: 1; text-align: end; }
  .follows { display: inline-flex; gap: 4px; align-items: center; }
  .follows svg { width: 14px; height: 14px; }
  .mech { padding: 10px 0; }
  .mech .hint { margin: 0; }
  .mech h3 { color: var(--ink); font-weight: 600; }
  .mech li { padding: 2px 0; }
  .mech dl div { border-bottom: 1px solid var(--line); padding: 5px 0; }
  .mech dl div:last-child { border: 0; padding-bottom: 0; }
  .mech b { font-weight: 600; }
  .mech a { color: inherit; text-underline-offset: 3px; display: inline-block; min-height: 24px; line-height: 24px; }
  .mech .aside { margin-top: 4px; padding-inline-start: 8px; border-inline-start: 2px solid var(--line2); }
  .hint { font-size: 14px; line-height: 20px; color: var(--ink2); margin: 2px 0 12px; }
  .cut svg { width: 100%; overflow: visible; }
  .cut text { font-size: 11px; fill: var(--ink2); text-anchor: middle; }
  .cut .tau { text-anchor: start; }
  .cut .zero { stroke: var(--line2); }
  .cut .level { stroke: var(--ink); stroke-width: 1.6; stroke-dasharray: 5 3; }
  .cut .whole { fill: var(--line2); }
  .cut .above { fill: var(--weight); opacity: 0.6; }
  .cut .chosen .above { opacity: 1; }
  .cut .frame { fill: none; stroke: var(--ink); stroke-width: 1; }
  .cut .chosen .frame { stroke-width: 2; }
  .under-bars { display: flex; margin-right: 34px; text-align: center; font-size: 12px; }
  .under-bars li { flex: 1; min-width: 0; display: grid; }
  .under-bars span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--ink2); }
  .under-bars b { font-weight: 600; color: var(--weight); }
  .under-bars .chosen span { color: var(--key); font-weight: 600; }
  .cut .note { margin-top: 4px; }
  .gate { display: flex; flex-wrap: wrap; gap: 3px; }
  .gate li { padding: 1px 6px; border: 1px solid var(--line2); border-radius: 3px; font-size: 12px; }
  .gate .shut { color: var(--ink2); border-style: dashed; text-decoration: line-through; }
  .gate .open { background: var(--hover); }
  .gate .chosen { border-color: var(--ink); }
  .gate .lit { outline: 1.5px solid var(--ink); }
  .draws { border-collapse: collapse; font-size: 12px; }
  .draws th { text-align: start; font-weight: 400; color: var(--ink2); padding-block: 1px; padding-inline-end: 14px; }
  .draws td { padding-block: 1px; padding-inline-end: 14px; white-space: nowrap; }
  .draws .p { display: inline-block; height: 10px; background: var(--weight); opacity: 0.6; vertical-align: -1px; }
  .draws .chosen th { color: var(--key); font-weight: 600; }
  .draws .lit { background: var(--hover); }
  .both div { display: flex; justify-content: space-between; padding: 2px 0; }
  .both dd { font-weight: 600; }
  .switch { margin-inline-start: auto; }
  .switch[aria-pressed='true'] { font-weight: 600; text-decoration-style: solid; }
`;
