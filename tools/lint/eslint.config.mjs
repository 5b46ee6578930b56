// SPDX-License-Identifier: Apache-2.0
// What the compiler does not say about the page's code: promises nobody waits for, conditions that cannot fail, and
// imports
// against the layers. Run from the root: npm --prefix tools/lint run --silent lint
import { fileURLToPath } from 'node:url';
import tseslint from 'typescript-eslint';
import { layers } from './layers.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

export default tseslint.config(
  { ignores: ['**/*.d.ts', '**/*.mjs', '**/node_modules/**', 'build/**'] },
  {
    files: ['web/src/**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: `${root}web/tsconfig.json`, tsconfigRootDir: `${root}web` } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      // A handler may be a promise that nobody waits for; a condition may not.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/no-unused-vars':
        ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_',
        ignoreRestSiblings: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/prefer-promise-reject-errors': 'error',
      // Lists are as long as a document makes them, and a call takes some 120,000 arguments (src/lists.ts).
      'no-restricted-syntax': ['error', {
        selector: 'CallExpression[callee.property.name=/^(max|min|push)$/] > SpreadElement',
        message: 'A long list throws here: use maximum, minimum or append of lists.ts.',
      }, {
        selector: 'AssignmentExpression > MemberExpression.left'
          + '[object.property.name=/^(documents|sessions|selection|explanations|onward|slopes|comparison|scales)$/]',
        message: 'A part of the state changes only itself: call one of its functions.',
      }],
      // Templates bind their handlers to their element.
      '@typescript-eslint/unbound-method': 'off',
      // What the build makes (first paint, presets, the engine) has its types from there; JSON is read with care where
      // it comes in.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-base-to-string': 'off',
      // The compiler that checks the page is a newer one, and sometimes wants what the older one calls needless.
      '@typescript-eslint/no-unnecessary-type-assertion': 'off',
      '@typescript-eslint/no-redundant-type-constituents': 'off',
      '@typescript-eslint/require-await': 'off',
    },
  },
  ...layers,
);
