import type { FaultReason } from '../../domain/values/fault-reason.ts';
import type { FaultSummary } from './fault-summary.ts';
import type { FeedState } from './feed-state.ts';

/** The state in which no source gives prices. */
export interface SourceOutage {
  /** The most frequent reason. Of several, that of the source with the highest priority. */
  readonly reason: FaultReason;
  /** The last failure of each source that has failed, by name. */
  readonly faults: ReadonlyMap<string, FaultSummary>;
}

/** A source that is to connect, and does not. Undefined while it works, and before it has failed. */
export function failureOf({ phase, lastFault }: Pick<FeedState, 'phase' | 'lastFault'>) {
  return phase === 'waiting' || phase === 'connecting' ? lastFault : undefined;
}

/**
 * The outage of all sources to which the service connects. Undefined while a source works, while one has had no
 * time yet to give its first response, and where there are none. A source that pushes and is silent is no outage.
 */
export function outageOf(
  states: readonly Pick<FeedState, 'name' | 'phase' | 'lastFault' | 'isPushed' | 'isStarting'>[],
): SourceOutage | undefined {
  if (states.some(({ phase }) => phase === 'connected')) return undefined;
  const faults = new Map<string, FaultSummary>();
  const counts = new Map<FaultReason, number>();
  for (const state of states) {
    if (state.isPushed || state.phase === 'ended') continue;
    if (state.isStarting) return undefined;
    const fault = failureOf(state);
    if (fault === undefined) continue;
    faults.set(state.name, fault);
    counts.set(fault.reason, (counts.get(fault.reason) ?? 0) + 1);
  }
  const [first] = [...counts].toSorted(([, one], [, other]) => other - one);
  return first === undefined ? undefined : { reason: first[0], faults };
}
