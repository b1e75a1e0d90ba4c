import { gunzipSync } from 'node:zlib';
import { ask } from './ask.ts';
import type { Case } from './cases.ts';
import type { OwnAnswer, RunningSide } from './side.ts';

/** A request that was tried once and is answered as it should be; or why it is not. */
export type PreparedRequest =
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> }
  | { readonly skipped: string };

/**
 * Makes the request of a case for a side and tries it: an answer that does not say what ours says is
 * not worth measuring. After updates came in the sides need not agree any more.
 */
export async function prepareRequest(
  side: RunningSide,
  one: Case,
  { own, mayDiffer }: { readonly own: OwnAnswer; readonly mayDiffer: boolean },
): Promise<PreparedRequest> {
  const url = `${side.origin}${side.target(one.question)}`;
  const headers: Record<string, string> = { authorization: `Bearer ${side.key}` };
  if (one.manner === 'gzip') headers['accept-encoding'] = 'gzip';
  const first = await ask(url, { ...headers, 'if-none-match': '"none"' });
  if (first.status !== 200) return { skipped: `answers ${first.status}` };
  const isCompressed = first.headers['content-encoding'] === 'gzip';
  if (isCompressed !== (one.manner === 'gzip')) {
    return { skipped: isCompressed ? 'compresses unasked' : 'does not compress' };
  }
  const body = isCompressed ? gunzipSync(first.body) : first.body;
  if (!mayDiffer && !side.agrees(body, own, one)) return { skipped: 'answers something else' };
  if (one.manner !== 'not-modified') return { url, headers };

  const { etag } = first.headers;
  if (etag === undefined) return { skipped: 'has no ETag' };
  headers['if-none-match'] = etag;
  const second = await ask(url, headers);
  return second.status === 304
    ? { url, headers }
    : { skipped: `answers ${second.status}, not 304` };
}
