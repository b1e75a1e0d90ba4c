import {
  firstEpochDay,
  fromEpochDay,
  lastEpochDay,
  parsePlainDate,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../domain/calendar/plain-date.ts';
import type { Version } from '../../domain/changes/version.ts';
import {
  actionChanges,
  closeChanges,
  dayChanges,
  newestFirst,
  type ChangedValue,
  type FieldChange,
} from '../../domain/history/field-changes.ts';
import { classesOf, termsChanges } from '../../domain/history/terms-changes.ts';
import type { IndexName } from '../../domain/indices/index-name.ts';
import type { IndexValue } from '../../domain/indices/index-value.ts';
import { tickerKey, type Ticker } from '../../domain/instruments/ticker.ts';
import { UsageFault } from '../../lib/reports/operator-fault.ts';
import { didYouMean } from '../../lib/text/closest.ts';
import { instantText } from '../../lib/time/instant-text.ts';
import { requireIndex } from '../../operator/indices/check-series.ts';
import type { IndexStore } from '../../store/contract/versioned-stores.ts';
import type { Store } from '../../store/contract/store.ts';
import { buenosAiresDay } from '../../wire/texts/buenos-aires-time.ts';
import { command } from '../form/command.ts';
import { rows, type Rows } from '../form/report.ts';

export const log = command({
  name: 'log',
  summary:
    'list the changes of the closes, corporate actions and bond terms of an instrument, the latest first',
  args: {
    first: ['[TICKER]', 'the instrument; absent with --index'],
    second: ['[DATE]', 'a day (YYYY-MM-DD), whose first value is listed too'],
  },
  flags: {
    index: { value: '<INDEX>', text: 'list the changes of the values of an index instead' },
    json: { text: 'print one JSON array' },
  },
  settings: ['store'],
  examples: [
    'pizarra history log GGAL',
    'pizarra history log GGAL 2026-11-18',
    'pizarra history log --index CER --json',
  ],
  async run({ args, flags, openStore }) {
    const { subject, day } = subjectIn(args, flags.index);
    const changes = changeRows(await listChanges(await openStore('read'), subject, day));
    if (changes.objects.length > 0) return { sections: [changes] };
    return { sections: ['Nothing was replaced.'], json: [] };
  },
});

/** Reads the arguments `[TICKER] [DATE]`. With an index, the only argument is the day. */
export function subjectIn(
  { first, second }: { readonly first: string | undefined; readonly second: string | undefined },
  index: string | undefined,
) {
  if (index !== undefined) {
    if (second !== undefined) throw new UsageFault('With --index, the only argument is the day.');
    return { subject: { index: requireIndex(index) }, day: dayIn(first) };
  }
  if (first === undefined) throw new UsageFault('Name an instrument, or an index with --index.');
  return { subject: { ticker: first }, day: dayIn(second) };
}

function dayIn(text: string | undefined): PlainDate | undefined {
  if (text === undefined) return undefined;
  const day = parsePlainDate(text);
  if (day !== undefined) return day;
  throw new UsageFault(`"${text}" is not a day such as 2027-01-31.`);
}

/** Changes as a table. */
export function changeRows(changes: readonly FieldChange[]): Rows {
  return rows<FieldChange>(changes, {
    instant: ['INSTANT', ({ by }) => instantText(by.at)],
    date: ['DATE', ({ day }) => fromEpochDay(day)],
    field: ['FIELD', ({ field }) => field],
    before: ['BEFORE', ({ before }): ChangedValue => before],
    after: ['AFTER', ({ after }): ChangedValue => after],
    source: ['SOURCE', ({ source = null }) => source],
    origin: ['ORIGIN', ({ by }) => by.origin],
  });
}

/**
 * The changes of what is stored, the latest first: of the closes, the corporate actions and the terms of an instrument,
 * or of the values of an index. Of one day, the first value is listed too, with the change that stored it. A service may
 * be running.
 *
 * @throws {UsageFault} when the store knows nothing of the instrument.
 * @throws {StoreFault} when the store cannot be read.
 */
export async function listChanges(
  store: Store,
  subject: { readonly ticker: string } | { readonly index: IndexName },
  day?: PlainDate,
): Promise<readonly FieldChange[]> {
  const only = day === undefined ? undefined : toEpochDay(day);
  return newestFirst(
    'index' in subject
      ? await changesOfIndex(store, subject.index, only)
      : await changesOfInstrument(store, subject.ticker, only),
  );
}

async function changesOfInstrument(
  store: Store,
  spelling: string,
  only: EpochDay | undefined,
): Promise<readonly FieldChange[]> {
  const ticker = await findStored(store, spelling);
  const range = { from: only ?? firstEpochDay, to: only ?? lastEpochDay };
  const closes = await store.memory.readCloses(ticker, range);
  const actions = (await store.actions.readVersions()).filter(
    ({ value }) => value.ticker === ticker && (only === undefined || value.exDay === only),
  );
  return [
    ...closeChanges(closes),
    ...(only === undefined ? [] : firstOf(closes, 'close', ({ close }) => close)),
    ...actionChanges(actions),
    ...(await readTermsChanges(store, ticker, only)),
  ];
}

/** The changes of the terms of an instrument, of one day in Buenos Aires or of all. */
export async function readTermsChanges(
  store: Pick<Store, 'terms'>,
  ticker: Ticker,
  only: EpochDay | undefined,
): Promise<readonly FieldChange[]> {
  const changes = termsChanges(await store.terms.readVersions(), ticker, buenosAiresDay);
  return only === undefined ? changes : changes.filter(({ day }) => day === only);
}

async function changesOfIndex(
  store: Store,
  index: IndexName,
  only: EpochDay | undefined,
): Promise<readonly FieldChange[]> {
  const versions = (await readIndexVersions(store.indices, index)).filter(
    ({ value }) => only === undefined || value.day === only,
  );
  return [
    ...dayChanges(versions, ['value', 'source']),
    ...(only === undefined ? [] : firstOf(versions, 'value', ({ value }) => value)),
  ];
}

/** That the first value of a day was stored. Empty without any. */
function firstOf<T extends { readonly day: EpochDay; readonly source?: string }>(
  versions: readonly Version<T>[],
  field: 'close' | 'value',
  read: (value: T) => number,
): readonly FieldChange[] {
  const [first] = versions;
  if (first === undefined) return [];
  const { value, stored } = first;
  return [
    { by: stored, day: value.day, field, before: null, after: read(value), source: value.source },
  ];
}

/**
 * The stored spelling of a ticker that an operator names. The universe need not have it any more.
 *
 * @throws {UsageFault} when nothing is or was stored of it.
 */
export async function findStored(
  store: Pick<Store, 'history' | 'actions' | 'terms'>,
  spelling: string,
): Promise<Ticker> {
  const key = tickerKey(spelling);
  const { tickers } = await store.history.changesSince(0);
  const found = tickers.find((ticker) => tickerKey(ticker) === key);
  if (found !== undefined) return found;
  const version = (await store.actions.readVersions()).find(
    ({ value }) => tickerKey(value.ticker) === key,
  );
  if (version !== undefined) return version.value.ticker;
  const classes = (await store.terms.readVersions()).flatMap(({ value }) => classesOf(value));
  const named = classes.find((ticker) => tickerKey(ticker) === key);
  if (named !== undefined) return named;
  throw new UsageFault(
    `The store has neither closes, corporate actions nor terms of ${spelling}.${didYouMean(spelling, tickers)} "pizarra export" writes what it has.`,
  );
}

/** The versions of the values of an index. */
export async function readIndexVersions(
  indices: Pick<IndexStore, 'readVersions'>,
  index: IndexName,
): Promise<readonly Version<IndexValue>[]> {
  return (await indices.readVersions()).filter(({ value }) => value.index === index);
}
