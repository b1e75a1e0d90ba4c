import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { cores, PinnedProcess } from '../../support/pinned-process.ts';
import { ask } from '../cases/ask.ts';
import { contractTarget, mixedRequests, oneTicker, streamTarget } from '../cases/cases.ts';
import type { RunningSide } from '../cases/side.ts';
import { load, LoadFault, type Load } from '../../support/wrk.ts';

const visitor = resolve(import.meta.dirname, 'clients/proxy-visitor.ts');

/** Number of connections to the proxy. It equals the number of connections that the proxy keeps open. */
export const proxyConnections = 64;

/**
 * Sends the mixed requests in turn with wrk. A second program sends the HEAD requests, whose responses wrk
 * cannot parse, and opens and closes streams. All requests are counted.
 */
export async function loadMixed(
  side: RunningSide,
  { seconds, scratch }: { readonly seconds: number; readonly scratch: string },
): Promise<Load> {
  const file = join(scratch, 'mixed-requests.txt');
  const authorization = `Bearer ${side.key}`;
  const one = contractTarget({ kind: 'quotes', tickers: [oneTicker] });
  const { etag = '' } = (await ask(`${side.origin}${one}`, { authorization })).headers;
  const lines = mixedRequests
    .filter(({ method }) => method === 'GET')
    .map(({ method, target, status }) => {
      const key = status === 401 ? [] : ['Authorization', authorization];
      return [method, target, ...key, ...(status === 304 ? ['If-None-Match', etag] : [])];
    });
  await writeFile(file, lines.map((parts) => `${parts.join('\t')}\n`).join(''));
  const heads = mixedRequests.filter(({ method }) => method === 'HEAD').map(({ target }) => target);
  await using visits = new PinnedProcess({
    core: cores.load,
    command: process.execPath,
    args: [visitor, side.origin, streamTarget, ...heads],
    env: { BENCH_AUTHORIZATION: authorization },
  });
  await visits.printed(/^visiting$/m);
  const result = await load(side.origin, {}, seconds, {
    connections: proxyConnections,
    requestsFile: file,
  });
  await visits[Symbol.asyncDispose]();
  const [, sent = ''] = /^sent (\d+)$/m.exec(visits.output) ?? [];
  if (sent === '') throw new LoadFault(`the visitor failed: ${visits.output}`);
  return { ...result, requests: result.requests + Number(sent) };
}
