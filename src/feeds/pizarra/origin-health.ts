import type { StaleSource } from '../../domain/quotes/sources-state.ts';
import { FeedFault } from '../contract/feed.ts';
import { fieldsOf, instantIn } from '../shapes/as-record.ts';
import { demonstrationFault, notPizarra } from './origin.ts';
import { sourceCharsMax } from './origin-rows.ts';

/** The maximum number of stale sources, and of markets of each, that are kept. */
const listedMax = 100;

/** The state of the origin. */
interface OriginHealth {
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
export function mapHealth(body: unknown): OriginHealth {
  const { instancia, datos, sinFuentes, fuentesAtrasadas } = fieldsOf(body);
  if (typeof instancia !== 'string' || !isServiceId(instancia)) throw notPizarra('/healthz');
  if (datos === 'simulados') throw demonstrationFault();
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
  const { fuente, mercados, desde } = fieldsOf(row);
  if (typeof fuente !== 'string' || !Array.isArray(mercados)) return [];
  return [
    {
      name: fuente.slice(0, sourceCharsMax),
      markets: mercados.slice(0, listedMax).filter((code) => typeof code === 'string'),
      lastPriceAt: instantIn(desde),
    },
  ];
}

/** The field of a request to `/healthz` by which a follower asks what the origin follows itself. */
export const followerField = 'pizarra-follower';

/** The field of the response: the ids of the services that the origin follows, directly and through others. */
export const originsField = 'pizarra-origins';

/** The maximum number of services that are followed through an origin. Real chains are of two or three. */
const chainMax = 64;

/** Whether a text has the form of the id of a running service. */
function isServiceId(text: string): boolean {
  return /^[\w-]{1,64}$/.test(text);
}

/**
 * The ids of all services that are followed through an origin, itself first.
 *
 * @param own the id of this running service.
 * @throws FeedFault `refused` if this service is one of them: services that follow one another in a loop have no
 *   source, and each would look fresh because of the other.
 */
export function chainOf(
  own: string,
  { instance, origins }: { readonly instance: string; readonly origins: string | null },
): readonly string[] {
  if (instance === own) {
    throw new FeedFault('refused', 'the origin is this service itself: correct url');
  }
  const further = (origins ?? '').split(' ').filter(isServiceId);
  if (!further.includes(own)) return [instance, ...further.slice(0, chainMax)];
  throw new FeedFault(
    'refused',
    'the origin follows this service, directly or through others: a loop has no source of prices, so remove one of its feeds',
  );
}
