// SPDX-License-Identifier: Apache-2.0
// On paper the page is as long as it is, without what only a screen can use.
import { css } from 'lit';

const { styleSheet } = css`
  @media print {
    :host { height: auto !important; overflow: visible; }
    .page { display: block; height: auto; }
    .middle, .scroll { display: block; overflow: visible; }
    ap-header, ap-steps, .left, .hint, .hints, .skip { display: none; }
    .right { border: 0; overflow: visible; }
  }
`;

/** Has the page around this element print all of it. */
export function printable(element: Element): void {
  const root = element.getRootNode();
  if (styleSheet && root instanceof ShadowRoot && !root.adoptedStyleSheets.includes(styleSheet))
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, styleSheet];
}
