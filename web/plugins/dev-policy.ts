// SPDX-License-Identifier: Apache-2.0
import type { Plugin } from 'vite';

/**
 * The development server writes the page's style sheet into the page as text, which the policy of the built page
 * forbids. Without this, a page under development has no style sheet and reports an error.
 */
export function devPolicy(): Plugin {
  return {
    name: 'dev-policy',
    apply: 'serve',
    transformIndexHtml: (html) => html.replace("default-src 'self';", "$& style-src 'self' 'unsafe-inline';"),
  };
}
