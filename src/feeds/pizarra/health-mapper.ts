import { parseRfc3339 } from '../../domain/calendar/rfc3339.ts';
import type { StaleSource } from '../../domain/quotes/sources-state.ts';
import { FeedFault } from '../contract/feed.ts';
import { readJson, type FetchedBody } from '../net/read-body.ts';
import { asRecord } from '../shapes/as-record.ts';
import { isServiceId } from './loop.ts';
import { sourceCharsMax } from './quote-mapper.ts';

/** The maximum number of stale sources, and of markets of each, that are kept. */
const listedMax = 100;

/** The state of the origin. */
export interface OriginHealth {
  /** The id of its running service: another one after a restart. */
  readonly instance: string;
  /** Why none of its own sources gives prices. Absent while one does. */
  readonly outage?: FeedFault;
  /** Its sources that are stale, by their names there. */
  readonly stale: readonly StaleSource[];
}

/**
 * Maps the body of `/healthz`.
 *
 * @throws FeedFault `unintelligible` for anything else, and `refused` for a demonstration.
 */
export function mapHealth(body: FetchedBody): OriginHealth {
  const { instancia, datos, sinFuentes, fuentesAtrasadas } = asRecord(readValue(body)) ?? {};
  if (typeof instancia !== 'string' || !isServiceId(instancia)) throw notPizarra();
  if (datos === 'simulados') {
    const message = 'the origin is a demonstration: made-up and real prices never mix';
    throw new FeedFault('refused', message);
  }
  const stale = Array.isArray(fuentesAtrasadas)
    ? fuentesAtrasadas.slice(0, listedMax).flatMap(mapStale)
    : [];
  if (typeof sinFuentes !== 'string') return { instance: instancia, stale };
  const message = `the origin has no source that gives prices (sinFuentes: ${sinFuentes.slice(0, 40)})`;
  const outage = new FeedFault('unavailable', message, { status: 200 });
  return { instance: instancia, outage, stale };
}

/** A stale source (contract 7.5). Nothing for a row of another form, which a later version may send. */
function mapStale(row: unknown): readonly StaleSource[] {
  const { fuente, mercados, desde } = asRecord(row) ?? {};
  if (typeof fuente !== 'string' || !Array.isArray(mercados)) return [];
  return [
    {
      name: fuente.slice(0, sourceCharsMax),
      markets: mercados.slice(0, listedMax).filter((code) => typeof code === 'string'),
      lastPriceAt: typeof desde === 'string' ? parseRfc3339(desde) : undefined,
    },
  ];
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
