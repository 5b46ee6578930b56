// SPDX-License-Identifier: Apache-2.0
import type { Doc, JsonObject } from '../engine/types.ts';
import type { Result } from '../engine/result.ts';
import { isObject } from '../engine/pointer.ts';

/** Whether the numbers of an input are those that a reader gave: its tokens are only names of its rows. */
export const givenNumbers = (input: JsonObject | undefined): boolean =>
  isObject(input?.['features']) && input['features']['type'] === 'matrix';

/** Whether the seed changes any number: draws are parameters, and words without given numbers may have random ones. */
export const isSeeded = ({ inputs }: Doc, result: Result): boolean => result.all('parameters').length > 0
  || Object.values(inputs).some((input) => !givenNumbers(input) && input['data'] === undefined);
