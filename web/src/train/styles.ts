// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';

/** What every part of the place has in common: groups of rows, buttons, menus. */
export const controlStyles = css`
  .group { display: grid; gap: var(--space-3); padding: var(--space-7) var(--space-8);
    border-bottom: 1px solid var(--line); }
  .row { display: grid; grid-template-columns: 104px minmax(0, 1fr) 60px; gap: var(--space-4); align-items: center;
  min-height: var(--control); }
  .link { min-height: var(--press); }
  .row.plain { grid-template-columns: 104px minmax(0, 1fr); }
  .about { line-height: var(--leading); }
  .group > .link { justify-self: start; }
  .row > input:not([type='range']) { width: 60px; text-align: end; direction: ltr; }
  .bad { color: var(--error); }
  .weight { color: var(--weight); }
  @media (pointer: coarse) { .row > input { height: 40px; } }
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
  .scroll { overflow: auto; padding: var(--space-10) var(--space-12) 56px; min-width: 0;
    --lesson-edge: 0px; --lesson-below: var(--space-8); }
  :host([narrow]) .scroll { padding: var(--space-6) var(--space-7) 64px; }
  .back { position: absolute; inset-inline-end: 24px; bottom: 8px; display: flex; gap: var(--space-4); }
  .back .button { box-shadow: 0 2px 8px rgb(0 0 0 / 18%); }
  .tabs { display: flex; border-bottom: 1px solid var(--line); padding: 0 var(--space-4); overflow-x: auto; }
  .tabs button { height: 44px; min-width: 44px; padding: 0 var(--space-4); font-size: var(--text-read);
  color: var(--ink2); border-bottom: 2px solid transparent; white-space: nowrap; }
  .tabs button[aria-pressed='true'] { color: var(--ink); font-weight: 600; border-color: var(--ink); }
  .notice { border: 1px solid var(--line2); border-inline-start: 3px solid var(--ink); border-radius: var(--radius);
    background: var(--raised); padding: var(--space-4) var(--space-6); margin-bottom: var(--space-6); max-width: 640px;
    display: grid; gap: var(--space-3); }
  .row-of { display: flex; flex-wrap: wrap; gap: var(--space-4); padding-bottom: var(--space-4); }
  .notice .row-of { padding: 0; }
  p.bad { padding-bottom: var(--space-4); max-width: 80ch; }
  .idle { max-width: 110ch; padding-bottom: var(--space-4); }
  [data-part='resumed'], [data-part='fitted'], [data-part='reached'] { padding-bottom: var(--space-4); }
  ap-train-shown, ap-train-curves, ap-train-side, ap-train-runs, ap-train-ablate, ap-train-several,
  ap-train-measures, ap-train-why, ap-train-lengths, ap-train-again, ap-train-held { display: block; }
  .tries li { line-height: var(--leading); padding: var(--space-2) 0; }
  .tries button { text-align: start; white-space: normal; }
`;

export const mapStyles = css`
  .head { display: flex; flex-wrap: wrap; justify-content: space-between; gap: var(--space-4) var(--space-8);
    align-items: start; }
  .head h2 { font-size: var(--text-title); line-height: var(--leading-title); }
  .maps { display: flex; flex-wrap: wrap; gap: var(--space-4) var(--space-12); align-items: start;
    margin: var(--space-6) 0 var(--space-4); min-height: 120px; }
  :host([narrow]) .maps { margin-top: var(--space-2); }
  .maps figcaption { display: flex; flex-wrap: wrap; gap: var(--space-4); align-items: center;
    padding-top: var(--space-3); padding-inline-start: 74px; }
  :host([narrow]) .maps figcaption { padding-inline-start: 0; }
  .maps figure { max-width: 100%; overflow-x: auto; }
  .maps ap-heat { --framed: var(--weight); }
  .keys { display: inline-flex; flex-wrap: wrap; gap: var(--space-4); align-items: center; }
  .key { display: inline-block; width: 12px; height: 12px; background: var(--weight); }
  .key.line { background: none; border: 2px solid var(--weight); }
  .key.dashed { background: none; border: 1.6px dashed var(--weight); }
  /* Of a moment that is past no weight is set: its place stays, so that nothing below moves. */
  .away { visibility: hidden; }
  .maps figcaption.flush { padding-inline-start: 0; }
  /* As high as the cells of the maps (maps.ts). */
  .wrote li { height: 34px; display: flex; gap: var(--space-3); align-items: center; white-space: nowrap; }
  .wrong b { color: var(--error); }
  .looks { display: flex; flex-wrap: wrap; gap: var(--space-6) var(--space-10); }
  .looks figcaption { flex-basis: 100%; }
  .look { display: grid; grid-template-columns: auto auto; gap: var(--space-2); font-size: var(--text);
    line-height: var(--leading); }
  .look p { grid-column: 1 / -1; text-align: center; }
  .in-line { font-size: var(--text-read); line-height: var(--leading-read); }
  .numbers { display: flex; flex-wrap: wrap; gap: var(--space-4) var(--space-14);
    padding: var(--space-2) 0 var(--space-4); }
  .numbers div { display: grid; }
  .numbers b { font-size: var(--text-figure); line-height: var(--leading-figure); font-weight: 600; }
`;

export const curveStyles = css`
  .panel { display: block; overflow: visible; margin-top: var(--space-5); touch-action: pan-y; cursor: ew-resize;
    max-width: none; }
  .panel .title { font-size: var(--text); font-weight: 600; fill: var(--ink);
    paint-order: stroke; stroke: var(--background); stroke-width: 5px; }
  .panel .tick { font-size: var(--text-mark); fill: var(--ink2); }
  .panel .legend { font-size: var(--text-note); fill: var(--ink2); }
  .panel .bold { font-weight: 600; fill: var(--ink); }
  .grid { stroke: var(--line); fill: none; }
  .line { fill: none; stroke: var(--ink); stroke-width: 1.8; }
  .line.thin { stroke: var(--ink3); stroke-width: 1; }
  .line.other { stroke: var(--line2); stroke-width: 1.4; }
  .line.looks { stroke: var(--weight); }
  .line.dashed { stroke-dasharray: 4 3; }
  .thumb { stroke: var(--ink); stroke-width: 1.4; fill: none; }
  .now { stroke: var(--ink3); stroke-dasharray: 2 3; fill: none; }
  .bands { position: relative; direction: ltr; width: fit-content; }
  .bands canvas { position: absolute; left: 0; top: 15px; }
  .bands .panel { position: relative; }
`;

export const barStyles = css`
  :host { display: grid; grid-template-columns: auto auto auto minmax(0, 1fr) auto auto;
    gap: var(--space-4) var(--space-5); align-items: center; padding: var(--space-4) var(--space-12);
    border-top: 1px solid var(--line); min-height: 48px; }
  :host([narrow]) { grid-template-columns: auto auto auto minmax(0, 1fr);
    padding: var(--space-2) var(--space-7) var(--space-4); gap: var(--space-1) var(--space-5); }
  :host([narrow]) input { grid-column: 1 / -1; grid-row: 1; height: 32px; }
  :host([narrow]) .said { grid-column: 4; grid-row: 2; font-size: var(--text-note); }
  :host([narrow]) select { grid-column: 1 / -1; grid-row: 3; padding-inline: var(--space-4); }
  .play { border: 1px solid var(--ink); background: var(--ink); color: var(--background);
    border-radius: var(--radius-round); min-width: 84px; height: var(--control-large); padding: 0 var(--space-7);
    display: inline-flex; gap: var(--space-3); align-items: center; justify-content: center; }
  :host([narrow]) .play { min-width: 0; padding: 0 var(--space-5); }
  .play:disabled { background: none; color: var(--ink3); border-color: var(--line2); }
  @media (pointer: coarse) { input, :host([narrow]) input { height: 44px; } }
`;

/** A part below the curves: its title, what it is for, and what can be pressed. */
export const partStyles = css`
  :host { padding-top: var(--space-8); }
  h2 { font-size: var(--text); padding-bottom: var(--space-2); }
  .says { max-width: 76ch; padding-bottom: var(--space-3); }
`;

const tables = css`
  .wide { overflow-x: auto; }
  table { border-collapse: collapse; font-size: var(--text); }
  th { font-weight: 400; text-align: start; }
  thead th { color: var(--ink2); }
`;

export const runStyles = [partStyles, tables, css`
  td, th { padding: var(--space-2) var(--space-6) var(--space-2) 0; border-bottom: 1px solid var(--line); }
  .number { text-align: end; }
  .chosen td, .chosen th { background: var(--hover); }
  .row-of { display: flex; flex-wrap: wrap; gap: var(--space-4); padding-top: var(--space-4); }
  tbody .link { min-width: 24px; }
`];

export const severalStyles = [tables, css`
  h2 { font-size: var(--text-title); line-height: var(--leading-title); }
  h3 { padding-top: var(--space-4); }
  .axes { display: flex; flex-wrap: wrap; gap: var(--space-6) var(--space-12); padding: var(--space-5) 0; }
  fieldset { border: 0; padding: 0; margin: 0; display: grid; gap: var(--space-3); align-content: start; min-width: 0;
    max-width: 340px; }
  legend { padding: 0 0 var(--space-2); color: var(--ink2); }
  .options { display: grid; max-height: 132px; overflow: auto; border: 1px solid var(--line);
    border-radius: var(--radius); padding: var(--space-2) var(--space-4); }
  .options[hidden] { display: none; }
  .options label { display: flex; gap: var(--space-3); align-items: center; min-height: var(--press); }
  .options input { accent-color: var(--ink); }
  .steps { max-width: 260px; }
  .steps, .steps label { display: grid; gap: var(--space-3); align-content: start; color: var(--ink2); }
  .steps input { width: 72px; }
  .row-of { display: flex; flex-wrap: wrap; gap: var(--space-4); padding-bottom: var(--space-5); }
  .go { font-weight: 600; border-color: var(--ink); }
  .grid td { padding: var(--space-2); vertical-align: top; }
  .grid th { padding: var(--space-2) var(--space-4) var(--space-2) 0; vertical-align: top; }
  .grid thead th { padding-inline-start: var(--space-5); }
  .cell { display: flex; gap: var(--space-5); padding: var(--space-3); border: 2px solid transparent;
    border-radius: var(--radius); min-width: 150px; min-height: 74px; align-items: start; }
  .cell:hover { background: var(--hover); }
  .cell[aria-pressed='true'] { border-color: var(--ink); }
  .failed { background: repeating-linear-gradient(45deg, transparent 0 5px, var(--hatch) 5px 6px); max-width: 180px; }
  .why { font-size: var(--text-mark); line-height: var(--leading-mark); background: var(--background); }
  .of { display: grid; font-size: var(--text-note); }
  .line { fill: none; stroke: var(--ink); stroke-width: 1.4; }
  .line.looks { stroke: var(--weight); }
  .curve { display: inline-flex; gap: var(--space-3); align-items: center; margin-inline-end: var(--space-6); }
  .spread { margin: var(--space-5) 0; }
  .spread caption { text-align: start; font-weight: 600; padding-bottom: var(--space-2); }
  .spread :is(th, td) { padding: var(--space-2) var(--space-6) var(--space-2) 0; text-align: start; }
  .spread thead th { color: var(--ink2); font-weight: 400; vertical-align: bottom; }
  .spread .number { text-align: end; }
  .progress { align-items: center; }
  .progress progress { width: min(240px, 100%); height: 8px; accent-color: var(--ink); }
`];

export const heldStyles = [partStyles, css`
  .held { display: grid; gap: var(--space-2); }
  .held li { display: flex; flex-wrap: wrap; gap: 0 var(--space-8); line-height: var(--leading-title);
    border-bottom: 1px solid var(--line); padding-bottom: var(--space-2); }
  .read { flex: 1 1 220px; color: var(--ink2); max-width: 420px; }
  .written { display: flex; flex: 2 1 260px; flex-wrap: wrap; gap: 0 var(--space-4); }
  .word { white-space: nowrap; }
`];

export const lengthStyles = [partStyles, tables, css`
  .row-of { display: flex; flex-wrap: wrap; gap: var(--space-4) var(--space-6); align-items: center;
    padding-bottom: var(--space-4); }
  .both { display: flex; flex-wrap: wrap; gap: var(--space-4) var(--space-14); align-items: start; }
  .lengths { overflow: visible; max-width: 100%; }
  .tick { font-size: var(--text-mark); fill: var(--ink2); }
  .grid { stroke: var(--line); fill: none; }
  .one { fill: none; stroke: var(--line2); stroke-width: 1; }
  .mean { fill: none; stroke-width: 2; stroke: var(--ink); }
  .mean.kind1, .mean.kind3, .mean.kind5 { stroke: var(--weight); }
  .mean.kind2, .mean.kind3 { stroke-dasharray: 5 3; }
  .mean.kind4, .mean.kind5 { stroke-dasharray: 1.5 3; }
  td, th { padding: var(--space-2) var(--space-6) var(--space-2) 0; border-bottom: 1px solid var(--line); }
  .number { text-align: end; }
  .key { display: inline-block; width: 16px; height: 0; border-top: 2px solid var(--ink); vertical-align: middle;
  margin-inline-end: var(--space-4); }
  .key.kind1, .key.kind3, .key.kind5 { border-color: var(--weight); }
  .key.kind2, .key.kind3 { border-top-style: dashed; }
  .key.kind4, .key.kind5 { border-top-style: dotted; }
`];
