// SPDX-License-Identifier: Apache-2.0
// An oEmbed answer for the width and the height that a site allows: https://oembed.com, maxwidth and maxheight.

/**
 * The height of a frame of this width, from measured ones in the order of their widths. Between two widths it is the
 * larger of both heights, so that nothing is cut off.
 */
export function heightAt(heights, width) {
  const after = heights.findIndex(([measured]) => measured >= width);
  if (after < 0) return heights.at(-1)[1];
  const [exact] = heights[after];
  return Math.max(heights[after][1], exact === width || after === 0 ? 0 : heights[after - 1][1]);
}

const limit = (text) => (/^[1-9]\d{0,5}$/.test(text ?? '') ? Number(text) : Infinity);

/** The answer of the build for what a query allows: the frame is never wider or higher than that. */
export function fitted(answer, query) {
  const { heights } = answer;
  if (!Array.isArray(heights) || heights.length === 0) return answer;
  const [most, highest] = [limit(query.get('maxwidth')), limit(query.get('maxheight'))];
  const width = Math.min(answer.width, most);
  const height = Math.min(highest, heightAt(heights, width));
  const html = answer.html.replace(/ height="\d+" style="border:0/,
    ` height="${height}" style="border:0;max-width:${width}px`);
  return { ...answer, width, height, html };
}
