// SPDX-License-Identifier: Apache-2.0
// A browser answers nobody while a task lasts, and a reader notices 50 ms. Tasks are measured in processor time, and a
// busy machine slows the processor too, so a task fails from twice that on. measure_tasks.mjs prints what tasks take.
import { ok } from '../check.mjs';
import { scenes } from '../scenes.mjs';

const LONGEST = 100;

export const tasks = scenes.map(({ name, begin, act }) => ({
  name: `tasks: no task is long: ${name}`,
  only: 'chromium',
  first: true,
  view: { width: 1440, height: 900 },
  async run(page, origin) {
    await page.leave();
    await begin(page, origin);
    const found = await page.driver.workDuring(() => act(page, origin));
    ok(found.length > 10, `${found.length} tasks`);
    const [{ took, work }] = found.toSorted((a, b) => b.took - a.took);
    console.log(`     ${took.toFixed(0)} ms at most`);
    const most = Object.entries(work).filter(([, ms]) => ms > 1).map(([kind, ms]) => `${kind} ${ms.toFixed(0)}`);
    ok(took <= LONGEST, `${took.toFixed(0)} ms: ${most.join(', ')}`);
  },
}));
