import { storedValue } from '../ui/stored-value.ts';
import { alertsMax, readAlerts } from './price-alert.ts';
import type { PriceAlert } from './price-alert.ts';

/** The alerts of this browser. */
export const priceAlerts = storedValue<readonly PriceAlert[]>({
  name: 'pizarra.alerts',
  initial: [],
  read: readAlerts,
});

/** Adds an alert. Returns whether there was room for it. */
export function addAlert(alert: Pick<PriceAlert, 'ticker' | 'way' | 'price'>): boolean {
  if (priceAlerts.value.length >= alertsMax) return false;
  const id = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;
  priceAlerts.value = [...priceAlerts.value, { id, ...alert }];
  return true;
}

/** Deletes an alert. */
export function removeAlert(id: string): void {
  priceAlerts.value = priceAlerts.value.filter((alert) => alert.id !== id);
}

/** Replaces an alert by its later state, unless it was deleted meanwhile. */
export function updateAlert(changed: PriceAlert): void {
  priceAlerts.value = priceAlerts.value.map((alert) => (alert.id === changed.id ? changed : alert));
}
