import { InvalidArgumentError } from 'commander';

import { keyNameForm, parseKeyName, type KeyLabels } from '../../domain/access/api-key.ts';
import { endOfExpiryDay } from '../../domain/access/expiry-day.ts';
import { allowanceForm, parseAllowance } from '../../domain/access/rate-limit.ts';
import { parsePlainDate } from '../../domain/calendar/plain-date.ts';
import { isPersonName, personForm } from '../../node/keys/keys.ts';
import { valid } from '../form/flags.ts';

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

export const parseName = valid(parseKeyName, `Valid: ${keyNameForm}.`);

/** Parses the expiry of a key, in epoch milliseconds. A day is included, so the key expires at its end. */
export const parseExpiry = valid((text) => {
  const date = parsePlainDate(text);
  if (date !== undefined) return endOfExpiryDay(Temporal.PlainDate.from(date));
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    return undefined;
  }
}, 'Valid: a day (2027-01-31) or an instant (2027-01-31T12:00:00Z).');

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

export const parseLimit = valid(parseAllowance, `Valid: ${allowanceForm}.`);

/** Parses a length of time, in milliseconds. The maximum is 366 days. */
export const parseDuration = valid((text) => {
  if (text === '0') return 0;
  const match = /^(\d{1,8})([smhd])$/.exec(text);
  const ms = Number(match?.[1]) * (unitMs.get(match?.[2] ?? '') ?? Number.NaN);
  return ms <= 366 * 86_400_000 ? ms : undefined;
}, 'Valid: a time such as 90s, 30m, 24h or 7d, at most 366d, or 0.');

/** Parses a count. */
export const parseCount = valid(
  (text) => (/^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined),
  'Valid: a whole number from 1 to 999999.',
);

/** The option `--as`: who changes a key, for the audit log. */
export const personFlag = {
  value: '<NAME>',
  text: 'who makes the change, for the audit log (default: the user of sudo)',
  parse: valid((name) => (isPersonName(name) ? name : undefined), `Valid: ${personForm}.`),
} as const;

export const keyIdArgument = ['<ID>', 'the id of the key, as in "keys list"'] as const;
