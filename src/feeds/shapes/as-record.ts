import { parsePlainDate, type PlainDate } from '../../domain/calendar/plain-date.ts';
import { parseRfc3339 } from '../../domain/calendar/rfc3339.ts';

/** The fields of a JSON object. */
export type JsonFields = Readonly<Record<string, unknown>>;

/** The fields of a JSON object. Undefined for any other value. */
export function asRecord(value: unknown): JsonFields | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as JsonFields;
}

/** The fields of a JSON object. None for any other value. */
export function fieldsOf(value: unknown): JsonFields {
  return asRecord(value) ?? {};
}

/** The items of a JSON array. None for any other value. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** The value of a JSON text. Undefined for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The date that a text is, such as `2026-11-20`. Undefined for any other value. */
export function dateIn(value: unknown): PlainDate | undefined {
  return typeof value === 'string' ? parsePlainDate(value) : undefined;
}

/** The instant that a text of RFC 3339 is, in epoch milliseconds. Undefined for any other value. */
export function instantIn(value: unknown): number | undefined {
  return typeof value === 'string' ? parseRfc3339(value) : undefined;
}

/** The amount that a text is, such as `91250.50`, as some sources write amounts. Undefined for any other value. */
export function amountIn(value: unknown): number | undefined {
  const isAmountText = typeof value === 'string' && /^\d{1,15}(?:\.\d{1,15})?$/.test(value);
  return isAmountText ? Number(value) : undefined;
}

/** Whether a field is absent or null. */
export function isNone(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** The fields whose value is a price. The others are not known. */
export function pricesOf<Key extends string>(
  sent: Readonly<Record<Key, unknown>>,
): { readonly [Name in Key]?: number } {
  const prices = Object.entries(sent).filter(([, value]) => isPrice(value));
  return Object.fromEntries(prices) as { readonly [Name in Key]?: number };
}

/** Whether a value is an amount: a finite number that is not below zero. */
export function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

/** Whether a value is a price: a finite number above zero. */
export function isPrice(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}
