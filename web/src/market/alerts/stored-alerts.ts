import { computed } from '@preact/signals';

import { storedValue } from '../../ui/stored-value.ts';
import {
  alertKinds,
  alertsMax,
  alertWays,
  sides,
  type Alert,
  type Condition,
  type Crossing,
  type Sight,
} from './alert.ts';

/** What has been seen of each alert, by its identifier. */
type Sights = Readonly<Record<string, Sight>>;

/**
 * The alerts of this browser. Only the user changes them. What was seen of them is another entry, so
 * that a tab that stores what it has seen cannot undo a change of the user in another tab.
 */
export const alerts = storedValue<readonly Alert[]>({
  name: 'pizarra.alert-conditions',
  initial: [],
  read: readAlerts,
});

/** What has been seen of the alerts. Only the tab that watches them changes it. */
export const sights = storedValue<Sights>({
  name: 'pizarra.alert-sights',
  initial: {},
  read: readSights,
});

/** An alert that fired. */
interface Fired {
  readonly alert: Alert;
  readonly crossed: Crossing;
}

/** The alerts that fired and whose notice the user has not dismissed, the latest last. */
export const undismissed = computed<readonly Fired[]>(() =>
  alerts.value
    .flatMap((alert) => {
      const crossed = sights.value[alert.id]?.crossed;
      return crossed === undefined || crossed.at <= (alert.dismissed ?? 0)
        ? []
        : { alert, crossed };
    })
    .toSorted((a, b) => a.crossed.at - b.crossed.at),
);

/** Adds an alert. Returns whether there was room for it. */
export function addAlert(condition: Condition): boolean {
  if (alerts.value.length >= alertsMax) return false;
  alerts.value = [...alerts.value, { id: newId(), ...condition }];
  return true;
}

/** Replaces the condition of an alert, which waits for its first value again. */
export function changeAlert(id: string, condition: Condition): void {
  replaceAlert(id, () => ({ id: newId(), ...condition }));
}

/** Pauses an alert. A crossing during the pause is not announced, also not later. */
export function pauseAlert(id: string): void {
  replaceAlert(id, (alert) => ({ ...alert, isPaused: true }));
}

/** Ends a pause. The alert waits for its first value again. */
export function resumeAlert(id: string): void {
  replaceAlert(id, ({ ticker, kind, way, level }) => ({ id: newId(), ticker, kind, way, level }));
}

/** Removes the notice of the latest crossing, in all tabs. */
export function dismissNotice(id: string): void {
  const at = sights.value[id]?.crossed?.at;
  if (at !== undefined) replaceAlert(id, (alert) => ({ ...alert, dismissed: at }));
}

/** Replaces all alerts. Nothing seen before applies to the new ones. */
export function replaceAlerts(all: readonly (Condition & Pick<Alert, 'isPaused'>)[]): void {
  alerts.value = all.map((one) => ({ id: newId(), ...one }));
}

/** Deletes an alert. */
export function removeAlert(id: string): void {
  alerts.value = alerts.value.filter((alert) => alert.id !== id);
}

/** Stores what has been seen of an alert, and forgets alerts that do not exist any more. */
export function storeSight(id: string, sight: Sight): void {
  const known = new Set(alerts.value.map((alert) => alert.id));
  const kept = Object.entries(sights.value).filter(([one]) => known.has(one));
  sights.value = { ...Object.fromEntries(kept), [id]: sight };
}

function replaceAlert(id: string, change: (alert: Alert) => Alert): void {
  alerts.value = alerts.value.map((alert) => (alert.id === id ? change(alert) : alert));
}

function newId(): string {
  return `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;
}

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
