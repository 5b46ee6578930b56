// SPDX-License-Identifier: Apache-2.0
// In place of what the build finds of the real model.
export default undefined;
