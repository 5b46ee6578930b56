// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';

export const galleryStyles = css`
  :host { display: grid; grid-template: minmax(0, 1fr) auto / 250px minmax(0, 1fr) 320px; height: 100%; min-height: 0; }
  .facets, .detail { overflow: auto; background: var(--panel); padding: 0 var(--space-8) var(--space-8); }
  .facets { border-inline-end: 1px solid var(--line); }
  .detail { border-inline-start: 1px solid var(--line); padding-top: var(--space-7); }
  .middle { overflow: auto; padding: var(--space-2) var(--space-8) var(--space-8); min-width: 0; }
  .find { position: sticky; top: 0; z-index: 1; background: var(--panel); padding: var(--space-2) 0 var(--space-5); }
  .find input { width: 100%; height: var(--control-large); }
  fieldset { border: 0; margin: 0; padding: var(--space-2) 0 var(--space-4); min-width: 0; }
  legend { padding: 0; font-weight: 600; }
  .value { display: flex; justify-content: space-between; align-items: center; gap: var(--space-4); width: 100%;
    padding: var(--space-1) var(--space-3); margin-inline: calc(-1 * var(--space-3)); border-radius: var(--radius);
    color: inherit; }
  .value:hover { background: var(--hover); }
  .value[aria-pressed='true'] { background: var(--ink); color: var(--background); }
  .value i { font-style: normal; color: var(--ink2); }
  .value[aria-pressed='true'] i { color: inherit; }
  .since select { min-width: 0; }
  .years { display: flex; align-items: end; gap: var(--space-1); height: 84px; direction: ltr; }
  .years button { flex: 1; display: flex; flex-direction: column; justify-content: end; min-width: 14px; height: 100%;
  font-size: var(--text-mark); text-align: center; color: var(--ink2); }
  .years button i { display: block; background: var(--line2); min-height: 1px; }
  .years button:hover i { background: var(--ink3); }
  .years button[aria-pressed='true'] { color: var(--ink); font-weight: 600; }
  .years button[aria-pressed='true'] i { background: var(--ink); }
  .lead { margin: var(--space-3) 0 var(--space-6); }
  .lead b { font-size: var(--text-title); }
  .family { margin: var(--space-7) 0 var(--space-2); display: flex; gap: var(--space-4); align-items: baseline;
    flex-wrap: wrap; }
  ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(200px, 1fr)); gap: var(--space-2); }
  .preset { display: grid; grid-template-columns: 48px minmax(0, 1fr); gap: var(--space-5); align-items: start;
    width: 100%; height: 100%; padding: var(--space-3); border: 2px solid transparent; border-radius: var(--radius); }
  .preset:hover { background: var(--hover); }
  .preset[aria-current], .preset.told { border-color: var(--ink); }
  .preset b { display: block; font-weight: 600; line-height: var(--leading); }
  .preset .note { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; }
  .preset.plain { grid-template-columns: minmax(0, 1fr); }
  .none { padding: var(--space-8) 0; }
  .none .link { display: block; }
  .detail h2 { font-size: var(--text-title); line-height: var(--leading-title); }
  .detail h3 { margin: var(--space-7) 0 var(--space-1); }
  .detail p { margin: var(--space-1) 0; }
  .detail dl { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: var(--space-1) var(--space-5);
    margin: var(--space-2) 0; }
  .detail dt { color: var(--ink2); }
  .detail .picture { margin: var(--space-5) 0; }
  .go { margin-top: var(--space-7); min-height: var(--control-large); padding: 0 var(--space-8);
    border-radius: var(--radius); background: var(--ink); color: var(--background); }
  .foot { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-8);
    justify-content: space-between; align-items: center; padding: var(--space-4) var(--space-10);
    border-top: 1px solid var(--line); }
  label { display: inline-flex; gap: var(--space-3); align-items: center; }
  summary { cursor: pointer; min-height: var(--control-large); padding: var(--space-3) 0; font-weight: 600; }
  @media (max-width: 1000px) {
    :host { grid-template: auto minmax(0, 1fr) auto / minmax(0, 1fr); }
    .facets { max-height: 45dvh; border: 0; padding-bottom: var(--space-2); }
    .middle { padding: var(--space-2) var(--space-7) var(--space-8); }
    .detail { display: none; }
    .detail.chosen { display: block; position: fixed; inset-inline: 0; bottom: 0; max-height: 62dvh; z-index: 2;
    border-top: 1px solid var(--line2); box-shadow: 0 -8px 32px rgb(0 0 0 / 18%); padding-bottom: var(--space-10); }
    .detail [data-shut] { position: sticky; top: 0; float: inline-end; background: var(--panel); z-index: 1; }
    ul { grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); }
  }
  @media (pointer: coarse) {
    .years { overflow-x: auto; }
    .years button { flex: 1 0 var(--finger); }
  }
  .value, label, .link { min-height: var(--press); }
`;
