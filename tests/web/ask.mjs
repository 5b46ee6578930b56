// SPDX-License-Identifier: Apache-2.0
const store = `document.querySelector('attention-playground').store`;

/** Opens the questions, and the one that a search finds. */
export const ask = async (page, search, id) => {
  await page.click('ap-header', '[data-dialog="learn"]');
  await page.until(`return !!find(['ap-lesson-list', 'input'])`);
  await page.fill(search, 'ap-lesson-list', 'input');
  await page.until(`return !!find(['ap-lesson-list', '[data-lesson="' + values[0] + '"]'])`, id);
  await page.click('ap-lesson-list', `[data-lesson="${id}"]`);
  await page.until(`return ${store}.view.lesson === values[0] && !!${store}.sessions.result`, id);
};
