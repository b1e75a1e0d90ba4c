import type { RateLimit, ResponseNotes } from './result.ts';
/** Reads the fields of a response that concern its data. */
export declare function notesOf(headers: Headers): ResponseNotes;
/** Parses `"free";q=20;w=20` and `"free";r=12;t=8`. */
export declare function parseRateLimit(policy: string | null, state: string | null): RateLimit | undefined;
/** The seconds of a `Retry-After` field, which has a number or a date (RFC 9110 section 10.2.3). */
export declare function parseRetryAfter(field: string | null, now: number): number | undefined;
//# sourceMappingURL=response-notes.d.ts.map