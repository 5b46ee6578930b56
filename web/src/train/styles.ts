// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';

/** What every part of the place has in common: groups of rows, buttons, menus. */
export const controlStyles = css`
  .group { display: grid; gap: 6px; padding: 14px 16px; border-bottom: 1px solid var(--line); }
  .row { display: grid; grid-template-columns: 104px minmax(0, 1fr) 60px; gap: 8px; align-items: center;
  min-height: 28px; }
  .row.plain { grid-template-columns: 104px minmax(0, 1fr); }
  .about { line-height: 18px; }
  .group > .link { justify-self: start; }
  .row > input:not([type='range']) { width: 60px; text-align: end; direction: ltr; }
  select { height: 28px; background: var(--raised); border: 1px solid var(--line2); border-radius: 4px; padding: 0 4px;
    min-width: 0; max-width: 100%; }
  .button { min-height: 30px; padding: 0 12px; border: 1px solid var(--line2); border-radius: 4px;
  background: var(--raised); }
  .button:hover:not(:disabled) { background: var(--hover); }
  .bad { color: var(--error); }
  .weight { color: var(--weight); }
  @media (pointer: coarse) { .row, .button, select { min-height: 44px; } .row > input { height: 40px; }
  .link { min-height: 44px; } }
`;

export const placeStyles = css`
  :host { display: grid; grid-template: minmax(0, 1fr) auto / 288px minmax(0, 1fr); min-height: 0; height: 100%;
  grid-column: 1 / -1; }
  :host([narrow]) { grid-template: minmax(0, 1fr) auto / minmax(0, 1fr); }
  .settings { overflow: auto; background: var(--panel); border-inline-end: 1px solid var(--line); grid-row: 1 / -1; }
  .middle { display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); min-width: 0; min-height: 0;
  position: relative; }
  :host([narrow]) .middle { grid-template-rows: auto minmax(0, 1fr); }
  /* Below, room for what may lie over the foot. */
  .scroll { overflow: auto; padding: 20px 24px 56px; min-width: 0; }
  :host([narrow]) .scroll { padding: 12px 14px 64px; }
  .back { position: absolute; inset-inline-end: 24px; bottom: 8px; display: flex; gap: 8px; }
  .back .button { box-shadow: 0 2px 8px rgb(0 0 0 / 18%); }
  .tabs { display: flex; border-bottom: 1px solid var(--line); padding: 0 8px; overflow-x: auto; }
  .tabs button { height: 44px; padding: 0 12px; font-size: 14px; color: var(--ink2);
  border-bottom: 2px solid transparent; white-space: nowrap; }
  .tabs button[aria-pressed='true'] { color: var(--ink); font-weight: 600; border-color: var(--ink); }
  .notice { border: 1px solid var(--line2); border-inline-start: 3px solid var(--ink); border-radius: 4px;
  background: var(--raised); padding: 8px 12px; margin-bottom: 12px; max-width: 640px; display: grid; gap: 6px; }
  .row-of { display: flex; flex-wrap: wrap; gap: 8px; padding-bottom: 8px; }
  .notice .row-of { padding: 0; }
  p.bad { padding-bottom: 8px; max-width: 80ch; }
  .idle { max-width: 60ch; padding-bottom: 8px; }
  [data-part='resumed'], [data-part='fitted'], [data-part='reached'] { padding-bottom: 8px; }
  ap-train-shown, ap-train-curves, ap-train-side, ap-train-runs, ap-train-ablate, ap-train-several,
  ap-train-measures, ap-train-why, ap-train-lengths, ap-train-again, ap-train-held { display: block; }
  .tries li { line-height: 18px; padding: 3px 0; }
  .tries button { text-align: start; white-space: normal; }
  .keeping .button { text-align: center; }
  .file { display: flex; align-items: center; justify-content: center; cursor: pointer; position: relative; }
  .file:focus-within { outline: 2px solid var(--ink); outline-offset: 2px; }
`;

export const mapStyles = css`
  .head { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 8px 16px; align-items: start; }
  .head h2 { font-size: 15px; line-height: 22px; }
  .maps { display: flex; flex-wrap: wrap; gap: 8px 24px; align-items: start; margin: 12px 0 8px; min-height: 120px; }
  :host([narrow]) .maps { margin-top: 4px; }
  .maps figcaption { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; padding-top: 6px;
  padding-inline-start: 74px; }
  :host([narrow]) .maps figcaption { padding-inline-start: 0; }
  .maps figure { max-width: 100%; overflow-x: auto; }
  .maps svg .label { font-size: 13px; fill: var(--ink); }
  .maps svg .number { font-size: 11px; }
  .maps svg :is(.number, .meant, .agrees) { pointer-events: none; }
  .maps rect[data-row] { cursor: pointer; }
  .empty { fill: var(--hover); }
  .means { fill: var(--weight); }
  .meant { fill: none; stroke: var(--weight); stroke-width: 2; }
  .agrees { fill: none; stroke: var(--weight); stroke-width: 1.6; stroke-dasharray: 3 3; }
  .keys { display: inline-flex; flex-wrap: wrap; gap: 8px; align-items: center; }
  .key { display: inline-block; width: 12px; height: 12px; background: var(--weight); }
  .key.line { background: none; border: 2px solid var(--weight); }
  .key.dashed { background: none; border: 1.6px dashed var(--weight); }
  /* Of a moment that is past no weight is set: its place stays, so that nothing below moves. */
  .away { visibility: hidden; }
  .maps figcaption.flush { padding-inline-start: 0; }
  /* As high as the head and the cells of the maps (maps.ts). */
  .wrote { padding-top: 58px; }
  .wrote li { height: 34px; display: flex; gap: 6px; align-items: center; white-space: nowrap; }
  .wrong b { color: var(--error); }
  .looks { display: flex; flex-wrap: wrap; gap: 12px 20px; }
  .looks figcaption { flex-basis: 100%; }
  .look { display: grid; grid-template-columns: auto auto; gap: 4px; font-size: 13px; line-height: 18px; }
  .look p { grid-column: 1 / -1; text-align: center; }
  .in-line { font-size: 14px; line-height: 20px; }
  .numbers { display: flex; flex-wrap: wrap; gap: 8px 28px; padding: 4px 0 8px; }
  .numbers div { display: grid; }
  .numbers b { font-size: 20px; line-height: 26px; font-weight: 600; }
`;

export const curveStyles = css`
  .panel { display: block; overflow: visible; margin-top: 10px; touch-action: pan-y; cursor: ew-resize; max-width: none;
  }
  .panel .title { font-size: 13px; font-weight: 600; fill: var(--ink); }
  .panel .tick { font-size: 11px; fill: var(--ink2); }
  .panel .legend { font-size: 12px; fill: var(--ink2); }
  .panel .bold { font-weight: 600; fill: var(--ink); }
  .grid { stroke: var(--line); fill: none; }
  .line { fill: none; stroke: var(--ink); stroke-width: 1.8; }
  .line.thin { stroke: var(--ink3); stroke-width: 1; }
  .line.other { stroke: var(--line2); stroke-width: 1.4; }
  .line.looks { stroke: var(--weight); }
  .line.dashed { stroke-dasharray: 4 3; }
  .thumb { stroke: var(--ink); stroke-width: 1.4; fill: none; }
  .now { stroke: var(--ink3); stroke-dasharray: 2 3; fill: none; }
  .bands { position: relative; direction: ltr; }
  .bands canvas { position: absolute; left: 0; top: 15px; }
  .bands .panel { position: relative; }
`;

export const barStyles = css`
  :host { display: grid; grid-template-columns: auto auto auto minmax(0, 1fr) auto auto; gap: 8px 10px;
  align-items: center; padding: 8px 24px; border-top: 1px solid var(--line); min-height: 48px; }
  :host([narrow]) { grid-template-columns: auto auto auto minmax(0, 1fr); padding: 4px 14px 8px; gap: 2px 10px; }
  :host([narrow]) input { grid-column: 1 / -1; grid-row: 1; height: 32px; }
  :host([narrow]) .said { grid-column: 1 / -1; grid-row: 3; font-size: 12px; }
  .play { border: 1px solid var(--ink); background: var(--ink); color: var(--background); border-radius: 16px;
  min-width: 84px; height: 32px; padding: 0 14px; display: inline-flex; gap: 6px; align-items: center;
  justify-content: center; }
  .play:disabled { background: none; color: var(--ink3); border-color: var(--line2); }
  @media (pointer: coarse) { .icon, .play { min-height: 44px; min-width: 44px; } .play { border-radius: 22px; }
    input, :host([narrow]) input { height: 44px; } }
`;

const tables = css`
  .wide { overflow-x: auto; }
  table { border-collapse: collapse; font-size: 13px; }
  th { font-weight: 400; text-align: start; }
  thead th { color: var(--ink2); }
`;

export const runStyles = [tables, css`
  :host { padding-top: 18px; }
  h2 { font-size: 13px; padding-bottom: 4px; }
  .says { max-width: 76ch; padding-bottom: 6px; }
  td, th { padding: 4px 12px 4px 0; border-bottom: 1px solid var(--line); }
  .number { text-align: end; }
  .chosen td, .chosen th { background: var(--hover); }
  .row-of { display: flex; flex-wrap: wrap; gap: 8px; padding-top: 8px; }
  tbody .link { min-width: 24px; }
`];

export const severalStyles = [tables, css`
  h2 { font-size: 15px; line-height: 22px; }
  h3 { padding-top: 8px; }
  .axes { display: flex; flex-wrap: wrap; gap: 12px 24px; padding: 10px 0; }
  fieldset { border: 0; padding: 0; margin: 0; display: grid; gap: 6px; align-content: start; min-width: 0;
    max-width: 340px; }
  legend { padding: 0 0 4px; color: var(--ink2); }
  .options { display: grid; max-height: 132px; overflow: auto; border: 1px solid var(--line); border-radius: 4px;
  padding: 4px 8px; }
  .options label { display: flex; gap: 6px; align-items: center; min-height: 24px; }
  .options input { accent-color: var(--ink); }
  .steps { display: grid; gap: 6px; align-content: start; color: var(--ink2); }
  .steps input { width: 72px; height: 28px; }
  .row-of { display: flex; flex-wrap: wrap; gap: 8px; padding-bottom: 10px; }
  .go { font-weight: 600; border-color: var(--ink); }
  .grid td { padding: 4px; vertical-align: top; }
  .grid th { padding: 4px 8px 4px 0; vertical-align: top; }
  .grid thead th { padding-inline-start: 10px; }
  .cell { display: flex; gap: 10px; padding: 6px; border: 2px solid transparent; border-radius: 4px; min-width: 150px;
  min-height: 74px; align-items: start; }
  .cell:hover { background: var(--hover); }
  .cell[aria-pressed='true'] { border-color: var(--ink); }
  .failed { background: repeating-linear-gradient(45deg, transparent 0 5px, var(--hatch) 5px 6px); max-width: 180px; }
  .why { font-size: 11px; line-height: 14px; background: var(--background); }
  .of { display: grid; font-size: 12px; }
  .line { fill: none; stroke: var(--ink); stroke-width: 1.4; }
  .line.looks { stroke: var(--weight); }
  @media (pointer: coarse) { .options label { min-height: 44px; } }
`];

export const heldStyles = css`
  :host { padding-top: 18px; }
  h2 { font-size: 13px; padding-bottom: 4px; }
  .held { display: grid; gap: 4px; }
  .held li { display: flex; flex-wrap: wrap; gap: 0 16px; line-height: 22px; border-bottom: 1px solid var(--line);
  padding-bottom: 4px; }
  .read { flex: 1 1 220px; color: var(--ink2); max-width: 420px; }
  .written { display: flex; flex: 2 1 260px; flex-wrap: wrap; gap: 0 8px; }
  .word { white-space: nowrap; }
`;

export const lengthStyles = [tables, css`
  :host { padding-top: 18px; }
  h2 { font-size: 13px; padding-bottom: 4px; }
  .says { max-width: 76ch; padding-bottom: 6px; }
  .row-of { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; padding-bottom: 8px; }
  .both { display: flex; flex-wrap: wrap; gap: 8px 28px; align-items: start; }
  .lengths { overflow: visible; max-width: 100%; }
  .tick { font-size: 11px; fill: var(--ink2); }
  .grid { stroke: var(--line); fill: none; }
  .one { fill: none; stroke: var(--line2); stroke-width: 1; }
  .mean { fill: none; stroke-width: 2; stroke: var(--ink); }
  .mean.kind1 { stroke: var(--weight); }
  .mean.kind2 { stroke-dasharray: 5 3; }
  td, th { padding: 4px 12px 4px 0; border-bottom: 1px solid var(--line); }
  .number { text-align: end; }
  .key { display: inline-block; width: 16px; height: 0; border-top: 2px solid var(--ink); vertical-align: middle;
  margin-inline-end: 8px; }
  .key.kind1 { border-color: var(--weight); }
  .key.kind2 { border-top-style: dashed; }
`];
