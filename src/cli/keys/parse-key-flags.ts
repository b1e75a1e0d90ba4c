import { InvalidArgumentError } from 'commander';
import type { KeyLabels } from '../../domain/api-key.ts';
import { addDays, parsePlainDate } from '../../domain/plain-date.ts';
import { allowanceForm, parseAllowance } from '../../domain/rate-limit.ts';
import type { Allowance } from '../../domain/rate-limit.ts';

/** The zone in which an operator's dates are meant. */
const timeZone = 'America/Argentina/Buenos_Aires';

/** Most characters of the value of a label, and most labels of a key. */
const labelCharactersMax = 100;
const labelsMax = 20;

const unitMs: ReadonlyMap<string, number> = new Map([
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** Who or what a key is for. */
export function parseName(text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= 100 && !/\p{Cc}/u.test(name)) return name;
  throw new InvalidArgumentError('It takes 1 to 100 printable characters.');
}

/** When a key ends, in epoch milliseconds: a day is meant whole, so it ends as the next one begins. */
export function parseExpiry(text: string): number {
  const date = parsePlainDate(text);
  if (date !== undefined) {
    const next = Temporal.PlainDate.from(addDays(date, 1));
    return next.toZonedDateTime(timeZone).epochMilliseconds;
  }
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    throw new InvalidArgumentError(
      'It takes a day (2027-01-31) or an instant (2027-01-31T12:00:00Z).',
    );
  }
}

/** One more label, with those before it. */
export function parseLabel(text: string, before: KeyLabels = {}): KeyLabels {
  const match = /^([a-z][a-z0-9_.-]{0,39})=(.*)$/.exec(text);
  const [, name = '', value = ''] = match ?? [];
  if (match === null || value.length > labelCharactersMax || /[\p{Cc}\s]/u.test(value)) {
    throw new InvalidArgumentError('It takes NAME=VALUE, such as team=desk, without white space.');
  }
  const labels = { ...before, [name]: value };
  if (Object.keys(labels).length <= labelsMax) return labels;
  throw new InvalidArgumentError(`A key has at most ${labelsMax} labels.`);
}

/** How much a key may ask for. */
export function parseLimit(text: string): Allowance {
  const allowance = parseAllowance(text);
  if (allowance !== undefined) return allowance;
  throw new InvalidArgumentError(`It takes ${allowanceForm}.`);
}

/** A length of time, in milliseconds; at most a year. */
export function parseDuration(text: string): number {
  if (text === '0') return 0;
  const match = /^(\d{1,8})([smhd])$/.exec(text);
  const ms = Number(match?.[1]) * (unitMs.get(match?.[2] ?? '') ?? Number.NaN);
  if (ms <= 366 * 86_400_000) return ms;
  throw new InvalidArgumentError('It takes 90s, 30m, 24h, 7d or 0, and at most 366d.');
}

/** How many of something. */
export function parseCount(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes a whole number from 1 to 999999.');
}
