import { failureReason } from '../../lib/network/failure-reason.ts';
import { parseHttpDate } from '../../lib/time/http-date.ts';
import { FeedFault, type FeedFaultCode } from '../contract/feed.ts';

/** The longest wait that a source may ask for, in milliseconds. */
const retryAfterMsMax = 86_400_000;

/** What a response says besides its body. */
interface ResponseHead {
  readonly status: number;
  /** The field `Retry-After`. */
  readonly retryAfter: string | null | undefined;
  /** In epoch milliseconds. */
  readonly now: number;
}

/** The fault that a status means. A status 200 that is expected to be another is one too. */
export function faultOfStatus(url: URL, { status, retryAfter, now }: ResponseHead): FeedFault {
  const message = `${url.origin}${url.pathname} answered ${status}`;
  return new FeedFault(codeOfStatus(status), message, {
    retryAfterMs: parseRetryAfter(retryAfter ?? undefined, now),
    status,
  });
}

function codeOfStatus(status: number): FeedFaultCode {
  // 418 is the status with which Binance bans an address that ignored 429.
  if (status === 429 || status === 418) return 'limited';
  if (status === 408 || status === 425 || status >= 500) return 'unavailable';
  if ([401, 402, 403, 407, 451].includes(status)) return 'refused';
  if (status >= 400) return 'invalid-request';
  return 'unintelligible';
}

/**
 * The wait that `Retry-After` asks for, in milliseconds: a number of seconds or a date (RFC 9110
 * section 10.2.3). Undefined for any other text.
 */
export function parseRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const trimmed = text.trim();
  const until = parseHttpDate(trimmed, now);
  const ms = /^\d{1,9}$/.test(trimmed) ? Number(trimmed) * 1_000 : until && until - now;
  return ms === undefined ? undefined : Math.min(Math.max(ms, 0), retryAfterMsMax);
}

/** The fault of a connection that failed. */
export function networkFault(url: URL, cause: unknown): FeedFault {
  const { code, reason } = causeOf(cause);
  const place = `${url.origin}${url.pathname}`;
  const options = { systemCode: code };
  return isCertificateFault(code)
    ? new FeedFault(
        'untrusted',
        `the certificate of ${url.origin} cannot be verified: ${code}`,
        options,
      )
    : new FeedFault('unavailable', `${place} cannot be reached: ${reason}`, options);
}

/** The code of an error and what says why it failed: the code, or the message of an error without one. */
function causeOf(error: unknown): { readonly code: string; readonly reason: string } {
  if (!(error instanceof Error)) return { code: 'unknown', reason: 'unknown' };
  const { code, text } = failureReason(error);
  return { code: code ?? error.name, reason: code ?? text };
}

/** The codes of OpenSSL and Node for a chain or a name that does not verify. */
function isCertificateFault(code: string): boolean {
  return (
    /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|CRL|HOSTNAME_MISMATCH/.test(code) ||
    code === 'INVALID_PURPOSE' ||
    code === 'PATH_LENGTH_EXCEEDED'
  );
}
