import { Counter, Gauge, type Registry } from 'prom-client';
import type { ConnectionObserver } from '../../http/carriers/connection/connection-guard.ts';
import type { HttpObserver } from '../../http/handler/http-observer.ts';
import type { StreamObserver } from '../../http/stream/quote-streams.ts';
import type { Metrics } from './metrics.ts';

/** Observers of the public listener: its requests, streams and connections. */
export interface PublicObservers {
  readonly http: HttpObserver;
  readonly streams: StreamObserver;
  readonly connections: ConnectionObserver;
}

/** Measures the public listener. Called once. */
export function measurePublicListener(metrics: Metrics): PublicObservers {
  const registers = [metrics.registry];
  return {
    http: metrics.http('public'),
    streams: observeStreams(registers),
    connections: observeConnections(registers),
  };
}

function observeConnections(registers: Registry[]): ConnectionObserver {
  const refused = new Counter({
    name: 'pizarra_connections_refused_total',
    help: 'Connections closed at once: too many of one address, or in total.',
    labelNames: ['reason'],
    registers,
  });
  const cut = new Counter({
    name: 'pizarra_connections_cut_total',
    help: 'Connections closed because the client did not read a response.',
    registers,
  });
  for (const reason of ['address', 'total']) refused.inc({ reason }, 0);
  return {
    connectionRefused: (reason) => refused.inc({ reason }),
    readerCut: () => cut.inc(),
  };
}

function observeStreams(registers: Registry[]): StreamObserver {
  const open = new Gauge({
    name: 'pizarra_streams',
    help: 'Open streams.',
    registers,
  });
  const opened = new Counter({
    name: 'pizarra_streams_opened_total',
    help: 'Streams that were opened.',
    registers,
  });
  const closed = new Counter({
    name: 'pizarra_streams_closed_total',
    help: 'Streams that ended, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const events = new Counter({
    name: 'pizarra_stream_events_total',
    help: 'Quotes written to streams, counted once per client.',
    registers,
  });
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
