import type { Clock } from '../../../lib/time/clock.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { StopPhase } from '../../exchange/stop-phase.ts';
import type { CarrierLimits } from './carrier-limits.ts';
import type { RequestQueue } from './request-queue.ts';

/** What a carrier works with. */
export interface CarrierParts {
  readonly limits: CarrierLimits;
  readonly clock: Clock;
  readonly phase: StopPhase;
  /** The exchange in force. */
  readonly exchange: () => Exchange;
  /** Absent where every request is answered at once. */
  readonly queue: RequestQueue | undefined;
}
