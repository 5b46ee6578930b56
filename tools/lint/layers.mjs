// SPDX-License-Identifier: Apache-2.0
// Who may import whom in web/src: arrows point down only, as in the engine. A folder that is not named here is a part
// of the page: it may read everything but the page as a whole.

const GROUND = ['engine', 'directory', 'strings', 'styles', 'colour', 'library', 'files'];

/** The folders that one may read besides itself. */
const ALLOWED = {
  library: [],
  colour: ['strings'],
  files: [],
  engine: GROUND,
  directory: GROUND,
  strings: GROUND,
  styles: GROUND,
  state: GROUND,
  // What draws: it knows tensors, colours and words, and of the page the theme and the language alone.
  elements: [...GROUND, 'part.ts', 'in-sight.ts'],
};
// Small files beside the folders that know nothing of the page.
const ROOT = ['lazy-fetch', 'lists', 'performance-marks', 'signal-element', 'measured', 'turns']
  .map((name) => `${name}\\.ts$`);

const restricted = (files, ignores, regex, message) => ({
  files, ignores,
  rules: { 'no-restricted-imports': ['error', { patterns: [{ regex, message }] }] },
});

// Of a file in a folder, and of one a folder deeper. What lies outside web/src (the built engine, word files) is
// nobody's layer.
function layer(folder, may) {
  const path = (name) => (name.endsWith('.ts') ? `${name.replace('.', '\\.')}$` : `${name}/`);
  const open = [...[folder, ...may].map(path), ...ROOT, '\\.\\./'].join('|');
  const message = `${folder}/ stands below what it asks for here: it may read ${may.filter((one) => one !== folder)
    .join(', ') || 'nothing of ours'}.`;
  return [
    restricted([`web/src/${folder}/*.ts`], [], `^\\.\\./(?!${open})`, message),
    restricted([`web/src/${folder}/*/*.ts`], [], `^\\.\\./\\.\\./(?!${open})`, message),
  ];
}

export const layers = [
  ...Object.entries(ALLOWED).flatMap(([folder, may]) => layer(folder, may)),
  restricted(['web/src/*/**/*.ts'],
    ['web/src/{embed,package}/**', ...Object.keys(ALLOWED).map((folder) => `web/src/${folder}/**`)],
    '^\\.\\./page/(?:element|main)\\.ts$', 'The whole page is no part of itself: ask for the part, or for the state.'),
];
