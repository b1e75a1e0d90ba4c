import { isDeepStrictEqual } from 'node:util';

import { valuesAt, type StoreChange, type Version } from '../../domain/changes/version.ts';
import {
  fromEpochDay,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../domain/calendar/plain-date.ts';
import { confirmedSource } from '../../domain/history/close-source.ts';
import type { ActionType, CorporateAction } from '../../domain/history/corporate-action.ts';
import type { DailyClose } from '../../domain/history/daily-close.ts';
import type { IndexName } from '../../domain/indices/index-name.ts';
import type { IndexValue } from '../../domain/indices/index-value.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { OperatorFault, UsageFault } from '../../lib/reports/operator-fault.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { openPlace } from '../../node/place/open-place.ts';
import type { Store } from '../../store/contract/store.ts';
import { findStored, readIndexVersions, readTermsChanges } from './change-log.ts';

/** What is put back: the close or an action of an instrument, or the value of an index. */
type RevertSubject =
  | { readonly ticker: string; readonly action?: ActionType | undefined }
  | { readonly index: IndexName };

/** A value that was put back, and the one that it replaces. Undefined if there was none any more. */
export type Reverted =
  | Exchange<'close', DailyClose>
  | Exchange<'action', CorporateAction>
  | Exchange<'index', IndexValue>;

interface Exchange<Kind extends string, T> {
  readonly kind: Kind;
  /** The instrument or the index. */
  readonly subject: string;
  readonly before: T | undefined;
  readonly after: T;
}

/**
 * Puts an earlier value of a day back, as a change of its own: what it replaces is kept, too. A close that was put
 * back is confirmed, so that no fetch replaces it. A running service uses it at once.
 *
 * @param request.to puts back what was known at this instant, in epoch milliseconds. By default, what was replaced last.
 * @throws {UsageFault} when there is nothing to put back.
 * @throws {OperatorFault} when the value changes at the same time.
 * @throws {StoreFault} when the store cannot be opened or written.
 */
export async function revertChange(request: {
  readonly storeAt: string;
  readonly subject: RevertSubject;
  readonly day: PlainDate;
  readonly to?: number | undefined;
}): Promise<Reverted> {
  const { subject, to } = request;
  const day = toEpochDay(request.day);
  await using place = openPlace(request.storeAt);
  await using store = await place.open({ mode: 'write' });
  const by: StoreChange = { at: systemClock.now(), origin: 'revert' };
  return await revertIn(store, subject, { day, to, by });
}

interface Wanted {
  readonly day: EpochDay;
  readonly to: number | undefined;
  readonly by: StoreChange;
}

async function revertIn(store: Store, subject: RevertSubject, wanted: Wanted): Promise<Reverted> {
  if ('index' in subject) return revertIndex(store, subject.index, wanted);
  const ticker = await findStored(store, subject.ticker);
  if (subject.action === undefined) return revertClose(store, ticker, wanted);
  return revertAction(store, { ticker, exDay: wanted.day, type: subject.action }, wanted);
}

async function revertClose(store: Store, ticker: Ticker, wanted: Wanted): Promise<Reverted> {
  const range = { from: wanted.day, to: wanted.day };
  const what = `close of ${ticker}`;
  const versions = await store.memory.readCloses(ticker, range);
  if (versions.every(({ replaced }) => replaced === undefined))
    await refuseTerms(store, ticker, wanted);
  const { before, after: kept } = earlierOf(versions, what, wanted);
  const after: DailyClose = { ...kept, source: confirmedSource(kept.source) };
  const stamp = { origin: wanted.by.origin, now: () => systemClock.now() };
  await store.history.transaction(async (transaction) => {
    const [stored] = await transaction.read(ticker, range);
    if (!isDeepStrictEqual(stored, before)) throw changedMeanwhile(what, wanted);
    await transaction.put(ticker, [after]);
  }, stamp);
  return { kind: 'close', subject: ticker, before, after };
}

/** Somebody who saw a change of terms in the log may want to put them back. */
async function refuseTerms(store: Store, ticker: Ticker, { day }: Wanted): Promise<void> {
  if ((await readTermsChanges(store, ticker, day)).length === 0) return;
  throw new UsageFault(
    `On ${fromEpochDay(day)}, the terms of ${ticker} have changed, and no close was replaced. Terms are not put back in the store: ` +
      'edit bonds.csv of the universe, and reload the service (SIGHUP). "pizarra history log" lists what they were.',
  );
}

async function revertAction(
  store: Store,
  key: Pick<CorporateAction, 'ticker' | 'exDay' | 'type'>,
  wanted: Wanted,
): Promise<Reverted> {
  const versions = (await store.memory.readActions()).filter(
    ({ value }) =>
      value.ticker === key.ticker && value.exDay === key.exDay && value.type === key.type,
  );
  const { before, after } = earlierOf(versions, `${key.type} of ${key.ticker}`, wanted);
  await store.actions.apply({ put: [after], remove: [] }, wanted.by);
  return { kind: 'action', subject: key.ticker, before, after };
}

async function revertIndex(store: Store, index: IndexName, wanted: Wanted): Promise<Reverted> {
  const versions = (await readIndexVersions(store.indices, index)).filter(
    ({ value }) => value.day === wanted.day,
  );
  const { before, after } = earlierOf(versions, `value of ${index}`, wanted);
  await store.indices.put([after], wanted.by);
  return { kind: 'index', subject: index, before, after };
}

/** The value that is stored, and the earlier one that is put back. */
function earlierOf<T>(
  versions: readonly Version<T>[],
  what: string,
  wanted: Wanted,
): { readonly before: T | undefined; readonly after: T } {
  const day = fromEpochDay(wanted.day);
  const before = versions.find(({ replaced }) => replaced === undefined)?.value;
  const { to } = wanted;
  const [after] =
    to === undefined
      ? versions
          .filter(({ replaced }) => replaced !== undefined)
          .slice(-1)
          .map(({ value }) => value)
      : valuesAt(versions, to, () => day);
  if (after === undefined) {
    const problem =
      to === undefined
        ? `The ${what} of ${day} has replaced nothing`
        : `Nothing is known of the ${what} of ${day} at ${new Date(to).toISOString()}`;
    throw new UsageFault(`${problem}. "pizarra history log" lists the changes.`);
  }
  if (isDeepStrictEqual(before, after)) {
    throw new UsageFault(`The ${what} of ${day} is the one that was to be put back.`);
  }
  return { before, after };
}

function changedMeanwhile(what: string, { day }: Wanted): OperatorFault {
  return new OperatorFault(
    `The ${what} of ${fromEpochDay(day)} has changed at the same time. Nothing was put back. Look at the changes, and try again.`,
  );
}
