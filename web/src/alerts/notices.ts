import { signal } from '@preact/signals';

import { formatDay, formatPrice } from '../market/format/numbers.ts';
import { formatRoute, instrumentRoute } from '../places/route.ts';
import type { PriceAlert } from './price-alert.ts';

/** Maximum number of notices on the page. The oldest is removed first. */
const noticesMax = 5;

/** The alerts that fired and that the user has not dismissed, the latest last. */
export const notices = signal<readonly PriceAlert[]>([]);

/** Whether the browser shows notifications of this page. */
export type Permission =
  | NotificationPermission
  /** The browser has no notifications, or none for a page without TLS. */
  | 'unavailable';

export const permission = signal<Permission>(readPermission());

/** Asks the user for notifications, as the reaction to a click. */
export async function askPermission(): Promise<void> {
  if (permission.value === 'unavailable') return;
  await Notification.requestPermission();
  permission.value = readPermission();
}

/** Shows that an alert fired: on the page and, if the user allowed it, as a notification. */
export function announce(alert: PriceAlert): void {
  const others = notices.value.filter(({ id }) => id !== alert.id);
  notices.value = [...others, alert].slice(-noticesMax);
  notify(alert);
}

/** Removes a notice. */
export function dismiss(id: string): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}

/** The condition of an alert: `GGAL sube hasta 7.500,00`. */
export function conditionText({ ticker, way, price }: PriceAlert): string {
  return `${ticker} ${way} hasta ${formatPrice(price)}`;
}

/** The latest crossing of an alert: `7.510,00 el 20/11/2026 a las 15:03:11`. */
export function crossingText({ crossed }: PriceAlert): string {
  if (crossed === undefined) return '';
  const time = crossed.hora === undefined ? '' : ` a las ${crossed.hora}`;
  return `${formatPrice(crossed.price)} el ${formatDay(crossed.fecha)}${time}`;
}

function notify(alert: PriceAlert): void {
  if (permission.value !== 'granted') return;
  try {
    const options = { body: crossingText(alert), tag: `pizarra.${alert.id}` };
    const notification = new Notification(conditionText(alert), options);
    notification.addEventListener('click', () => {
      window.focus();
      location.hash = formatRoute(instrumentRoute(alert.ticker));
      notification.close();
    });
  } catch {
    // Browsers of phones refuse notifications of a page without a service worker.
    permission.value = 'unavailable';
  }
}

function readPermission(): Permission {
  return isSecureContext && 'Notification' in window ? Notification.permission : 'unavailable';
}
