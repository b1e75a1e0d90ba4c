import type { errorResponse } from '../../wire/texts/error-texts.ts';
import { draftOf, retryAfter } from '../handler/response-draft.ts';
import type { StopPhase } from '../handler/stop-phase.ts';
import type { Step } from '../handler/visit.ts';

/** When a client of a stopping service may come back, in seconds: enough for a restart. */
const retryAfterSeconds = 5;

/**
 * Refuses what a stopping service does not answer any more: new streams while it drains, every request
 * once it closes (contract 7).
 */
export function refuseWhileStopping(phase: StopPhase, errors: typeof errorResponse): Step {
  const error = errors('draining', { seconds: retryAfterSeconds });
  const answer = draftOf(error, [retryAfter(retryAfterSeconds)]);
  return ({ reading: { route } }) => {
    if (!phase.isDraining) return undefined;
    return phase.isClosing || route?.isStream === true ? answer : undefined;
  };
}
