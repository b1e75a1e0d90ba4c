import { alertKinds, alertWays, sides, type Alert, type Sight } from './alert.ts';

/** What has been seen of each alert, by its identifier. */
export type Sights = Readonly<Record<string, Sight>>;

/** The alerts of a stored value, or undefined if it does not contain alerts. */
export function readAlerts(value: unknown): readonly Alert[] | undefined {
  return Array.isArray(value) && value.every(isAlert) ? value : undefined;
}

/** What a stored value says was seen, or undefined if it is something else. */
export function readSights(value: unknown): Sights | undefined {
  return isRecord(value) && Object.values(value).every(isSight) ? (value as Sights) : undefined;
}

/** Alerts with what has been seen of them. */
interface Stored {
  readonly alerts: readonly Alert[];
  readonly sights: Sights;
}

/**
 * The alerts of the form in which the browser stored them when there were only alerts on prices: with
 * `price`, and with the side and the crossing in the alert itself. The user has seen their crossings.
 */
export function readFormerAlerts(value: unknown): Stored | undefined {
  if (!Array.isArray(value) || !value.every(isFormerAlert)) return undefined;
  return {
    alerts: value.map(({ id, ticker, way, price }) => ({
      id,
      ticker,
      kind: 'precio',
      way,
      level: price,
      dismissed: 0,
    })),
    sights: Object.fromEntries(
      value.flatMap(({ id, side, crossed }) => {
        if (side === undefined) return [];
        if (crossed === undefined) return [[id, { side, session: '' }]];
        const { price, ...day } = crossed;
        return [[id, { side, session: crossed.fecha, crossed: { value: price, ...day, at: 0 } }]];
      }),
    ),
  };
}

interface FormerAlert extends Pick<Alert, 'id' | 'ticker' | 'way'>, Partial<Pick<Sight, 'side'>> {
  readonly price: number;
  readonly crossed?: { readonly price: number; readonly fecha: string; readonly hora?: string };
}

function isAlert(value: unknown): value is Alert {
  return (
    isRecord(value) &&
    isNamed(value) &&
    isOneOf(alertKinds, value['kind']) &&
    isFiniteNumber(value['level']) &&
    (value['isPaused'] === undefined || value['isPaused'] === true) &&
    (value['dismissed'] === undefined || isFiniteNumber(value['dismissed']))
  );
}

function isFormerAlert(value: unknown): value is FormerAlert {
  if (!isRecord(value) || !isNamed(value) || !isFiniteNumber(value['price'])) return false;
  const { side, crossed } = value;
  return (
    (side === undefined || isOneOf(sides, side)) &&
    (crossed === undefined ||
      (isRecord(crossed) && isFiniteNumber(crossed['price']) && hasTime(crossed)))
  );
}

function isSight(value: unknown): value is Sight {
  if (!isRecord(value)) return false;
  const { side, session, crossed } = value;
  return (
    isOneOf(sides, side) &&
    typeof session === 'string' &&
    (crossed === undefined ||
      (isRecord(crossed) &&
        isFiniteNumber(crossed['value']) &&
        isFiniteNumber(crossed['at']) &&
        hasTime(crossed)))
  );
}

/** Whether a value has what every alert has had from the start. */
function isNamed({ id, ticker, way }: Readonly<Record<string, unknown>>): boolean {
  return typeof id === 'string' && typeof ticker === 'string' && isOneOf(alertWays, way);
}

function hasTime({ fecha, hora }: Readonly<Record<string, unknown>>): boolean {
  return typeof fecha === 'string' && (hora === undefined || typeof hora === 'string');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFiniteNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

function isOneOf(values: readonly string[], value: unknown): boolean {
  return values.some((one) => one === value);
}
