import type { PathRow, Quote } from './api/quote.ts';
import { buenosAiresDay, formatClock } from './format/buenos-aires.ts';
import { marketOf } from './freshness.ts';

/** The path of the price of an instrument in one session, in equal steps from its open. */
export interface SessionPath {
  /** The date of the session. */
  readonly day: string;
  /** The open, in minutes since midnight in Buenos Aires. */
  readonly openMinute: number;
  /** The length of a step, in minutes. */
  readonly stepMinutes: number;
  /** The last price of each step. Null for a step without a price. */
  readonly prices: readonly (number | null)[];
}

export const dayMinutes = 24 * 60;
/** Maximum number of steps of a session (contract 2.10.1). */
const stepsMax = 100;
/** The length of a step while that of the session is not known, in minutes. */
const usualStepMinutes = 5;

/** The path of a row of `/recorridos`. */
export function pathOf({ fecha, desde, pasoMinutos, valores }: PathRow): SessionPath {
  return {
    day: fecha,
    openMinute: minuteOf(desde),
    stepMinutes: pasoMinutos,
    prices: valores,
  };
}

/**
 * The path with the price of a quote at its end. A quote of a later session begins a new path with the
 * hours of the path before. A quote of an earlier session or step, and one without a time, changes nothing.
 */
export function withQuote(
  path: SessionPath | undefined,
  { fecha, hora, ultimo }: Pick<Quote, 'fecha' | 'hora' | 'ultimo'>,
): SessionPath | undefined {
  if (hora === undefined) return path;
  const own = path ?? emptyPath(fecha, minuteOf(hora));
  if (fecha < own.day) return path;
  const { prices, ...session } = fecha === own.day ? own : { ...own, day: fecha, prices: [] };
  const step = stepAt(session, minuteOf(hora));
  if (step < prices.length - 1 || prices[step] === ultimo) return path;
  const before = prices.slice(0, step);
  const gap = Array.from({ length: step - before.length }, () => null);
  return { ...session, prices: [...before, ...gap, ultimo] };
}

function emptyPath(day: string, minute: number): SessionPath {
  const openMinute = minute - (minute % usualStepMinutes);
  return { day, openMinute, stepMinutes: usualStepMinutes, prices: [] };
}

/**
 * The number of the step of a time of day. A session may continue after midnight in Buenos Aires. A time
 * from before the open is in the first step, and one from after the last step in that one.
 */
export function stepAt(
  { openMinute, stepMinutes }: Pick<SessionPath, 'openMinute' | 'stepMinutes'>,
  minute: number,
): number {
  const passed = (minute - openMinute + dayMinutes) % dayMinutes;
  const length = stepsMax * stepMinutes;
  if (passed < length) return Math.floor(passed / stepMinutes);
  return passed - length < dayMinutes - passed ? stepsMax - 1 : 0;
}

/** The minutes since midnight of a time `HH:MM:SS`. */
export function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** The time of day at which a step of a path begins: `14:35`. */
export function stepTime(
  { openMinute, stepMinutes }: Pick<SessionPath, 'openMinute' | 'stepMinutes'>,
  step: number,
): string {
  return timeOfDay((openMinute + step * stepMinutes) % dayMinutes);
}

/** A number of minutes since midnight as a time of day: `14:35`. */
export function timeOfDay(minutes: number): string {
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60];
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

/** The first and the last price of a path. Undefined without a price. */
export function pathEnds({
  prices,
}: SessionPath): { readonly first: number; readonly last: number } | undefined {
  const first = prices.find((price) => price !== null) ?? undefined;
  const last = prices.findLast((price) => price !== null) ?? undefined;
  return first === undefined || last === undefined ? undefined : { first, last };
}

/** A path as a drawing. */
export interface PathDrawing {
  /** The commands of an SVG path. */
  readonly line: string;
  /** The height of the previous close, if it is known. */
  readonly baseY: number | undefined;
}

/** The previous close is left out if it would make the path flatter than this part of the height. */
const pathPartMin = 0.3;

/**
 * Draws a path into a box. The previous close is within the box, so that the line shows which prices
 * are above it, unless it is too far from the path.
 */
export function drawPath(
  { prices }: Pick<SessionPath, 'prices'>,
  previous: number | undefined,
  {
    width,
    height,
    steps = 0,
  }: {
    readonly width: number;
    readonly height: number;
    /** The steps of the whole session, if it goes on. The path is drawn in the part that has passed. */
    readonly steps?: number;
  },
): PathDrawing {
  let [low, high] = [Infinity, -Infinity];
  for (const price of prices) {
    if (price === null) continue;
    if (price < low) low = price;
    if (price > high) high = price;
  }
  if (high < low) return { line: '', baseY: undefined };
  const own = high - low;
  const whole = previous === undefined ? own : Math.max(high, previous) - Math.min(low, previous);
  const hasBase = previous !== undefined && own >= whole * pathPartMin;
  const floor = hasBase ? Math.min(low, previous) : low;
  const span = hasBase ? whole : own;
  const y = (price: number) =>
    rounded(span === 0 ? height / 2 : height - ((price - floor) / span) * height);
  const last = Math.max(prices.length, steps) - 1;
  const stepWidth = last < 1 ? 0 : width / last;
  const places: string[] = [];
  for (const [step, price] of prices.entries()) {
    if (price !== null) places.push(`${rounded(step * stepWidth)},${y(price)}`);
  }
  const [only] = places;
  // A single price is a dash of the whole width.
  const line =
    places.length === 1 && only !== undefined
      ? `M0,${only.split(',')[1]}H${width}`
      : `M${places.join(' ')}`;
  return { line, baseY: hasBase ? y(previous) : undefined };
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

/**
 * When the session of a day ends, in seconds of the time in Buenos Aires read as UTC, as charts have it. Undefined
 * unless the market of the instrument is in that session.
 */
export function sessionEnd(ticker: string, day: string | undefined): number | undefined {
  const market = marketOf(ticker);
  if (market?.estado !== 'abierto' || market.rueda !== day) return undefined;
  const end = Date.parse(market.cambia);
  return Date.parse(`${buenosAiresDay(end)}T${formatClock(end)}Z`) / 1_000;
}

/** The number of steps of the whole session of a path, so that an early session is not stretched. Zero if unknown. */
export function sessionSteps(
  ticker: string,
  { day, openMinute, stepMinutes }: Pick<SessionPath, 'day' | 'openMinute' | 'stepMinutes'>,
): number {
  const end = sessionEnd(ticker, day);
  if (end === undefined) return 0;
  const endMinute = minuteOf(new Date(end * 1_000).toISOString().slice(11, 19));
  const minutes = (endMinute - openMinute + dayMinutes) % dayMinutes || dayMinutes;
  return Math.min(stepsMax, Math.ceil(minutes / stepMinutes));
}
