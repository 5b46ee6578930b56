// SPDX-License-Identifier: Apache-2.0
// For engines of tests that only run documents: what is asked about open ones as a run of the whole document.
import { withChanges } from '../src/engine/difference.ts';
import type { Json } from '../src/engine/types.ts';
import type { Request } from '../src/engine/worker.ts';

/** Makes a request with its whole document of one about an open document; others stay what they are. */
export function wholeDocuments(): (request: Request) => Request {
  const open = new Map<string, Json>();
  return (request) => {
    if (request.kind === 'open') open.set(request.session, JSON.parse(request.document) as Json);
    else if (request.kind === 'change')
      open.set(request.session, withChanges(open.get(request.session)!, JSON.parse(request.changes)));
    else return request;
    return { id: request.id, kind: 'run', document: JSON.stringify(open.get(request.session)) };
  };
}
