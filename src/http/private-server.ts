import type { KeyRing } from '../auth/key-ring.ts';
import type { Clock } from '../lib/time/clock.ts';
import type { Log } from '../lib/reports/log.ts';
import { admittingHandler } from './admission/steps.ts';
import type { ListeningAt, Transport } from './carriers/connection/transport.ts';
import { createListener } from './carriers/listener.ts';
import { AccessLogWriter, type AccessLog } from './handler/access-log.ts';
import type { HttpObserver } from './handler/request-handler.ts';
import { StopPhase } from './handler/stop-phase.ts';
import { defaultHttpLimits, type HttpLimits } from './http-limits.ts';
import { privateError } from './private/private-texts.ts';
import { privateRoutes, type PrivateRoutesParts } from './private/routes.ts';

/** What the private listener works with. */
export interface PrivateServerParts extends PrivateRoutesParts {
  readonly keyRing: KeyRing;
  readonly clock: Clock;
  readonly log: Log;
  /** With `off` no response is logged, else all are: they are few, and each matters. */
  readonly accessLog?: AccessLog;
  readonly observer?: HttpObserver;
  readonly limits?: Partial<HttpLimits>;
  /** How it is reached; absent for plain HTTP. */
  readonly transport?: Transport;
}

/**
 * The private listener: the push of updates, metrics, readiness. It is for the operator's own machines.
 *
 * Disposing it stops it. Pushes under way are answered within `drainMs`.
 */
export interface PrivateServer extends AsyncDisposable {
  /**
   * Begins to listen. Port 0 takes any free one.
   *
   * @throws the system's own error, with its `code`.
   */
  listen(at: ListeningAt): Promise<ListeningAt>;
}

/** Builds the private listener. It has the rules and the carriers of the public one. */
export function createPrivateServer(parts: PrivateServerParts): PrivateServer {
  const { clock, log, observer, transport } = parts;
  const limits: HttpLimits = { ...defaultHttpLimits, ...parts.limits };
  const phase = new StopPhase();
  const accessLog = new AccessLogWriter(log, parts.accessLog === 'off' ? 'off' : 'all');
  const handler = admittingHandler({
    ...parts,
    ...transport,
    table: privateRoutes(parts),
    errors: privateError,
    limits,
    phase,
    accessLog,
    observer,
    extraFields: {},
  });
  const listener = createListener({
    limits,
    clock,
    phase,
    transport,
    handler: () => handler,
    isForMany: false,
  });
  return {
    listen: (at) => listener.listen(at),
    [Symbol.asyncDispose]: async () => {
      await listener.stop();
      accessLog[Symbol.dispose]();
    },
  };
}
