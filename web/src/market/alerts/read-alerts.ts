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

function isAlert(value: unknown): value is Alert {
  return (
    isRecord(value) &&
    typeof value['id'] === 'string' &&
    typeof value['ticker'] === 'string' &&
    isOneOf(alertWays, value['way']) &&
    isOneOf(alertKinds, value['kind']) &&
    isFiniteNumber(value['level']) &&
    (value['isPaused'] === undefined || value['isPaused'] === true) &&
    (value['dismissed'] === undefined || isFiniteNumber(value['dismissed']))
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
