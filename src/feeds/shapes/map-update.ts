import {
  bookFieldNames,
  plainFieldNames,
  type BookField,
  type PlainField,
} from '../../domain/quotes/quote-fields.ts';
import { foldTicker, type Ticker } from '../../domain/instruments/ticker.ts';
import type { Update } from '../../domain/quotes/update.ts';
import { parseRfc3339 } from '../../domain/calendar/rfc3339.ts';

/** Why a pushed value is not an update. The engine may still refuse a value that is one. */
type PushRefusal =
  | 'not-json'
  | 'not-an-object'
  | 'unknown-field'
  | 'missing-field'
  | 'bad-ticker'
  | 'bad-instant'
  | 'not-a-number'
  | 'too-long';

/** An update, or the reason why the value is none, for the client that pushed it. */
type Mapped =
  | { readonly update: Update }
  | { readonly refused: PushRefusal; readonly detail: string };

/** One pushed line or element with its number: an update, or the reason why it is none. */
export type Pushed = Mapped & {
  /** Line number in NDJSON, element number in an array; counted from 1. */
  readonly line: number;
};

const numberFields: readonly (PlainField | BookField)[] = [...plainFieldNames, ...bookFieldNames];
const numberFieldSet: ReadonlySet<string> = new Set(numberFields);
// Without `Intl`, whose first use takes 6 MiB and 9 ms of the start.
const fieldList = `${['ticker', 'at', ...numberFields.slice(0, -1)].join(', ')} and ${numberFields.at(-1)}`;

function isNumberField(name: string): name is PlainField | BookField {
  return numberFieldSet.has(name);
}

/** Maximum number of characters of a value that a message repeats. */
const shownCharsMax = 60;

/**
 * Maps a pushed JSON value to an update. Its fields have the names of {@link Update}. A field that
 * is null counts as absent, because many programs write absent fields so. An unknown field is
 * refused rather than ignored: a misspelled `previousclose` would be lost silently.
 */
export function mapPushed(value: unknown): Mapped {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { refused: 'not-an-object', detail: 'An update is a JSON object.' };
  }
  let ticker: unknown;
  let at: unknown;
  const update: { -readonly [K in keyof Update]: Update[K] } = { ticker: '' as Ticker, at: 0 };
  // Not Object.entries: its arrays would cost as much as the rest of this function, which runs for
  // every update.
  for (const name in value) {
    const field: unknown = (value as Record<string, unknown>)[name];
    if (name === 'ticker') ticker = field;
    else if (name === 'at') at = field;
    else if (!isNumberField(name)) {
      return { refused: 'unknown-field', detail: unknownField(name) };
    } else if (typeof field === 'number') update[name] = field;
    else if (field !== null) {
      return { refused: 'not-a-number', detail: `${name} must be a number, not ${shown(field)}.` };
    }
  }
  if (ticker === undefined) return { refused: 'missing-field', detail: 'ticker is missing.' };
  if (at === undefined) return { refused: 'missing-field', detail: 'at is missing.' };
  if (typeof ticker !== 'string' || foldTicker(ticker) === '') {
    return { refused: 'bad-ticker', detail: `ticker must be a text, not ${shown(ticker)}.` };
  }
  const instant = typeof at === 'string' ? parseRfc3339(at) : undefined;
  if (instant === undefined) return { refused: 'bad-instant', detail: badInstant(at) };
  update.ticker = ticker as Ticker;
  update.at = instant;
  return { update };
}

/** Maps one line of NDJSON to an update. */
export function mapPushedLine(text: string): Mapped {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { refused: 'not-json', detail: `Not JSON: ${shown(text)}.` };
  }
  return mapPushed(value);
}

function unknownField(name: string): string {
  return `The field ${shown(name)} does not exist. The fields are ${fieldList}.`;
}

function badInstant(at: unknown): string {
  return (
    'at must be a date and time of RFC 3339 with an offset, such as ' +
    `"2026-11-20T14:00:00-03:00", not ${shown(at)}.`
  );
}

/**
 * Shows a value in a message. Arrays and objects are only named, because they may be deep or long.
 */
function shown(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  const isLong = value.length > shownCharsMax;
  return JSON.stringify(isLong ? `${value.slice(0, shownCharsMax)}…` : value);
}
