import { gunzipSync } from 'node:zlib';
import { ask as askHttp1, askHttp2 } from './ask.ts';
import type { Case } from './cases.ts';
import type { OwnAnswer, RunningSide } from './side.ts';

/** A request whose response was checked once, or the reason why the side is skipped. */
export type PreparedRequest =
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> }
  | { readonly skipped: string };

/**
 * Prepares the request of a case for a side, and checks its response: it must have the same content as that of
 * Pizarra. After updates, the sides may differ.
 */
export async function prepareRequest(
  side: RunningSide,
  one: Case,
  { own, mayDiffer }: { readonly own: OwnAnswer; readonly mayDiffer: boolean },
): Promise<PreparedRequest> {
  const ask = one.carrier === 'h2' ? askHttp2 : askHttp1;
  const url = `${side.origin}${side.target(one.question)}`;
  const headers: Record<string, string> = { authorization: `Bearer ${side.key}` };
  if (one.manner === 'gzip') headers['accept-encoding'] = 'gzip';
  const first = await ask(url, { ...headers, 'if-none-match': '"none"' });
  if (first.status !== 200) return { skipped: `answers ${first.status}` };
  const isCompressed = first.headers['content-encoding'] === 'gzip';
  if (isCompressed !== (one.manner === 'gzip')) {
    return { skipped: isCompressed ? 'always compresses' : 'does not compress' };
  }
  const body = isCompressed ? gunzipSync(first.body) : first.body;
  if (!mayDiffer && !side.agrees(body, own, one)) return { skipped: 'its response differs' };
  if (one.manner !== 'not-modified') return { url, headers };

  const { etag } = first.headers;
  if (etag === undefined) return { skipped: 'has no ETag' };
  headers['if-none-match'] = etag;
  const second = await ask(url, headers);
  return second.status === 304
    ? { url, headers }
    : { skipped: `answers ${second.status}, not 304` };
}
