// SPDX-License-Identifier: Apache-2.0
// The results as pictures, drawn by Observable Plot in the browser that was measured.
import { describe } from './work.mjs';

function rates({ versions, results }, family, gradient) {
  return results.filter(({ id }) => describe(id).family === family && describe(id).gradient === gradient)
    .flatMap((row) => Object.keys(versions)
    .map((engine) => ({ engine, n: describe(row.id).n, share: row.engines[engine]?.share })))
    .filter(({ share }) => Number.isFinite(share));
}

/** What is to be drawn, by the name of its file. */
export function pictures(results) {
  const found = {};
  if (results.attention?.results) {
    for (const [family, title] of [['one', 'One head of width 64'], ['eight', 'Eight heads of width 64'],
      ['full', 'Multi-head with projections, width 512']]) {
      for (const gradient of [false, true]) {
        const data = rates(results.attention, family, gradient);
        if (data.length > 0) {
          found[`${family}${gradient ? '-gradient' : ''}`] = {
            title: `${title}${gradient ? ', with gradients' : ''}`, x: 'n', y: 'share', series: 'engine',
            xLabel: 'tokens', yLabel: 'share of the multiply-add peak', data,
          };
        }
      }
    }
  }
  if (results.mechanisms?.rows) {
    const data = results.mechanisms.rows.flatMap(({ id, at }) =>
      Object.entries(at).filter(([, one]) => one.best)
      .map(([n, one]) => ({ id, n: Number(n), milliseconds: one.best, kilobytes: one.bytes / 1024 })));
    for (const [y, title] of [['milliseconds', 'Time of every mechanism'],
      ['kilobytes', 'Memory of every mechanism']]) {
      found[`mechanisms-${y}`] = { title, x: 'n', y, series: 'id', xLabel: 'tokens', yLabel: y, logarithmic: true,
        many: true, data };
    }
  }
  return found;
}

// Runs in the page.
function draw({ title, x, y, series, xLabel, yLabel, logarithmic, many, data }) {
  const { Plot } = globalThis;
  const picture = Plot.plot({
    title: undefined, width: 720, height: 420, marginRight: many ? 130 : 120, marginTop: 40,
    style: { fontFamily: 'sans-serif', fontSize: '12px', background: 'white' },
    x: { type: 'log', base: 2, label: xLabel, tickFormat: 'd', ticks: [...new Set(data.map((row) => row[x]))] },
    y: { type: logarithmic ? 'log' : 'linear', label: yLabel, grid: true, ...(logarithmic ? {} : { domain: [0, 1] }) },
    color: many ? {} : { scheme: 'Observable10' },
    marks: [
      Plot.line(data, { x, y, z: series, stroke: many ? '#4269d055' : series }),
      ...(many ? [] : [Plot.dot(data, { x, y, fill: series })]),
      Plot.text(data, Plot.selectLast({
        x, y, z: series, text: series, textAnchor: 'start', dx: 8, fill: many ? '#333' : series,
        // Of many only those that stand apart are named.
        filter: many ? (row) => data.filter((other) => other[x] === row[x] && other[y] > row[y]).length < 12
          : undefined,
      })),
      Plot.text([title], { frameAnchor: 'top', dy: -30, fontSize: 14, fontWeight: 'bold', text: (t) => t }),
    ],
  });
  picture.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return picture.outerHTML;
}

const folder = '/bench/node_modules';

/** The pictures as SVG, by the name of their file. */
export async function plots(browser, results) {
  const page = await browser.page();
  await page.addScriptTag({ url: `${folder}/d3/dist/d3.min.js` });
  await page.addScriptTag({ url: `${folder}/@observablehq/plot/dist/plot.umd.min.js` });
  const drawn = {};
  for (const [name, picture] of Object.entries(pictures(results))) drawn[name] = await page.evaluate(draw, picture);
  await page.close();
  return drawn;
}
