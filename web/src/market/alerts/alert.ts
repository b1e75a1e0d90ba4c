import type { BondFigures, InstrumentInfo, Quote } from '../api/quote.ts';
import { spreadOf } from '../format/spread.ts';

/** What an alert watches. */
export const alertKinds = ['precio', 'variacion', 'volumen', 'spread', 'tir'] as const;
export type AlertKind = (typeof alertKinds)[number];

/** The direction in which a value reaches the level of an alert. */
export const alertWays = ['sube', 'baja'] as const;
export type AlertWay = (typeof alertWays)[number];

/** The position of a value relative to the level of an alert. */
export const sides = ['below', 'at', 'above'] as const;
type Side = (typeof sides)[number];

/** What an alert waits for. */
export interface Condition {
  readonly ticker: string;
  readonly kind: AlertKind;
  readonly way: AlertWay;
  /**
   * The value that is reached: a price, a change in the unit of the instrument, a nominal volume, or a
   * spread or a yield in percent.
   */
  readonly level: number;
}

/** An alert on one instrument. Only the user changes it; what was seen is in {@link Sight}. */
export interface Alert extends Condition {
  /** A changed condition has another one, so that nothing seen for the former applies to it. */
  readonly id: string;
  readonly isPaused?: true;
  /** The instant of the latest crossing whose notice the user has dismissed. */
  readonly dismissed?: number;
}

/** What has been seen of an alert. Only the tab that watches the alerts changes it. */
export interface Sight {
  readonly side: Side;
  /** The day of the session of the latest value. */
  readonly session: string;
  /** The latest crossing. */
  readonly crossed?: Crossing;
}

/** A value that reached the level of an alert. */
export interface Crossing {
  readonly value: number;
  readonly fecha: string;
  readonly hora?: string;
  /** When the page saw it, in milliseconds since 1970. */
  readonly at: number;
}

/** The values of an instrument that alerts watch: a quote, or the yield of a bond at a quote. */
export type Watched = Pick<Quote, 'especie' | 'fecha' | 'hora'> &
  Partial<Quote> &
  Partial<Pick<BondFigures, 'tir'>>;

/** Maximum number of alerts. */
export const alertsMax = 100;

/** What has been seen after a quote, and whether the quote fires the alert. */
interface Observed {
  readonly sight: Sight | undefined;
  readonly hasCrossed: boolean;
}

/**
 * Applies a quote to an alert. An alert fires once for each crossing: a value that stays beyond the
 * level, or that the alert has seen there first, does not fire it. It fires again after the value has
 * been on the other side. The stored side also finds a crossing that happened while no page was open.
 *
 * The change and the volume of a session start from zero, so a new session that opens beyond the level
 * fires the alert. A volume that the source corrects downwards does not: it fires once in a session.
 *
 * Values without the watched one leave everything as it is.
 *
 * @param now the instant of the observation, in milliseconds since 1970.
 */
export function observe(
  alert: Condition,
  seen: Sight | undefined,
  quote: Watched,
  now: number,
): Observed {
  const value = valueOf(alert.kind, quote);
  if (value === undefined) return { sight: seen, hasCrossed: false };
  const { fecha, hora } = quote;
  const before = sideBefore(alert, seen, fecha);
  const origin = originOf(alert.way);
  const isDone = alert.kind === 'volumen' && before !== undefined && before !== origin;
  const side = isDone ? before : sideOf(value, alert.level);
  const hasCrossed = before === origin && side !== origin;
  if (!hasCrossed && side === seen?.side && fecha === seen.session) {
    return { sight: seen, hasCrossed };
  }
  const crossed = hasCrossed
    ? { value, fecha, ...(hora === undefined ? {} : { hora }), at: now }
    : seen?.crossed;
  const sight = { side, session: fecha, ...(crossed === undefined ? {} : { crossed }) };
  return { sight, hasCrossed };
}

/** The side from which a value of a session comes. Undefined if there was none before. */
function sideBefore(
  { kind, level }: Condition,
  seen: Sight | undefined,
  session: string,
): Side | undefined {
  const startsFromZero = kind === 'variacion' || kind === 'volumen';
  if (seen === undefined || !startsFromZero) return seen?.side;
  if (session > seen.session) return sideOf(0, level);
  // Another service, or a replay, may have earlier sessions.
  return session === seen.session ? seen.side : undefined;
}

/** Whether the alert fires when the value crosses next. Undefined until a value has been seen. */
export function isArmed({ way }: Condition, seen: Sight | undefined): boolean | undefined {
  return seen === undefined ? undefined : seen.side === originOf(way);
}

/** How the values are read that an alert watches. */
const readers: Readonly<Record<AlertKind, (values: Watched) => number | null | undefined>> = {
  precio: ({ ultimo }) => ultimo,
  variacion: ({ variacion }) => variacion,
  volumen: ({ volumen }) => volumen,
  spread: spreadPercent,
  tir: ({ tir }) => tir,
};

/** The value that an alert watches. Undefined if the quote does not have it. */
export function valueOf(kind: AlertKind, quote: Watched): number | undefined {
  return readers[kind](quote) ?? undefined;
}

/** In percent, so that one level means the same for every price. Undefined while bid and offer cross, as in an auction. */
function spreadPercent(quote: Watched): number | undefined {
  const { value = -1, percent } = spreadOf(quote) ?? {};
  return value < 0 ? undefined : percent;
}

function sideOf(value: number, level: number): Side {
  return value < level ? 'below' : value > level ? 'above' : 'at';
}

function originOf(way: AlertWay): Side {
  return way === 'sube' ? 'below' : 'above';
}

/** A price as a level of an instrument: with its number of decimals. */
export function levelAt(
  price: number,
  info: Partial<Pick<InstrumentInfo, 'decimales'>> | undefined,
): number {
  const { decimales = 2 } = info ?? {};
  return Number(price.toFixed(decimales));
}

/** Whether the price of an instrument is a percentage: that of a gap or a rate. */
export function isInPercent(info: Pick<InstrumentInfo, 'tipo'> | undefined): boolean {
  return info?.tipo === 'brecha' || info?.tipo === 'tasa';
}
