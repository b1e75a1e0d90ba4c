import type { KeyRing } from '../../auth/key-ring.ts';
import type { PushedBody, PushResult } from '../../domain/quotes/push-report.ts';
import type { Transport } from '../../http/carriers/connection/transport.ts';
import { createPrivateServer, type PrivateServer } from '../../http/private-server.ts';
import type { MetricsText, Readiness } from '../../http/private/routes.ts';
import { systemClock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import type { MeasuredMarket, Metrics } from '../metrics/metrics.ts';
import { closesSetAside, readinessOf } from '../metrics/readiness.ts';
import type { Settings } from '../../config/settings/settings.ts';

/** Builds the private listener. It outlives markets. Each request is served by the current one. */
export function makePrivateServer(parts: {
  /** The id of the instance, shown in `/healthz`. */
  readonly instance: string;
  readonly node: {
    readonly measured: MeasuredMarket;
    /** Further checks for `/readyz`. */
    readonly checks: Readiness;
    /** Applies the updates of a body. */
    push(body: PushedBody): Promise<PushResult>;
  };
  readonly settings: Settings;
  readonly keyRing: KeyRing;
  readonly metrics: Metrics;
  /** The text of `/metrics`. With several processes it covers all of them. */
  readonly metricsText: MetricsText;
  /** What this node knows of the history of its database. */
  readonly lineage: () => string | undefined;
  readonly log: Log;
  readonly transport: Transport;
  readonly isStopping: () => boolean;
}): PrivateServer {
  const { instance, isStopping, node, settings, keyRing, metrics, metricsText } = parts;
  const { lineage, log, transport } = parts;
  return createPrivateServer({
    instance,
    keyRing,
    clock: systemClock,
    log,
    push: (body) => node.push(body),
    metrics: metricsText,
    lineage,
    readiness: () => {
      const { board, feeds, claimToken } = node.measured;
      return readinessOf({
        quotes: board.size,
        instruments: board.universe.instruments.length,
        commits: metrics.commitHealth,
        isWriter: claimToken !== 0,
        feeds: feeds(),
        setAside: closesSetAside(board),
        others: node.checks,
        isStopping: isStopping(),
      });
    },
    accessLog: settings.accessLog,
    observer: metrics.http('private'),
    transport,
    limits: {
      headersTimeoutMs: settings.headersTimeoutMs,
      requestTimeoutMs: settings.updatesTimeoutMs,
      keepAliveTimeoutMs: settings.keepAliveTimeoutMs,
      drainIdleMs: settings.drainIdleMs,
      drainMs: settings.drainMs,
    },
    updatesBodyBytesMax: settings.updatesBodyBytesMax,
  });
}
