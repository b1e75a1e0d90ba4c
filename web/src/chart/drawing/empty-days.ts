import { formatDay } from '../../market/format/numbers.ts';
import { dayMinutes } from '../../market/session-path.ts';
import type { RangeCode } from '../../places/route.ts';
import type { Bar, ChartTime } from './bars.ts';

/** The first and the last day of a range of the calendar. */
export interface Span {
  readonly first: string;
  readonly last: string;
}

const dayMs = 86_400_000;
/**
 * Maximum number of weekdays before the first bar that can all be holidays. If a series begins later in its range,
 * the instrument has no older data, and a text says so.
 */
const holidaysMax = 5;

/**
 * The weekdays of a range before the first time of its lines, and those after the last one. The axis of
 * the chart has them too, so that it shows the whole range.
 */
export function emptyDays(times: readonly ChartTime[], span: Span | undefined): readonly string[] {
  if (span === undefined) return [];
  const [first, last] = [String(times[0] ?? nextDay(span.last)), String(times.at(-1) ?? '')];
  const after = last === '' ? nextDay(span.last) : nextDay(last);
  return [...weekdays(span.first, first), ...weekdays(after, nextDay(span.last))];
}

/** The times of the axis on which no line has a value: of a range of days, or of the session in progress. */
export function emptyTimesOf(
  times: readonly ChartTime[],
  {
    span,
    range,
    end,
  }: {
    readonly span: Span | undefined;
    readonly range: RangeCode;
    readonly end: number | undefined;
  },
): readonly ChartTime[] {
  return range === '1d' ? restOfSession(times, end) : emptyDays(times, span);
}

/** The times after the last bar of a session, up to its end, so that the axis shows the whole session. */
function restOfSession(times: readonly ChartTime[], end: number | undefined): readonly number[] {
  const last = times.at(-1);
  if (typeof last !== 'number' || end === undefined) return [];
  const count = Math.max(0, Math.min(dayMinutes, Math.floor((end - last) / 60)));
  return Array.from({ length: count }, (_, at) => last + (at + 1) * 60);
}

/** What a reader must know of a range that lines do not fill, a sentence for each such line. */
export function missingTexts(
  lines: readonly { readonly name: string; readonly bars: readonly Bar[] }[],
  span: Span | undefined,
): readonly string[] {
  if (span === undefined) return [];
  return lines.flatMap(({ name, bars }) => {
    const [first, last] = [bars[0]?.day, bars.at(-1)?.day];
    if (first === undefined || last === undefined) return [];
    if (last < span.first) {
      return `${name} no tiene ruedas en este rango. La última es del ${formatDay(last)}.`;
    }
    if (weekdays(span.first, first).length <= holidaysMax) return [];
    return `${name} tiene datos desde el ${formatDay(first)}.`;
  });
}

/** The weekdays from a day on, up to the one before `end`. */
function weekdays(start: string, end: string): readonly string[] {
  const days: string[] = [];
  for (let day = start; day < end; day = nextDay(day)) {
    if (new Date(day).getUTCDay() % 6 !== 0) days.push(day);
  }
  return days;
}

function nextDay(day: string): string {
  return new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10);
}
