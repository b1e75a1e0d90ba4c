import { parseRfc3339 } from '../../domain/calendar/rfc3339.ts';
import { instantText } from '../../lib/time/instant-text.ts';
import type { Parsed, Problem } from '../../domain/values/problem.ts';
import { parseOptional, type QueryValues } from './query-text.ts';

/** The instant as of which a request asks, in epoch milliseconds. */
export interface KnownAt {
  readonly knownAt: number;
}

/** A request that may ask as of an instant. Without one, it asks for what is stored now. */
export type MaybeKnownAt = Partial<KnownAt>;

const parameter = 'conocido';

/** An instant whose `+` was decoded to a space (contract 2.5.2). */
const lostSign = / \d{2}:\d{2}$/;

/** What a request without `conocido` asks for. */
const present: Parsed<MaybeKnownAt> = { ok: true, value: {} };

/** Parses `conocido` (contract 4.18.1). Nothing is added to a request without it. */
export function parseKnownAt(values: QueryValues<typeof parameter>): Parsed<MaybeKnownAt> {
  if (values[parameter].length === 0) return present;
  const instant = parseOptional(parameter, values[parameter], (value): Parsed<number> => {
    const parsed = parseRfc3339(value);
    if (parsed !== undefined) return { ok: true, value: parsed };
    const isSignLost =
      parseRfc3339(value.replace(lostSign, (zone) => zone.replace(' ', '+'))) !== undefined;
    const type = isSignLost ? 'instant-without-sign' : 'instant-malformed';
    return { ok: false, problem: { type, parameter, value } };
  });
  if (!instant.ok) return instant;
  return { ok: true, value: instant.value === undefined ? {} : { knownAt: instant.value } };
}

/** How far an instant may be ahead of the clock of the service: that of the client may be fast. */
export const aheadMsMax = 60_000;

/**
 * The problem of an instant that is to come (contract 4.18.3). What will be known then is not known, and the
 * response would not stay the same.
 *
 * @param now in epoch milliseconds
 */
export function instantToCome({ knownAt }: KnownAt, now: number): Problem | undefined {
  if (knownAt <= now + aheadMsMax) return undefined;
  const [value = '', nowText = ''] = [knownAt, now].map(instantText);
  return { type: 'instant-to-come', parameter, value, now: nowText };
}
