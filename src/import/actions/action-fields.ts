import type { CorporateActions } from '../../domain/history/corporate-actions.ts';
import {
  factorMax,
  isFactor,
  type ActionType,
  type CorporateAction,
} from '../../domain/history/corporate-action.ts';
import {
  fromEpochDay,
  parsePlainDate,
  toEpochDay,
  type EpochDay,
} from '../../domain/calendar/plain-date.ts';
import {
  foldTicker,
  parseTicker,
  tickerKey,
  type Ticker,
} from '../../domain/instruments/ticker.ts';

/** The fields of an action in a table, in the usual order of the columns. */
export const actionFields = [
  'ticker',
  'date',
  'type',
  'factor',
  'amount',
  'currency',
  'newTicker',
  'source',
] as const;

/** The name of a field. */
export type ActionField = (typeof actionFields)[number];

/** The fields of one action as text. An empty text is a field that is not set. */
export type FieldTexts = Readonly<Record<ActionField, string>>;

/** Reports what is wrong with a field, and what would be valid. */
type ReportField = (field: ActionField, message: string) => void;

/** Finds the instruments of a universe by any spelling of their tickers. */
interface KnownTickers {
  find(spelling: string): { readonly ticker: Ticker } | undefined;
}

/** What the fields are read with. */
interface FieldContext {
  readonly universe: KnownTickers;
  readonly recorded: CorporateActions;
  /** The source of actions that name none. */
  readonly source: string;
}

/** Each type with its other names in files, in lower case with hyphens. */
const typeNames: Readonly<Record<ActionType, readonly string[]>> = {
  split: ['forward-split', 'stock-split', 'reverse-split', 'desdoblamiento', 'split-inverso'],
  'stock-dividend': ['bonus', 'dividendo-acciones', 'dividendo-en-acciones'],
  'ratio-change': ['ratio', 'cambio-ratio', 'cambio-de-ratio'],
  'cash-dividend': ['dividend', 'dividendo', 'dividendo-en-efectivo'],
  'ticker-change': ['symbol-change', 'rename', 'cambio-ticker', 'cambio-de-ticker'],
};

const typesByName: ReadonlyMap<string, ActionType> = new Map(
  Object.entries(typeNames).flatMap(([type, others]) =>
    [type, ...others].map((name): [string, ActionType] => [name, type as ActionType]),
  ),
);

/** Names of a split that makes fewer units. A factor above 1 would be that of the opposite. */
const reverseNames: ReadonlySet<string> = new Set(['reverse-split', 'split-inverso']);

/** The fields that a type has, beside ticker, date, type and source. It requires all of them. */
const fieldsOfType: Readonly<Record<ActionType, readonly ActionField[]>> = {
  split: ['factor'],
  'stock-dividend': ['factor'],
  'ratio-change': ['factor'],
  'cash-dividend': ['amount', 'currency'],
  'ticker-change': ['newTicker'],
};

/** No exchange of the universe has earlier prices. A date before it is a mistake. */
const earliestYear = '1800';

/** The type of a name in a file: its own name or a usual other one, in any case. */
export function parseActionType(text: string): ActionType | undefined {
  return typesByName.get(normalName(text));
}

/** The valid names of types, for a message. */
export const actionTypeNames: string = Object.keys(typeNames).join(', ');

/** Reads an action. Reports every fault of its fields, and then gives undefined. */
export function readAction(
  texts: FieldTexts,
  { universe, recorded, source }: FieldContext,
  report: ReportField,
): CorporateAction | undefined {
  let isSound = true;
  const wrong: ReportField = (field, message) => {
    isSound = false;
    report(field, message);
  };
  const type = parseActionType(texts.type);
  if (type === undefined) wrong('type', `not a type of action; the types are ${actionTypeNames}`);
  else checkPresence(texts, type, wrong);
  const date = parsePlainDate(texts.date);
  if (date === undefined || date < earliestYear) {
    wrong('date', 'not a valid ex date; use YYYY-MM-DD and a day that exists');
  }
  const ticker = readTicker('ticker', texts, wrong);
  const newTicker = texts.newTicker === '' ? undefined : readTicker('newTicker', texts, wrong);
  if (ticker !== undefined) {
    const end = endOfOld(ticker, { universe, recorded });
    if (end === undefined) checkKnown(universe, { ticker, newTicker, type }, wrong);
    else if (date !== undefined && type !== 'ticker-change' && toEpochDay(date) > end) {
      const since = fromEpochDay(end);
      wrong('ticker', `the instrument has another ticker since ${since}; use that one`);
    }
  }
  if (
    ticker !== undefined &&
    newTicker !== undefined &&
    tickerKey(ticker) === tickerKey(newTicker)
  ) {
    wrong('newTicker', 'the same as the old ticker; correct it, or delete the row');
  }
  const factor = readNumber('factor', texts, wrong);
  if (factor !== undefined) checkFactor(factor, normalName(texts.type), wrong);
  const amount = readNumber('amount', texts, wrong);
  const currency = texts.currency.toUpperCase();
  if (currency !== '' && !/^[A-Z]{3}$/.test(currency)) {
    wrong('currency', 'not a currency; use its ISO 4217 code, such as ARS or USD');
  }
  if (!isSound || type === undefined || date === undefined || ticker === undefined)
    return undefined;
  const known = universe.find(ticker)?.ticker ?? ticker;
  const base = { ticker: known, exDay: toEpochDay(date), source: texts.source || source };
  switch (type) {
    case 'split':
    case 'stock-dividend':
    case 'ratio-change':
      return factor === undefined ? undefined : { ...base, type, factor };
    case 'cash-dividend':
      return amount === undefined ? undefined : { ...base, type, amount, currency };
    case 'ticker-change':
      if (newTicker === undefined) return undefined;
      return { ...base, type, newTicker: universe.find(newTicker)?.ticker ?? newTicker };
  }
}

function checkPresence(texts: FieldTexts, type: ActionType, wrong: ReportField): void {
  const own = fieldsOfType[type];
  for (const field of ['factor', 'amount', 'currency', 'newTicker'] as const) {
    const isSet = texts[field] !== '';
    if (own.includes(field) && !isSet) wrong(field, `a ${type} requires it`);
    if (!own.includes(field) && isSet) wrong(field, `a ${type} has none; leave it empty`);
  }
}

function readTicker(
  field: 'ticker' | 'newTicker',
  texts: FieldTexts,
  wrong: ReportField,
): Ticker | undefined {
  const ticker = parseTicker(foldTicker(texts[field]));
  if (ticker === undefined) wrong(field, 'not a ticker');
  return ticker;
}

/**
 * The ex date from which an instrument of the universe has another ticker than this one. Undefined for a ticker
 * that is in the universe, and for an unknown one.
 */
export function endOfOld(
  ticker: Ticker,
  { universe, recorded }: Pick<FieldContext, 'universe' | 'recorded'>,
): EpochDay | undefined {
  const isKnown = (one: Ticker) => universe.find(one) !== undefined;
  const isOld = !isKnown(ticker) && recorded.laterTickers(ticker).some(isKnown);
  return isOld ? recorded.endOf(ticker) : undefined;
}

/** The old ticker of a change is often no longer in the universe. */
function checkKnown(
  universe: KnownTickers,
  {
    ticker,
    newTicker,
    type,
  }: {
    readonly ticker: Ticker;
    readonly newTicker: Ticker | undefined;
    readonly type: ActionType | undefined;
  },
  wrong: ReportField,
): void {
  if (universe.find(ticker) !== undefined) return;
  if (type === 'ticker-change' && newTicker !== undefined) {
    if (universe.find(newTicker) !== undefined) return;
    wrong('newTicker', 'neither the old nor the new ticker is in the universe');
    return;
  }
  wrong('ticker', 'not in the universe; correct the ticker, or add the instrument to the universe');
}

function checkFactor(factor: number, typeName: string, wrong: ReportField): void {
  if (factor === 1) wrong('factor', 'a factor of 1 changes nothing; delete the row');
  if (!isFactor(factor)) wrong('factor', `not between 1/${factorMax} and ${factorMax}`);
  if (reverseNames.has(typeName) && factor > 1) {
    wrong('factor', 'a reverse split of one new for ten old units has the factor 0.1 or 1:10');
  }
}

/**
 * A number above zero. A factor may also be a ratio of new to old units: 4:1. A decimal comma is
 * accepted where it cannot be a thousands separator.
 */
function readNumber(
  field: 'factor' | 'amount',
  texts: FieldTexts,
  wrong: ReportField,
): number | undefined {
  const text = texts[field];
  if (text === '') return undefined;
  const [first = '', second] = field === 'factor' ? text.split(/[:/]/).map(trim) : [text];
  if (/^\d{1,3}(?:,\d{3})+$/.test(first)) {
    wrong(field, 'the comma may be decimal or separate thousands; write a decimal point');
    return undefined;
  }
  const [dividend, divisor] = [plainNumber(first), second === undefined ? 1 : plainNumber(second)];
  const isRatioOfMore = (text.match(/[:/]/g)?.length ?? 0) > 1;
  if (dividend > 0 && divisor > 0 && !isRatioOfMore) return dividend / divisor;
  const form = field === 'factor' ? ', such as 10, or new units to old units, such as 10:1' : '';
  wrong(field, `not a number above zero${form}`);
  return undefined;
}

function plainNumber(text: string): number {
  return /^\d+(?:[.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN;
}

function trim(text: string): string {
  return text.trim();
}

function normalName(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-');
}
