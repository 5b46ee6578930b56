// SPDX-License-Identifier: Apache-2.0
import type { Plugin } from 'vite';

/**
 * The development server writes the page's style sheet into the page as text, and its client waits for a restart of the
 * server in a worker from a blob. The policy of the built page forbids both: a page under development would have no
 * style sheet, and would not reload after a restart.
 */
export function devPolicy(): Plugin {
  return {
    name: 'dev-policy',
    apply: 'serve',
    transformIndexHtml: (html) => html.replace("default-src 'self';",
      "$& style-src 'self' 'unsafe-inline'; worker-src 'self' blob:;"),
  };
}
