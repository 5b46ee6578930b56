// SPDX-License-Identifier: Apache-2.0
// Links that an earlier release wrote show today what they showed then: every tensor, and every picture that was drawn.
import { differences, differs } from '../../corpus/digest.mjs';
import { folderOf, lines, reasons, releases } from '../../corpus/release.mjs';
import { look, open } from '../../corpus/walk.mjs';
import { equal } from '../check.mjs';

const CLOSE = 1e-4;
// A page of a case serves many links: each case holds a part of them.
const PART = 12;

// Along each axis the words of then; an axis that had none may have some today.
const hasLabels = (then, now) => then.length === now.length &&
  then.every((words, axis) => words === null || JSON.stringify(words) === JSON.stringify(now[axis]));

/** What is drawn today of the same tensor in the same size; a page may draw more pictures than it did. */
function pictureGone(picture, now) {
  const alike = now.filter((one) => one.of === picture.of && one.shape.join() === picture.shape.join());
  if (alike.length === 0) return `${picture.of} [${picture.shape}] is not drawn`;
  const found = alike.map((one) => differs(picture, one, CLOSE)).filter((difference) => difference !== undefined);
  if (found.length === alike.length) return `${picture.of}: ${found[0]}`;
  const labelled = alike.some((one) => hasLabels(picture.labels, one.labels));
  return labelled ? undefined : `${picture.of} has other labels`;
}

function changes(then, now) {
  const found = differences(then.tensors, now.tensors, CLOSE);
  if (then.other) found.push(...differences(then.other, now.other ?? {}, CLOSE).map((one) => `the other side: ${one}`));
  for (const [key, value] of Object.entries(then.seen)) {
    if (JSON.stringify(value) !== JSON.stringify(now.seen[key]))
      found.push(`${key}: ${JSON.stringify(value)} then, ${JSON.stringify(now.seen[key])} now`);
  }
  found.push(...then.pictures.map((one) => pictureGone(one, now.pictures)).filter((one) => one !== undefined));
  const losses = then.training?.losses ?? [];
  if (losses.some((loss, k) => Math.abs(loss - now.training.losses[k]) > CLOSE * Math.abs(loss)))
    found.push(`losses ${losses} then, ${now.training.losses} now`);
  return found;
}

async function replayed(page, origin, links, changed) {
  const wrong = [];
  for (const { name, language, path, shows } of links) {
    await open(page, origin, { path, language });
    const now = await look(page);
    equal([now.language, now.notices], [shows.language, shows.notices], `${name} opens`);
    // What was refused then may be understood now.
    if (shows.problem === undefined) equal(now.problem ?? null, null, `${name} opens`);
    const reason = changed[`links/${name}`];
    const found = changes(shows, now);
    if (reason === undefined) wrong.push(...found.map((one) => `${name}: ${one}`));
    else if (found.length === 0) wrong.push(`${name} has a reason to differ (${reason}), and is what it was`);
    await page.leave();
  }
  equal(wrong, [], 'what differs');
}

export const corpus = releases().flatMap((version) => {
  const links = lines(`${folderOf(version)}links.jsonl`);
  const changed = reasons(version);
  const parts = Array.from({ length: Math.ceil(links.length / PART) }, (_, k) => links.slice(k * PART, (k + 1) * PART));
  return parts.map((part, k) => ({
    first: true,
    name: `links of ${version} show what they showed, part ${k + 1} of ${parts.length}`,
    run: (page, origin) => replayed(page, origin, part, changed),
  }));
});
