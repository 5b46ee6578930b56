// SPDX-License-Identifier: Apache-2.0
// The gallery as a reader uses it.

/** Types a name into the gallery's search and opens the first that is found. */
export async function open(page, name) {
  await page.click('ap-header', '[data-dialog="presets"]');
  await page.until(`return !!find(['ap-gallery', '.find input'])`);
  await page.driver.keyboard.type(name);
  await page.settled();
  await page.press('Enter');
  await page.until(`return !find(['ap-gallery'])`);
  await page.settled();
}
