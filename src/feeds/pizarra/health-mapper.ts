import { FeedFault } from '../contract/feed.ts';
import { readJson } from '../net/read-body.ts';
import type { FetchedBody } from '../net/read-body.ts';
import { asRecord } from '../shapes/as-record.ts';
import { isServiceId } from './loop.ts';

/** The state of the origin. */
export interface OriginHealth {
  /** The id of its running service: another one after a restart. */
  readonly instance: string;
  /** Why none of its own sources gives prices. Absent while one does. */
  readonly outage?: FeedFault;
}

/**
 * Maps the body of `/healthz`.
 *
 * @throws FeedFault `unintelligible` for anything else, and `refused` for a demonstration.
 */
export function mapHealth(body: FetchedBody): OriginHealth {
  const { instancia, datos, sinFuentes } = asRecord(readValue(body)) ?? {};
  if (typeof instancia !== 'string' || !isServiceId(instancia)) throw notPizarra();
  if (datos === 'simulados') {
    const message = 'the origin is a demonstration: made-up and real prices never mix';
    throw new FeedFault('refused', message);
  }
  if (typeof sinFuentes !== 'string') return { instance: instancia };
  const message = `the origin has no source that gives prices (sinFuentes: ${sinFuentes.slice(0, 40)})`;
  return { instance: instancia, outage: new FeedFault('unavailable', message, { status: 200 }) };
}

/** Another service may have a page or nothing at the path, which is read before all others. */
function readValue(body: FetchedBody): unknown {
  try {
    return readJson(body);
  } catch (fault) {
    throw fault instanceof FeedFault && fault.code === 'unintelligible'
      ? notPizarra(` (${fault.message})`)
      : fault;
  }
}

function notPizarra(reason = ''): FeedFault {
  return new FeedFault(
    'unintelligible',
    `/healthz is not that of a Pizarra${reason}: url is the part before /cotizaciones`,
  );
}
