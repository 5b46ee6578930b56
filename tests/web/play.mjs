// SPDX-License-Identifier: Apache-2.0
// How a case plays a training and pauses it.

export const FULL = '0';
export const pace = (page, value) => page.run(`
  const menu = find(['ap-train-bar', 'select']);
  menu.value = values[0];
  menu.dispatchEvent(new Event('change'));`, value);
export const press = (page, part, where = 'ap-train-bar') => page.click(where, `[data-part="${part}"]`);
/** Pauses what plays, and leaves what has ended by itself; asked and pressed at once, so that nothing comes between. */
export const pause = async (page) => {
  await page.run(`const { training } = find(['ap-train-bar']).desk;
    if (training.phase === 'playing') find(['ap-train-bar', '[data-part="play"]']).click()`);
  await page.until(`return ['ready', 'finished'].includes(find(['ap-train-bar']).desk.training.phase)
    && find(['ap-train-bar', '[data-part="play"]']).textContent.trim() === 'Play'`);
};
/** Plays until so many steps were taken, and waits for the pause. */
export const playTo = async (page, step) => {
  await pace(page, FULL);
  await press(page, 'play');
  await page.until(`return Number(find(['ap-train-bar', 'input[type="range"]']).value) >= values[0]`, step);
  await pause(page);
};
/** Presses a button that trains at once, sees it train past a step, and pauses. */
export const trainsOn = async (page, part, step) => {
  await press(page, part, 'ap-train');
  await page.until(`const { training } = find(['ap-train-bar']).desk;
    return !find(['ap-train', '[data-part="edited"]']) && training.phase === 'playing' && training.step > values[0]`,
    step);
  await press(page, 'play');
  await page.until(`return find(['ap-train-bar', '[data-part="play"]']).textContent.trim() === 'Play'
    && find(['ap-train-bar']).desk.training.phase === 'ready'`);
};
