// SPDX-License-Identifier: Apache-2.0
// The frames that sites show who ask for oEmbed.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const built = fileURLToPath(new URL('../../build/web/', import.meta.url));

/** The built oEmbed answer of a preset; of the page's own example without a name. */
export const answerOf = (name) => JSON.parse(readFileSync(
  name === '' ? `${built}oembed.json` : `${built}oembed/${name.replaceAll('/', '-')}.json`, 'utf8'));

/** The path of the frame in an answer's HTML. */
export function frameIn({ html }) {
  const { pathname, hash } = new URL(/src="([^"]*)"/.exec(html)[1].replaceAll('&amp;', '&'));
  return pathname + hash;
}

export const frameOf = (name) => frameIn(answerOf(name));

/** The height of the content of the frame that a page shows, in a column of this width. */
export async function heightIn(page, width) {
  await page.driver.setViewportSize({ width, height: 800 });
  await page.settled();
  // What is drawn once it is in view, such as a large map, has to be there.
  let last = -1;
  for (let k = 0; k < 20; k++) {
    await page.frames(6);
    await page.settled();
    const height = await page.run(`return Math.ceil(document.querySelector('attention-playground')
      .getBoundingClientRect().height)`);
    if (height === last) return height;
    last = height;
  }
  return last;
}
