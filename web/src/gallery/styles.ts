// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';

export const galleryStyles = css`
  :host { display: grid; grid-template: minmax(0, 1fr) auto / 250px minmax(0, 1fr) 320px; height: 100%; min-height: 0; }
  .facets, .detail { overflow: auto; background: var(--panel); padding: 0 16px 16px; }
  .facets { border-inline-end: 1px solid var(--line); }
  .detail { border-inline-start: 1px solid var(--line); padding-top: 14px; }
  .middle { overflow: auto; padding: 4px 16px 16px; min-width: 0; }
  .find { position: sticky; top: 0; z-index: 1; background: var(--panel); padding: 4px 0 10px; }
  .find input { width: 100%; height: 34px; }
  fieldset { border: 0; margin: 0; padding: 4px 0 8px; min-width: 0; }
  legend { padding: 0; font-weight: 600; }
  .value { display: flex; justify-content: space-between; gap: 8px; width: 100%; min-height: 24px; padding: 2px 6px;
  margin-inline: -6px; border-radius: 4px; color: inherit; }
  .value:hover { background: var(--hover); }
  .value[aria-pressed='true'] { background: var(--ink); color: var(--background); }
  .value i { font-style: normal; color: var(--ink2); }
  .value[aria-pressed='true'] i { color: inherit; }
  .years { display: flex; align-items: end; gap: 2px; height: 84px; direction: ltr; }
  .years button { flex: 1; display: flex; flex-direction: column; justify-content: end; min-width: 14px; height: 100%;
  font-size: 11px; text-align: center; color: var(--ink2); }
  .years button i { display: block; background: var(--line2); min-height: 1px; }
  .years button:hover i { background: var(--ink3); }
  .years button[aria-pressed='true'] { color: var(--ink); font-weight: 600; }
  .years button[aria-pressed='true'] i { background: var(--ink); }
  .lead { margin: 6px 0 12px; }
  .lead b { font-size: 16px; }
  .family { margin: 14px 0 4px; display: flex; gap: 8px; align-items: baseline; flex-wrap: wrap; }
  ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(200px, 1fr)); gap: 4px; }
  .preset { display: grid; grid-template-columns: 48px minmax(0, 1fr); gap: 10px; align-items: start; width: 100%;
  height: 100%; padding: 6px; border: 2px solid transparent; border-radius: 6px; }
  .preset:hover { background: var(--hover); }
  .preset[aria-current], .preset.told { border-color: var(--ink); }
  .preset b { display: block; font-weight: 600; line-height: 17px; }
  .preset .note { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; }
  .preset.plain { grid-template-columns: minmax(0, 1fr); }
  .none { padding: 16px 0; }
  .none .link { display: block; }
  .detail h2 { font-size: 16px; line-height: 22px; }
  .detail h3 { margin: 14px 0 2px; }
  .detail p { margin: 2px 0; }
  .detail dl { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 2px 10px; margin: 4px 0; }
  .detail dt { color: var(--ink2); }
  .detail .picture { margin: 10px 0; }
  .go { margin-top: 14px; min-height: 32px; padding: 0 16px; border-radius: 4px; background: var(--ink);
  color: var(--background); }
  .foot { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: 4px 16px; justify-content: space-between;
  align-items: center; padding: 8px 20px; border-top: 1px solid var(--line); }
  label { display: inline-flex; gap: 6px; align-items: center; min-height: 24px; }
  summary { cursor: pointer; min-height: 32px; padding: 6px 0; font-weight: 600; }
  @media (max-width: 1000px) {
    :host { grid-template: auto minmax(0, 1fr) auto / minmax(0, 1fr); }
    .facets { max-height: 45dvh; border: 0; padding-bottom: 4px; }
    .middle { padding: 4px 14px 16px; }
    .detail { display: none; }
    .detail.chosen { display: block; position: fixed; inset-inline: 0; bottom: 0; max-height: 62dvh; z-index: 2;
    border-top: 1px solid var(--line2); box-shadow: 0 -8px 32px rgb(0 0 0 / 18%); padding-bottom: 20px; }
    ul { grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); }
  }
  @media (pointer: coarse) { .value, label, .link, .go, .find input, summary { min-height: 44px; }
  .value { align-items: center; } }
`;
