import type { FaultReason } from '../../domain/values/fault-reason.ts';
import { FeedFault, type FeedFaultCode } from '../../feeds/contract/feed.ts';

/** A failure for operators. */
export interface FaultSummary {
  /** `unexpected` is a mistake in the feed itself. */
  readonly code: FeedFaultCode | 'unexpected';
  readonly reason: FaultReason;
  /** The status of the response or the code of the system, such as `HTTP 403` or `ENOTFOUND`. */
  readonly detail: string | undefined;
  /** Without keys. */
  readonly message: string;
  /** When the feed is started again, in epoch milliseconds. */
  readonly retryAt: number;
}

/** The reason of each code. An unavailable source has several. */
const reasons: Readonly<Record<Exclude<FeedFaultCode, 'unavailable'>, FaultReason>> = {
  unintelligible: 'format',
  limited: 'limited',
  refused: 'refused',
  'invalid-request': 'request',
  untrusted: 'certificate',
};

/** What operators are told about a failure of a feed, whatever it threw. */
export function faultSummaryOf(
  fault: unknown,
  { redact, retryAt }: { readonly redact: (text: string) => string; readonly retryAt: number },
): FaultSummary {
  const message = redact(fault instanceof Error ? fault.message : String(fault));
  if (!(fault instanceof FeedFault)) {
    return { code: 'unexpected', reason: 'program', detail: undefined, message, retryAt };
  }
  const { code, status, systemCode } = fault;
  const reason = code === 'unavailable' ? reasonOf(fault) : reasons[code];
  const detail = status === undefined ? systemCode : `HTTP ${status}`;
  return { code, reason, detail, message, retryAt };
}

/** Why a source is not available: its name, the connection, no response, or a fault of its own. */
function reasonOf({ status, systemCode, isLate }: FeedFault): FaultReason {
  if (status !== undefined) return 'server';
  if (isLate || /TIMEDOUT|TIMEOUT/.test(systemCode ?? '')) return 'timeout';
  if (systemCode === undefined) return 'connection';
  return /^(?:ENOTFOUND|EAI_|ENODATA|ESERVFAIL)/.test(systemCode) ? 'name' : 'connection';
}
