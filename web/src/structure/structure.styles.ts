// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';

export const structureStyles = css`
  :host { display: block; margin: var(--space-2) 0 var(--space-6); min-width: 0; }
  /* Where it goes on beyond an edge, that edge has a shade. */
  .scroll { overflow: auto; max-height: min(60vh, 520px); padding: var(--space-2); margin: 0 calc(-1 * var(--space-2));
    scrollbar-width: thin; scrollbar-color: var(--line2) transparent;
    --shade: color-mix(in srgb, var(--ink) 26%, transparent);
    background:
      linear-gradient(to right, var(--background) 40%, transparent) 0 0 / 40px 100% no-repeat local,
      linear-gradient(to left, var(--background) 40%, transparent) 100% 0 / 40px 100% no-repeat local,
      linear-gradient(var(--background) 40%, transparent) 0 0 / 100% 40px no-repeat local,
      linear-gradient(to top, var(--background) 40%, transparent) 0 100% / 100% 40px no-repeat local,
      linear-gradient(to right, var(--shade), transparent) 0 0 / 12px 100% no-repeat scroll,
      linear-gradient(to left, var(--shade), transparent) 100% 0 / 12px 100% no-repeat scroll,
      linear-gradient(var(--shade), transparent) 0 0 / 100% 12px no-repeat scroll,
      linear-gradient(to top, var(--shade), transparent) 0 100% / 100% 12px no-repeat scroll;
  }
  .sheet { position: relative; transform-origin: 0 0; }
  .frame.began { border-left: 1px dashed var(--line); border-start-start-radius: 0; border-end-start-radius: 0; }
  .frame.goeson { border-right: 1px dashed var(--line); border-start-end-radius: 0; border-end-end-radius: 0; }
  /* The large picture is joined to its box. */
  .stem { position: absolute; background: var(--hover); border: 1px solid var(--ink); border-width: 0 1px; }
  .beside { position: relative; padding-bottom: var(--space-5); }
  .large { position: relative; border: 1px solid var(--ink); border-radius: var(--radius-large);
    padding: var(--space-5) var(--space-6) var(--space-2); background: var(--background); min-width: 0; }
  .large header { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-7); align-items: baseline;
    margin-bottom: var(--space-5); }
  .large h2 { margin: 0; }
  .ends b { font-weight: 600; }
  .ends .query { color: var(--query); }
  .ends .key { color: var(--key); }
  .ends .value { color: var(--value); }
  svg { position: absolute; inset: 0; overflow: visible; pointer-events: none; }
  svg path { fill: none; stroke: var(--ink3); stroke-width: 1.2; }
  svg .query { stroke: var(--query); }
  svg .key { stroke: var(--key); }
  svg .value { stroke: var(--value); }
  svg .lit { stroke-width: 2.4; }
  svg .later { stroke-dasharray: 4 3; }
  svg .hit { stroke: transparent; stroke-width: 12; pointer-events: stroke; cursor: pointer; }
  svg text { direction: ltr; font-size: var(--text-mark); font-weight: 600; paint-order: stroke; stroke-width: 3px; }
  svg .flag { font-weight: 400; fill: var(--ink2); stroke: var(--background); pointer-events: all; }
  svg tspan { stroke: var(--background); }
  svg tspan.query { fill: var(--query); stroke: var(--background); }
  svg tspan.key { fill: var(--key); stroke: var(--background); }
  svg tspan.value { fill: var(--value); stroke: var(--background); }
  .frame { position: absolute; border: 1px solid var(--line2); border-radius: var(--radius-large);
    background: var(--panel); }
  .named { position: absolute; height: 22px; padding: 0 var(--space-4); overflow: hidden; text-overflow: ellipsis;
    white-space: nowrap; font-size: var(--text-note); color: var(--ink2); text-align: start;
    /* A wire's letters end before the title, not in it. */
    background: var(--panel); }
  .named:hover { color: var(--ink); }
  .named b { color: var(--ink); }
  .node {
    position: absolute; min-height: var(--finger); display: flex; flex-direction: column; align-items: center;
    justify-content: center;
    gap: var(--space-1); padding: var(--space-1) var(--space-3); overflow: hidden;
    border: 1px solid var(--line2); border-radius: var(--radius); background: var(--raised);
    line-height: var(--leading-note); font-size: var(--text-note);
    text-align: center;
  }
  .node:hover { background: var(--hover); border-color: var(--ink3); }
  .node.input { border-style: dashed; background: var(--background); }
  .node[aria-current] { border-color: var(--ink); box-shadow: inset 0 0 0 1px var(--ink); }
  .node b, .node small { max-width: 100%; overflow: hidden; text-overflow: ellipsis; overflow-wrap: anywhere; }
  .node b { font-weight: 600; }
  .node small { font-size: var(--text-mark); color: var(--ink2); }
  .node small.key { color: var(--key); }
  .node small.value { color: var(--value); }
  /* It gives what is said in the box that is pointed at, or takes it. */
  .node.near { border-color: var(--key); box-shadow: inset 0 0 0 1px var(--key); }
  .help { margin-bottom: var(--space-4); }
  /* Also over the names beside a large map, which stay in sight. */
  .under { position: relative; z-index: 5; height: 0; pointer-events: none; }
  .small { position: absolute; top: 4px; inset-inline-start: 0; max-width: 100%; display: flex; flex-wrap: wrap;
    gap: var(--space-2) var(--space-10); align-items: flex-start; padding: var(--space-4) var(--space-6);
    background: var(--raised); border: 1px solid var(--line2); border-radius: var(--radius-large);
    box-shadow: 0 4px 20px rgb(0 0 0 / 16%); }
  .small figure { margin: 0; font-size: var(--text-note); }
  .small figcaption { max-width: 160px; margin-top: var(--space-2); }
  .small ap-bounded { display: contents; }
`;
