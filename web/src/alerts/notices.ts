import { signal, type Signal } from '@preact/signals';

import { changeUnitOf, instruments } from '../market/instruments.ts';
import { formatRoute, instrumentRoute } from '../places/route.ts';
import type { Alert, Crossing } from './alert.ts';
import { conditionText, crossingText } from './alert-texts.ts';

/** Whether the browser shows notifications of this page. */
export type Permission =
  | NotificationPermission
  /** The browser has no notifications, or none for a page without TLS. */
  | 'unavailable';

let known: Signal<Permission> | undefined;

/** The present permission. It is read when it is first needed, because a browser takes long to tell it. */
export function permission(): Signal<Permission> {
  known ??= signal(readPermission());
  return known;
}

/** Asks the user for notifications, as the reaction to a click. */
export async function askPermission(): Promise<void> {
  if (permission().value === 'unavailable') return;
  await Notification.requestPermission();
  permission().value = readPermission();
}

/** Shows a notification that an alert fired, if the user allowed it. */
export function notify(alert: Alert, crossed: Crossing): void {
  // The user may have allowed it in another tab.
  permission().value = readPermission();
  if (permission().peek() !== 'granted') return;
  const unit = changeUnitOf(instruments.value.get(alert.ticker));
  try {
    const options = {
      body: crossingText(alert.kind, crossed, unit),
      // Another tab that announces the same crossing replaces this notification.
      tag: `pizarra.${alert.id}`,
    };
    const notification = new Notification(conditionText(alert, unit), options);
    notification.addEventListener('click', () => {
      window.focus();
      location.hash = formatRoute(instrumentRoute(alert.ticker));
      notification.close();
    });
  } catch {
    // Browsers of phones refuse notifications of a page without a service worker.
    permission().value = 'unavailable';
  }
}

function readPermission(): Permission {
  return isSecureContext && 'Notification' in window ? Notification.permission : 'unavailable';
}
