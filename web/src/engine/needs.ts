// SPDX-License-Identifier: Apache-2.0
import type { Request } from './answer.ts';

/** The documents of a request, which may need files of words or of weights. */
export function documentsOf(request: Request): string[] {
  if (request.kind === 'time') return request.documents;
  return 'document' in request && request.document !== undefined ? [request.document] : [];
}
