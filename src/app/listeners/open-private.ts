import { readPushed } from '../../feeds/push/read-pushed.ts';
import type { KeyRing } from '../../auth/key-ring.ts';
import type { PushResult } from '../../domain/push-report.ts';
import type { Transport } from '../../http/carriers/connection/transport.ts';
import { createPrivateServer } from '../../http/private-server.ts';
import type { MetricsText } from '../../http/private/metrics.ts';
import type { PrivateServer } from '../../http/private-server.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { notStored, pushUpdates } from '../../pipeline/push-updates.ts';
import { StoreFault } from '../../store/store-fault.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Site } from '../site/open-site.ts';
import { readinessOf } from '../metrics/readiness.ts';
import type { Settings } from '../settings/settings.ts';

/** Builds the private listener. It outlives sites. Each request is served by the current site. */
export function makePrivateServer(parts: {
  /** The id of the instance, shown in `/healthz`. */
  readonly instance: string;
  readonly site: () => Site;
  readonly settings: Settings;
  readonly keyRing: KeyRing;
  readonly metrics: Metrics;
  /** The text of `/metrics`. With several processes it covers all of them. */
  readonly metricsText: MetricsText;
  readonly log: Log;
  readonly transport: Transport;
  readonly isStopping: () => boolean;
}): PrivateServer {
  const { instance, isStopping, site, settings, keyRing, metrics, metricsText, log, transport } =
    parts;
  return createPrivateServer({
    instance,
    keyRing,
    clock: systemClock,
    log,
    push: (body) => push(site(), body),
    metrics: metricsText,
    readiness: () => {
      const { market, feeds } = site();
      const { board } = market;
      const { instruments } = board.universe;
      const quotes = instruments.filter((one) => board.quote(one) !== undefined).length;
      return readinessOf({
        quotes,
        instruments: instruments.length,
        commits: metrics.commitHealth,
        feeds: feeds.states(),
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

/** Applies the updates of a body to the current market. */
async function push(
  { isSimulated, feeds }: Site,
  body: AsyncIterable<Uint8Array>,
): Promise<PushResult> {
  if (!isSimulated) return pushUpdates(readPushed(body), feeds.intake(feeds.pushName));
  // An ingest key ends the demonstration within a second, so the client is asked to retry.
  return notStored(new StoreFault('busy', 'the demonstration stores no real data'));
}
