/** A span of time with one offset from UTC. */
interface Span {
  readonly from: number;
  /** The instant at which the offset changes; infinite if it never does. */
  readonly to: number;
  readonly offsetMs: number;
  /** As RFC 3339 writes it: `-03:00`. */
  readonly text: string;
}

/** Maximum number of spans that are remembered. A time zone with summer time has two a year. */
const spansMax = 256;

/**
 * The offsets of a time zone. The time zone database is asked once for each span in which the offset
 * does not change, because asking it takes microseconds, and a table has thousands of rows.
 */
export class ZoneOffsets {
  readonly #timeZone: string;
  #spans: Span[] = [];
  #latest: Span;

  constructor(timeZone: string) {
    this.#timeZone = timeZone;
    this.#latest = this.#spanAt(0);
  }

  /** An instant in whole seconds with the offset of the zone (RFC 3339): `2026-11-20T17:00:00-03:00`. */
  text(epochMs: number): string {
    const { offsetMs, text } = this.#find(epochMs);
    return localText(epochMs + offsetMs) + text;
  }

  /**
   * The same of a local time.
   *
   * @param localMs the local time, in milliseconds, as if the zone were UTC. A time that a change of the
   *   offset skips or repeats gets one of the two offsets.
   */
  localText(localMs: number): string {
    const { offsetMs } = this.#find(localMs - this.#latest.offsetMs);
    return localText(localMs) + this.#find(localMs - offsetMs).text;
  }

  #find(epochMs: number): Span {
    if (isWithin(this.#latest, epochMs)) return this.#latest;
    const known = this.#spans.find((span) => isWithin(span, epochMs));
    if (known !== undefined) return (this.#latest = known);
    if (this.#spans.length >= spansMax) this.#spans = [];
    const span = this.#spanAt(epochMs);
    this.#spans.push(span);
    return (this.#latest = span);
  }

  #spanAt(epochMs: number): Span {
    const zoned = Temporal.Instant.fromEpochMilliseconds(Math.floor(epochMs)).toZonedDateTimeISO(
      this.#timeZone,
    );
    // The previous change is before the instant. The next millisecond includes a change at the instant itself.
    const since = zoned.add({ milliseconds: 1 }).getTimeZoneTransition('previous');
    const until = zoned.getTimeZoneTransition('next');
    return {
      from: since?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
      to: until?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
      offsetMs: zoned.offsetNanoseconds / 1_000_000,
      // In the text of an instant, Temporal rounds the offset to a minute, as RFC 3339 requires.
      text: /[+-]\d{2}:\d{2}$/.exec(zoned.toString({ timeZoneName: 'never' }))?.[0] ?? '+00:00',
    };
  }
}

function isWithin({ from, to }: Span, epochMs: number): boolean {
  return epochMs >= from && epochMs < to;
}

/** A local time without an offset, in whole seconds. */
function localText(localMs: number): string {
  return new Date(localMs).toISOString().slice(0, 19);
}
