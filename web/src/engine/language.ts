// SPDX-License-Identifier: Apache-2.0

/** The name by which documents ask for the weights of the small language model, which come with the page. */
export const LANGUAGE = 'language/austen.safetensors';
