import { InvalidArgumentError, Option } from 'commander';
import { isPersonName, personForm } from '../../node/keys/key-actor.ts';
import { keyNameForm, parseKeyName, type KeyLabels } from '../../domain/access/api-key.ts';
import { parsePlainDate } from '../../domain/calendar/plain-date.ts';
import { endOfExpiryDay } from '../../domain/access/expiry-day.ts';
import { allowanceForm, parseAllowance, type Allowance } from '../../domain/access/rate-limit.ts';

/** Maximum length of the value of a label, in characters. */
const labelCharactersMax = 100;
/** Maximum number of labels of a key. */
const labelsMax = 20;

const unitMs: ReadonlyMap<string, number> = new Map([
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** Parses the name of a key. */
export function parseName(text: string): string {
  const name = parseKeyName(text);
  if (name === undefined) throw new InvalidArgumentError(`Valid: ${keyNameForm}.`);
  return name;
}

/** Parses the expiry of a key, in epoch milliseconds. A day is included, so the key expires at its end. */
export function parseExpiry(text: string): number {
  const date = parsePlainDate(text);
  if (date !== undefined) return endOfExpiryDay(Temporal.PlainDate.from(date));
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    throw new InvalidArgumentError(
      'Valid: a day (2027-01-31) or an instant (2027-01-31T12:00:00Z).',
    );
  }
}

/** Parses a label, and adds it to those before it. */
export function parseLabel(text: string, before: KeyLabels = {}): KeyLabels {
  const match = /^([a-z][a-z0-9_.-]{0,39})=(.*)$/.exec(text);
  const [, name = '', value = ''] = match ?? [];
  if (match === null || value.length > labelCharactersMax || /[\p{Cc}\s]/u.test(value)) {
    throw new InvalidArgumentError('Valid: NAME=VALUE without white space, such as team=desk.');
  }
  const labels = { ...before, [name]: value };
  if (Object.keys(labels).length <= labelsMax) return labels;
  throw new InvalidArgumentError(`A key has at most ${labelsMax} labels.`);
}

/** Parses a rate limit. */
export function parseLimit(text: string): Allowance {
  const allowance = parseAllowance(text);
  if (allowance !== undefined) return allowance;
  throw new InvalidArgumentError(`Valid: ${allowanceForm}.`);
}

/** Parses a length of time, in milliseconds. The maximum is 366 days. */
export function parseDuration(text: string): number {
  if (text === '0') return 0;
  const match = /^(\d{1,8})([smhd])$/.exec(text);
  const ms = Number(match?.[1]) * (unitMs.get(match?.[2] ?? '') ?? Number.NaN);
  if (ms <= 366 * 86_400_000) return ms;
  throw new InvalidArgumentError('Valid: a time such as 90s, 30m, 24h or 7d, at most 366d, or 0.');
}

/** Parses a count. */
export function parseCount(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Valid: a whole number from 1 to 999999.');
}

/** The option `--as`: who changes a key, for the audit log. */
export function personOption(): Option {
  const description = 'who makes the change, for the audit log (default: the user of sudo)';
  return new Option('--as <NAME>', description).argParser((name) => {
    if (isPersonName(name)) return name;
    throw new InvalidArgumentError(`Valid: ${personForm}.`);
  });
}
