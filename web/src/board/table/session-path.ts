import type { IntradayRow, Quote } from '../../market/api/quote.ts';

/** The path of the price of an instrument in one session. */
export interface SessionPath {
  /** The date of the session. */
  readonly day: string;
  readonly points: readonly PathPoint[];
}

/** One price of a path: the first of the session, or that at the end of five minutes. */
interface PathPoint {
  /** Its time, in minutes since midnight in Buenos Aires. */
  readonly minute: number;
  readonly price: number;
}

/** The length of a bar of a path, in minutes, and as `intervalo` of the contract. */
const barMinutes = 5;
export const pathInterval = `${barMinutes}m`;
const dayMinutes = 24 * 60;

/** The path of the last session of some bars, which are in ascending order. */
export function pathOf(rows: readonly IntradayRow[]): SessionPath | undefined {
  const day = rows.at(-1)?.fecha;
  if (day === undefined) return undefined;
  const path = { day, points: [] };
  return rows
    .filter(({ fecha }) => fecha === day)
    .reduce<SessionPath>((whole, { hora, ...prices }) => extended(whole, hora, prices), path);
}

/**
 * The path with the price of a quote at its end. A quote of a later session begins a new path. One of
 * an earlier session, which came before the bars of the new one, and one without a time do not change
 * it.
 */
export function withQuote(
  path: SessionPath | undefined,
  { fecha, hora, ultimo }: Pick<Quote, 'fecha' | 'hora' | 'ultimo'>,
): SessionPath | undefined {
  if (hora === undefined) return path;
  if (path !== undefined && fecha < path.day) return path;
  const own = path?.day === fecha ? path : { day: fecha, points: [] };
  return extended(own, hora, { apertura: ultimo, ultimo });
}

/**
 * Adds a price at a time. Times of a path never decrease: a session that continues after midnight in
 * Buenos Aires has later minutes than a day.
 */
function extended(
  path: SessionPath,
  hora: string,
  { apertura, ultimo: price }: Pick<IntradayRow, 'apertura' | 'ultimo'>,
): SessionPath {
  const { points } = path;
  const last = points.at(-1);
  const [hours = 0, minutes = 0] = hora.split(':').map(Number);
  const start = Math.floor((hours * 60 + minutes) / barMinutes) * barMinutes;
  let minute = start + barMinutes;
  if (last !== undefined && minute < last.minute - dayMinutes / 2) minute += dayMinutes;
  if (last === undefined) {
    const first = { minute: start, price: apertura };
    return { ...path, points: [first, { minute, price }] };
  }
  if (minute > last.minute) {
    return { ...path, points: [...points, { minute, price }] };
  }
  if (last.price === price) return path;
  return { ...path, points: [...points.slice(0, -1), { ...last, price }] };
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
  { points }: SessionPath,
  previous: number | undefined,
  { width, height }: { readonly width: number; readonly height: number },
): PathDrawing {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return { line: '', baseY: undefined };
  const prices = points.map(({ price }) => price);
  const own = Math.max(...prices) - Math.min(...prices);
  const withPrevious = previous === undefined ? prices : [...prices, previous];
  const whole = Math.max(...withPrevious) - Math.min(...withPrevious);
  const hasBase = previous !== undefined && own >= whole * pathPartMin;
  const all = hasBase ? withPrevious : prices;
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const span = last.minute - first.minute;
  const x = (minute: number) => (span === 0 ? width : ((minute - first.minute) / span) * width);
  const y = (price: number) =>
    high === low ? height / 2 : ((high - price) / (high - low)) * height;
  const places = points.map(({ minute, price }) => `${rounded(x(minute))},${rounded(y(price))}`);
  // A single price is a dash of the whole width.
  const start = span === 0 ? `0,${rounded(y(first.price))} ` : '';
  return {
    line: `M${start}${places.join(' ')}`,
    baseY: hasBase ? rounded(y(previous)) : undefined,
  };
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
