// SPDX-License-Identifier: Apache-2.0
// What Node imports: without a DOM, as where pages are rendered on a server, the element is left out.
const real = typeof HTMLElement === 'undefined' ? undefined : await import('./element.js');

export const AttentionPlayground = real?.AttentionPlayground;
export const configure = real?.configure ?? (() => undefined);
