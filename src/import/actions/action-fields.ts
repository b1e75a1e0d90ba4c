import { exportedActions, namesOf } from '../cells/exported-columns.ts';
import type { CorporateActions } from '../../domain/history/corporate-actions.ts';
import {
  factorMax,
  hasTerms,
  isFactor,
  type ActionType,
  type CorporateAction,
  type FactorTerms,
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

/** The terms from which a factor may be computed instead. */
const termsFields = ['ratio', 'price'] as const;

/** The fields of an action in a file: those of a stored one, and its terms. The first three are required. */
export const fileFields = [...namesOf(exportedActions), ...termsFields] as const;

/** The name of a field. */
export type ActionField = (typeof fileFields)[number];

/** The fields of every action. */
const commonFields: ReadonlySet<ActionField> = new Set(['ticker', 'date', 'type', 'source']);

/** The fields of which each type requires some, and has no others. */
const valueFields = fileFields.filter((field) => !commonFields.has(field));

/** The fields of one action as text. An empty text is a field that is not set. */
export type FieldTexts = Readonly<Record<ActionField, string>>;

/** Reports what is wrong with a field, and what would be valid. */
type ReportField = (field: ActionField, message: string) => void;

/** Finds the instruments of a universe by any spelling of their tickers. */
interface KnownTickers {
  find(spelling: string): { readonly ticker: Ticker } | undefined;
}

/** An action whose factor follows from its terms and from the last close before its ex date. */
export interface TermsAction
  extends FactorTerms, Pick<CorporateAction, 'ticker' | 'exDay' | 'source'> {}

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
  'rights-issue': ['rights', 'suscripcion', 'derechos-de-suscripcion'],
  'spin-off': ['spinoff', 'escision'],
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

/** The fields that a type has, beside ticker, date, type and source. It requires all of them, or all of the second list. */
const fieldsOfType: Readonly<
  Record<ActionType, readonly [readonly ActionField[], (readonly ActionField[])?]>
> = {
  split: [['factor']],
  'stock-dividend': [['factor']],
  'ratio-change': [['factor']],
  'rights-issue': [['factor'], termsFields],
  'spin-off': [['factor'], termsFields],
  'cash-dividend': [['amount', 'currency']],
  'ticker-change': [['newTicker']],
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
): CorporateAction | TermsAction | undefined {
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
  if (factor !== undefined) checkFactor(factor, { type, typeName: normalName(texts.type) }, wrong);
  const [ratio, price] = [readNumber('ratio', texts, wrong), readNumber('price', texts, wrong)];
  const amount = readNumber('amount', texts, wrong);
  const currency = texts.currency.toUpperCase();
  if (currency !== '' && !/^[A-Z]{3}$/.test(currency)) {
    wrong('currency', 'not a currency; use its ISO 4217 code, such as ARS or USD');
  }
  if (!isSound || type === undefined || date === undefined || ticker === undefined)
    return undefined;
  const known = universe.find(ticker)?.ticker ?? ticker;
  const base = { ticker: known, exDay: toEpochDay(date), source: texts.source || source };
  if (type === 'cash-dividend') {
    return amount === undefined ? undefined : { ...base, type, amount, currency };
  }
  if (type === 'ticker-change') {
    if (newTicker === undefined) return undefined;
    return { ...base, type, newTicker: universe.find(newTicker)?.ticker ?? newTicker };
  }
  if (factor !== undefined) return { ...base, type, factor };
  if (!hasTerms(type) || ratio === undefined || price === undefined) return undefined;
  return { ...base, type, ratio, price };
}

function checkPresence(texts: FieldTexts, type: ActionType, wrong: ReportField): void {
  const [first, second = []] = fieldsOfType[type];
  const isSet = (field: ActionField): boolean => texts[field] !== '';
  const isSecond = second.some(isSet);
  const [own, others] = isSecond ? [second, first] : [first, second];
  for (const field of valueFields) {
    if (own.includes(field) && !isSet(field)) {
      const instead = isSecond || second.length === 0 ? '' : `, or ${second.join(' and ')}`;
      wrong(field, `a ${type} requires it${instead}`);
    }
    if (own.includes(field) || !isSet(field)) continue;
    const reason = others.includes(field)
      ? `${own.join(' and ')} say the same`
      : `a ${type} has none`;
    wrong(field, `${reason}; leave it empty`);
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

function checkFactor(
  factor: number,
  { type, typeName }: { readonly type: ActionType | undefined; readonly typeName: string },
  wrong: ReportField,
): void {
  if (factor === 1) wrong('factor', 'a factor of 1 changes nothing; delete the row');
  if (!isFactor(factor)) wrong('factor', `not between 1/${factorMax} and ${factorMax}`);
  if (reverseNames.has(typeName) && factor > 1) {
    wrong('factor', 'a reverse split of one new for ten old units has the factor 0.1 or 1:10');
  }
  if (type !== undefined && hasTerms(type) && factor < 1) {
    wrong(
      'factor',
      'below 1; it is the price before the ex date divided by the theoretical one after it',
    );
  }
}

/** The forms of the numbers that may be quotients, for a message. */
const numberForms = {
  factor: ', such as 10, or new units to old units, such as 10:1',
  ratio: ', such as 0.25, or new shares to shares held, such as 1:4',
  amount: '',
  price: '',
};

/**
 * A number above zero. A factor and a ratio may also be new to old units: 4:1. A decimal comma is
 * accepted where it cannot be a thousands separator.
 */
function readNumber(
  field: keyof typeof numberForms,
  texts: FieldTexts,
  wrong: ReportField,
): number | undefined {
  const text = texts[field];
  if (text === '') return undefined;
  const form = numberForms[field];
  const [first = ''] = form === '' ? [text] : text.split(/[:/]/);
  if (/^\d{1,3}(?:,\d{3})+$/.test(first.trim())) {
    wrong(field, 'the comma may be decimal or separate thousands; write a decimal point');
    return undefined;
  }
  const value = form === '' ? plainNumber(text) : parseQuotient(text, plainNumber);
  if (value > 0) return value;
  wrong(field, `not a number above zero${form}`);
  return undefined;
}

/** A number, or new units to old units: `4`, `4:1`, `4/1`. 0 to 0 is none of them. */
export function parseQuotient(text: string, parse: (part: string) => number): number {
  const [first = '', second, ...more] = text.split(/[:/]/).map((part) => part.trim());
  if (second === undefined) return parse(first);
  const [units, old] = [parse(first), parse(second)];
  return more.length === 0 && units > 0 && old > 0 ? units / old : Number.NaN;
}

function plainNumber(text: string): number {
  return /^\d+(?:[.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN;
}

function normalName(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[\s_]+/g, '-');
}
