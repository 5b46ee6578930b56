// SPDX-License-Identifier: Apache-2.0

/**
 * Milliseconds for which weights that no document needs any more stay in a worker. A reader who undoes a change soon
 * gets them back without a second reading.
 */
export const GRACE = 5000;
