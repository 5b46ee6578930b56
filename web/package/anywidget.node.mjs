// SPDX-License-Identifier: Apache-2.0
// What Node imports: without a DOM, as where pages are rendered on a server, nothing is rendered.
const real = typeof HTMLElement === 'undefined' ? undefined : await import('./anywidget.mjs');

export const render = real?.render ?? (() => () => undefined);
export default { render };
