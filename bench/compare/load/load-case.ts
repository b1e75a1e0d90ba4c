import type { Case } from '../cases/cases.ts';
import type { PreparedRequest } from '../cases/prepare-request.ts';
import type { RunningSide } from '../cases/side.ts';
import { load, type Load } from '../../support/wrk.ts';
import { loadHttp2 } from './h2load.ts';
import { loadMixed, proxyConnections } from './mixed-load.ts';

/** A request that a side answers as it should. */
export type ReadyRequest = Extract<PreparedRequest, { readonly url: string }>;

/** Repeats the requests of a case over its carrier, as fast as the side answers. */
export function loadCase(
  side: RunningSide,
  { url, headers }: ReadyRequest,
  { carrier, manner }: Case,
  { seconds, scratch }: { readonly seconds: number; readonly scratch: string },
): Promise<Load> {
  if (manner === 'mixed') return loadMixed(side, { seconds, scratch });
  if (carrier === 'h2') return loadHttp2(url, headers, { seconds, scratch });
  return load(url, headers, seconds, carrier === 'proxy' ? { connections: proxyConnections } : {});
}
