import type { Ticker } from '../domain/ticker.ts';
import { foldTicker } from '../domain/ticker.ts';
import type { Update } from '../domain/update.ts';
import { parseRfc3339 } from './rfc3339.ts';

/** Why something pushed is no update; what it says may still be refused by the engine. */
type PushRefusal =
  | 'not-json'
  | 'not-an-object'
  | 'unknown-field'
  | 'missing-field'
  | 'bad-ticker'
  | 'bad-instant'
  | 'not-a-number'
  | 'too-long';

/** An update, or why it is none, in words for whoever pushed it. */
export type Mapped =
  | { readonly update: Update }
  | { readonly refused: PushRefusal; readonly detail: string };

/** The most of a value that a message repeats, in characters. */
const shownCharsMax = 60;

/**
 * The update that a pushed JSON value says, with the names of {@link Update}. A field that is null
 * is absent, for that is how many programs write it. A field of another name is refused, not
 * ignored: `previousclose` would otherwise be lost without a word.
 */
export function mapPushed(value: unknown): Mapped {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { refused: 'not-an-object', detail: 'An update is a JSON object.' };
  }
  let ticker: unknown;
  let at: unknown;
  const update: { -readonly [K in keyof Update]: Update[K] } = { ticker: '' as Ticker, at: 0 };
  // Not Object.entries: this runs for every update, and those arrays cost as much as all the rest.
  for (const name in value) {
    const field: unknown = (value as Record<string, unknown>)[name];
    switch (name) {
      case 'ticker':
        ticker = field;
        break;
      case 'at':
        at = field;
        break;
      case 'last':
      case 'open':
      case 'high':
      case 'low':
      case 'previousClose':
      case 'close':
      case 'volume':
        if (typeof field === 'number') update[name] = field;
        else if (field !== null) {
          return {
            refused: 'not-a-number',
            detail: `${name} is to be a number, not ${shown(field)}.`,
          };
        }
        break;
      default:
        return { refused: 'unknown-field', detail: unknownField(name) };
    }
  }
  if (ticker === undefined) return { refused: 'missing-field', detail: 'ticker is missing.' };
  if (at === undefined) return { refused: 'missing-field', detail: 'at is missing.' };
  if (typeof ticker !== 'string' || foldTicker(ticker) === '') {
    return { refused: 'bad-ticker', detail: `ticker is to be a text, not ${shown(ticker)}.` };
  }
  const instant = typeof at === 'string' ? parseRfc3339(at) : undefined;
  if (instant === undefined) return { refused: 'bad-instant', detail: badInstant(at) };
  update.ticker = ticker as Ticker;
  update.at = instant;
  return { update };
}

/** The update that one line of NDJSON says. */
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
  return (
    `There is no field ${shown(name)}; an update has ticker, at, last, open, high, low, ` +
    'previousClose, close and volume.'
  );
}

function badInstant(at: unknown): string {
  return (
    'at is to be a date and time of RFC 3339 with its offset, such as ' +
    `"2026-11-20T14:00:00-03:00", not ${shown(at)}.`
  );
}

/** A value for a message. What is nested is named, not shown: it may be deep, or long. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  const isLong = value.length > shownCharsMax;
  return JSON.stringify(isLong ? `${value.slice(0, shownCharsMax)}…` : value);
}
