import { Gauge, type Registry } from 'prom-client';
import type { RateLimits } from '../../http/admission/rate-limits.ts';
import type { ConnectionObserver } from '../../http/carriers/connection/transport.ts';
import type { HttpObserver } from '../../http/handler/request-handler.ts';
import type { StreamObserver } from '../../http/stream/quote-streams.ts';
import type { ProgramLog } from '../log/make-log.ts';
import { counter, readMetric } from './metric-kinds.ts';
import type { Metrics } from './metrics.ts';

/** Observers of the public listener: its requests, streams and connections. */
export interface PublicObservers {
  readonly http: HttpObserver;
  readonly streams: StreamObserver;
  readonly connections: ConnectionObserver;
}

/** Measures the public listener. Called once. */
export function measurePublicListener(metrics: Metrics): PublicObservers {
  return {
    http: metrics.http('public'),
    streams: observeStreams(metrics.registry),
    connections: observeConnections(metrics.registry),
  };
}

/** Measures the log of the program. */
export function measureLog(registry: Registry, { dropped }: Pick<ProgramLog, 'dropped'>): void {
  readMetric(
    registry,
    {
      name: 'pizarra_log_lines_dropped_total',
      help: 'Log lines that were dropped because the log was not read.',
    },
    () => [[dropped()]],
  );
}

/** Measures the rate limits of clients. */
export function measureRateLimits(registry: Registry, rateLimits: RateLimits): void {
  const byLimit = (name: string, help: string, what: 'refused' | 'remembered'): void =>
    readMetric(registry, { name, help, labelNames: ['limit'] }, () => {
      const { keys, addresses } = rateLimits[what];
      return [
        [keys, { limit: 'key' }],
        [addresses, { limit: 'failures' }],
      ];
    });
  byLimit(
    'pizarra_rate_limited_total',
    'Requests that exceeded a rate limit, by limit.',
    'refused',
  );
  byLimit(
    'pizarra_rate_limit_clients',
    'Keys and groups of addresses whose requests are counted, by limit.',
    'remembered',
  );
  readMetric(
    registry,
    {
      name: 'pizarra_rate_limit_nodes',
      help: 'Number of nodes among which the limit of each key is divided.',
      // Every process of a node counts the same nodes.
      aggregator: 'max',
    },
    () => [[rateLimits.parts]],
  );
}

function observeConnections(registry: Registry): ConnectionObserver {
  const refused = counter(
    registry,
    'pizarra_connections_refused_total',
    'Connections closed at once: too many of one address, or in total.',
    'reason',
  );
  const cut = counter(
    registry,
    'pizarra_connections_cut_total',
    'Connections closed because the client did not read a response.',
  );
  for (const reason of ['address', 'total']) refused.inc({ reason }, 0);
  return {
    connectionRefused: (reason) => refused.inc({ reason }),
    readerCut: () => cut.inc(),
  };
}

function observeStreams(registry: Registry): StreamObserver {
  const open = new Gauge({ name: 'pizarra_streams', help: 'Open streams.', registers: [registry] });
  const opened = counter(registry, 'pizarra_streams_opened_total', 'Streams that were opened.');
  const closed = counter(
    registry,
    'pizarra_streams_closed_total',
    'Streams that ended, by reason.',
    'reason',
  );
  const events = counter(
    registry,
    'pizarra_stream_events_total',
    'Quotes written to streams, counted once per client.',
  );
  for (const reason of ['client-left', 'key-ended', 'too-slow', 'selection-changed', 'draining']) {
    closed.inc({ reason }, 0);
  }
  return {
    opened: () => {
      open.inc();
      opened.inc();
    },
    closed: (reason) => {
      open.dec();
      closed.inc({ reason });
    },
    wrote: (quotes) => events.inc(quotes),
  };
}
