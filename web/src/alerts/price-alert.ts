import type { Quote } from '../market/api/quote.ts';

/** The direction in which a price reaches the price of an alert. */
export type AlertWay = 'sube' | 'baja';

/** The position of a price relative to the price of an alert. */
type Side = 'below' | 'at' | 'above';

/** An alert on the price of one instrument. */
export interface PriceAlert {
  readonly id: string;
  readonly ticker: string;
  readonly way: AlertWay;
  readonly price: number;
  /** The position of the latest price. Undefined until a price has been seen. */
  readonly side?: Side;
  /** The latest crossing. */
  readonly crossed?: Crossing;
}

/** A price that crossed that of an alert. */
interface Crossing {
  readonly price: number;
  readonly fecha: string;
  readonly hora?: string;
}

/** Maximum number of alerts. */
export const alertsMax = 100;

/** An alert after a price, and whether the price crossed that of the alert. */
export interface Observed {
  readonly alert: PriceAlert;
  readonly hasCrossed: boolean;
}

/**
 * Applies a price to an alert. An alert fires once for each crossing: a price that stays beyond, or
 * that the alert has seen there first, does not fire it. It fires again after the price has been on
 * the other side. The stored side also finds a crossing that happened while no page was open.
 */
export function observe(alert: PriceAlert, quote: Quote): Observed {
  const { ultimo, fecha, hora } = quote;
  const side = ultimo < alert.price ? 'below' : ultimo > alert.price ? 'above' : 'at';
  if (side === alert.side) return { alert, hasCrossed: false };
  const origin = originOf(alert.way);
  const hasCrossed = alert.side === origin && side !== origin;
  const crossed = { price: ultimo, fecha, ...(hora === undefined ? {} : { hora }) };
  return { alert: { ...alert, side, ...(hasCrossed ? { crossed } : {}) }, hasCrossed };
}

/** Whether the alert fires when the price crosses next. Undefined until a price has been seen. */
export function isArmed({ way, side }: PriceAlert): boolean | undefined {
  return side === undefined ? undefined : side === originOf(way);
}

function originOf(way: AlertWay): Side {
  return way === 'sube' ? 'below' : 'above';
}

/** The alerts of a stored value, or undefined if it does not contain alerts. */
export function readAlerts(value: unknown): readonly PriceAlert[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.every((one: unknown) => isAlert(one)) ? value : undefined;
}

function isAlert(value: unknown): value is PriceAlert {
  if (typeof value !== 'object' || value === null) return false;
  const { id, ticker, way, price, side, crossed } = value as Partial<
    Record<keyof PriceAlert, unknown>
  >;
  return (
    typeof id === 'string' &&
    typeof ticker === 'string' &&
    (way === 'sube' || way === 'baja') &&
    typeof price === 'number' &&
    (side === undefined || side === 'below' || side === 'at' || side === 'above') &&
    (crossed === undefined || isCrossing(crossed))
  );
}

function isCrossing(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { price, fecha, hora } = value as Partial<Record<keyof Crossing, unknown>>;
  const hasTime = hora === undefined || typeof hora === 'string';
  return typeof price === 'number' && typeof fecha === 'string' && hasTime;
}
