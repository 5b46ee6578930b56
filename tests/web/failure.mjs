// SPDX-License-Identifier: Apache-2.0
// What is left of a case that failed: what the page showed, where it stood, and what the console said.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../build/test/browsers', import.meta.url));
const LOOK = 5_000;

export class Failure {
  constructor(name, page, problem) {
    this.path = `${folder}/${name.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 100)}`;
    this.page = page;
    this.problem = problem;
  }

  /** The problem, with the names of the files that tell more; a browser that does not answer cannot hold it up. */
  async kept() {
    const problem = this.problem instanceof Error ? this.problem : new Error(String(this.problem));
    if (!this.page) return problem;
    mkdirSync(folder, { recursive: true });
    const soon = (promise) => Promise.race([promise, new Promise((done) => setTimeout(done, LOOK))])
      .catch(() => undefined);
    const state = await soon(this.page.run(`
      const store = document.querySelector('attention-playground')?.store;
      return { address: location.href, document: store?.documents.document, error: store?.sessions.error,
        busy: store?.sessions.busy };`));
    await soon(this.page.driver.screenshot({ path: `${this.path}.png` }));
    const { log, errors, foreign } = this.page;
    writeFileSync(`${this.path}.json`,
      JSON.stringify({ problem: problem.stack, state, log, errors, foreign }, null, 2));
    problem.message += `\n(see ${this.path}.png and .json)`;
    return problem;
  }
}
