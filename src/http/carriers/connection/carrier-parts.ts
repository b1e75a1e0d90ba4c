import type { Clock } from '../../../lib/time/clock.ts';
import type { RequestHandler } from '../../handler/request-handler.ts';
import type { StopPhase } from '../../handler/stop-phase.ts';
import type { CarrierLimits } from './carrier-limits.ts';
import type { RequestQueue } from './request-queue.ts';

/** What a carrier works with. */
export interface CarrierParts {
  readonly limits: CarrierLimits;
  readonly clock: Clock;
  readonly phase: StopPhase;
  /** The handler in force. */
  readonly handler: () => RequestHandler;
  /** Absent where every request is answered at once. */
  readonly queue: RequestQueue | undefined;
}
