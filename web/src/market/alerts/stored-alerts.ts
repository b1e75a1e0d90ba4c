import { computed } from '@preact/signals';

import { storedValue } from '../../ui/stored-value.ts';
import { alertsMax, type Alert, type Condition, type Crossing, type Sight } from './alert.ts';
import { readAlerts, readSights, type Sights } from './read-alerts.ts';

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
