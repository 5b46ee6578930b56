// SPDX-License-Identifier: Apache-2.0
// What a person does to the page: look, point, press, type. Selectors reach through shadow roots.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(new URL('../../web/package.json', import.meta.url));
const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const decoder = JSON.parse(readFileSync(new URL('../../examples/transformer-head.json', import.meta.url), 'utf8'));
const PATIENCE = 60_000;

// Runs in the page: the first (or all) that match a chain of selectors, each inside the last.
const finder = `(chain, all) => {
  const deep = (root, selector) => {
    const found = [...root.querySelectorAll(selector)];
    for (const element of root.querySelectorAll('*')) if (element.shadowRoot) found.push(...deep(element.shadowRoot,
      selector));
    return found;
  };
  let roots = [document];
  for (const selector of chain) {
    roots = roots.flatMap((root) =>
      deep(root, selector).concat(root.shadowRoot ? deep(root.shadowRoot, selector) : []));
  }
  return all ? roots : roots[0];
}`;

// What Firefox says and does by itself: a font whose page was left while it came was given up (NS_BINDING_ABORTED), and
// every site is asked for its icon.
const GIVEN_UP = 'status=2152398850';
const ICON = '/favicon.ico';

export class Page {
  constructor(driver, origin) {
    this.driver = driver;
    this.errors = [];
    this.foreign = [];
    this.sites = [origin];
    this.log = [];
    driver.on('console', (message) => {
      this.log.push(`${message.type()}: ${message.text()}`);
      if (message.type() === 'error' && !message.text().includes(GIVEN_UP)) this.errors.push(message.text());
    });
    driver.on('pageerror', (error) => this.errors.push(String(error.message ?? error)));
    driver.on('request', (request) => {
      const url = request.url();
      const expected = this.sites.some((site) => url.startsWith(site)) || url.endsWith(ICON);
      if (/^https?:|^wss?:/.test(url) && !expected) this.foreign.push(url);
    });
  }

  /** Requests to this site belong to the test, however late they are sent. */
  expect(site) {
    this.sites.push(site);
  }

  async go(url) {
    await this.driver.goto(url);
    await this.settled();
  }

  /** Sets out from a sentence of eight words in a decoder of four heads, with one weight locked: it looks at animal. */
  async decoder() {
    await this.until(`return document.querySelector('attention-playground')?.store`);
    await this.run(`const { store } = document.querySelector('attention-playground'); store.documents.begin(values[0])`,
      decoder);
    await this.settled();
    await this.run(`document.querySelector('attention-playground').store.selection.hold({ group: 'outputs', tensor: `
      + `'weights', index: [0, 5, 1] })`);
    await this.settled();
  }

  // Values come back as JSON, since the drivers differ in how deep they look into objects.
  async run(body, ...values) {
    const text = `(async (find, values) => { ${body} })(${finder}, ${JSON.stringify(
      values)}).then((v) => JSON.stringify(v ?? null))`;
    return JSON.parse(await this.driver.evaluate(text));
  }

  async until(body, ...values) {
    const end = Date.now() + PATIENCE;
    for (;;) {
      const value = await this.run(body, ...values);
      if (value) return value;
      if (Date.now() > end) throw new Error(`waited in vain for: ${body} ${JSON.stringify(values)}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  // Nothing is being computed, fetched or written, and nothing waits to be drawn.
  settled() {
    return this.until(`
      const host = document.querySelector('attention-playground');
      if (!host?.store || host.store.sessions.busy || host.resting === false) return false;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return !host.store.sessions.busy && (host.store.sessions.result || host.store.sessions.error) !== undefined;`);
  }

  /** Goes away once nothing is on its way to the page: what a browser breaks off it calls an error. */
  async leave() {
    await this.until(`const host = document.querySelector('attention-playground'); return host === null || `
      + `host.resting !== false`);
    await this.driver.goto('about:blank');
  }

  /** Lets the page draw so many times: a slow machine takes longer, and is given longer. */
  frames(count) {
    return this.run(`for (let k = 0; k < values[0]; k++) await new Promise((resolve) => `
      + `requestAnimationFrame(resolve))`, count);
  }

  /** Nothing is asked of the network any more; the drivers differ in how they say so. */
  async quiet() {
    if (this.driver.waitForLoadState) await this.driver.waitForLoadState('networkidle');
    else await this.driver.waitForNetworkIdle();
  }

  async spot(...chain) {
    const spot = await this.until(`
      const element = find(values[0]);
      if (!element) return null;
      element.scrollIntoView({ block: 'center', inline: 'center' });
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const box = element.getBoundingClientRect();
      return box.width > 0 ? { x: box.x + box.width / 2, y: box.y + box.height / 2, left: box.x, top: box.y,
        width: box.width, height: box.height } : null;`, chain);
    return spot;
  }

  async click(...chain) {
    const { x, y } = await this.spot(...chain);
    await this.driver.mouse.click(x, y);
    await this.settled();
  }

  async clickText(selector, text) {
    await this.until(`
      for (const old of find(['[data-test-mark]'], true)) old.removeAttribute('data-test-mark');
      const element = find([values[0]], true).find((e) => e.textContent.trim() === values[1]);
      element?.setAttribute('data-test-mark', '');
      return !!element;`, selector, text);
    await this.click('[data-test-mark]');
  }

  async hoverAt(chain, fx, fy) {
    const box = await this.spot(...chain);
    await this.driver.mouse.move(box.left + box.width * fx, box.top + box.height * fy);
    await this.settled();
  }

  async clickAt(chain, fx, fy) {
    const box = await this.spot(...chain);
    await this.driver.mouse.click(box.left + box.width * fx, box.top + box.height * fy);
    await this.settled();
  }

  async press(key) {
    await this.driver.keyboard.press(key);
    await this.settled();
  }

  async chord(modifier, key) {
    await this.driver.keyboard.down(modifier);
    await this.driver.keyboard.press(key);
    await this.driver.keyboard.up(modifier);
    await this.settled();
  }

  // Replaces what stands in a field by typing, and leaves the field.
  async fill(text, ...chain) {
    await this.click(...chain);
    await this.run(`find(values[0]).select?.()`, chain);
    await this.driver.keyboard.type(text);
    await this.driver.keyboard.press('Tab');
    await this.settled();
  }

  document() {
    return this.run(`return document.querySelector('attention-playground').store.documents.document`);
  }

  catalogue() {
    return this.run(`const { store } = document.querySelector('attention-playground'); await store.learn(); return `
      + `store.book.catalogue`);
  }

  text(...chain) {
    return this.run(`return find(values[0])?.textContent.replace(/\\s+/g, ' ').trim()`, chain);
  }

  count(...chain) {
    return this.run(`return find(values[0], true).length`, chain);
  }

  /** The numbers of a tensor's table as the page shows them; null where a cell is masked. */
  async table(name) {
    await this.until(`
      const host = document.querySelector('attention-playground');
      const stop = find([values[0], '.stop']);
      if (host.store.view.table === values[1]) return true;
      stop?.focus();
      return !!stop;`, `ap-matrix[data-tensor="${name}"]`, name);
    if ((await this.run(`return document.querySelector('attention-playground').store.view.table`)) !== name)
      await this.press('t');
    else await this.settled();
    return this.run(`
      const table = find(['section', 'table[data-tensor="' + values[0] + '"]']);
      return [...table.querySelectorAll('tbody tr')].map((row) =>
        [...row.querySelectorAll('td:not(.fact)')].map((cell) =>
          cell.classList.contains('masked') ? null
            : Number((cell.title || cell.textContent).replace('−', '-').replace(',', '.'))));`, name);
  }

  /** Which axes run down and across the table that is open, and where the others are held. */
  tablePlane(name) {
    return this.run(`
      const { plane } = find(['section', 'table[data-tensor="' + values[0] + '"]']).getRootNode().host;
      return { down: plane.rowAxis, across: plane.colAxis, held: plane.held };`, name);
  }

  /** Opens a dialog from the header; some stand in the menu of what can be taken home. */
  async dialog(name) {
    const inMenu = await this.run(`return !find(['ap-header', '[data-dialog="' + values[0] + '"]'], true).length
      && find(['ap-home', '[data-part="home"]'], true).length > 0`, name);
    if (inMenu) await this.click('ap-home', '[data-part="home"]');
    await this.click(inMenu ? 'ap-home' : 'ap-header', `[data-dialog="${name}"]`);
  }

  /** Chooses from a menu of the panel, which opens what stands behind a button where it has to. */
  async choose(path, id) {
    await this.run(`
      if (find(['ap-panel', 'ap-menu[data-path="' + values[0] + '"]'])) return;
      for (const button of find(['ap-panel', '[data-more]'], true)) button.click();
      await find(['ap-panel'])?.updateComplete;`, path);
    await this.click(`ap-menu[data-path="${path}"]`, 'button');
    await this.click(`ap-menu[data-path="${path}"]`, `li[data-id="${id}"]`);
  }

  policyBroken() {
    return this.run(`return globalThis.policyBroken`);
  }

  async axe() {
    await this.driver.evaluate(axeSource);
    return this.run(`
      const { violations } = await axe.run(document, { resultTypes: ['violations'] });
      return violations.map((v) => v.id + ': ' + v.help + ' ' + JSON.stringify(v.nodes.slice(0,
        3).map((n) => [n.target, n.failureSummary])));`);
  }

  close() {
    return this.driver.close();
  }
}
