import { isDeepStrictEqual } from 'node:util';

import { fromEpochDay, toEpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import { valuesAt, type Version } from '../../domain/changes/version.ts';
import { confirmedSource } from '../../domain/history/close-source.ts';
import type { ActionType, CorporateAction } from '../../domain/history/corporate-action.ts';
import type { DailyClose } from '../../domain/history/daily-close.ts';
import type { IndexName } from '../../domain/indices/index-name.ts';
import type { IndexValue } from '../../domain/indices/index-value.ts';
import { actionTypeNames } from '../../import/actions/action-fields.ts';
import { OperatorFault, UsageFault } from '../../lib/reports/operator-fault.ts';
import { systemClock } from '../../lib/time/clock.ts';
import type { Store } from '../../store/contract/store.ts';
import { actionValue, parseType } from '../actions/action-texts.ts';
import { command } from '../form/command.ts';
import { parseInstant } from '../form/flags.ts';
import { findStored, readIndexVersions, readTermsChanges, subjectIn } from './log.ts';

export const revert = command({
  name: 'revert',
  summary: 'put an earlier close of a day back, as a change of its own that no fetch replaces',
  args: {
    first: ['[TICKER]', 'the instrument; absent with --index'],
    second: ['[DATE]', 'the day (YYYY-MM-DD)'],
  },
  flags: {
    to: {
      value: '<INSTANT>',
      text: 'put back what was known at this instant, such as 2027-01-31T15:00:00Z; by default, what was replaced last',
      parse: parseInstant,
    },
    action: {
      value: '<TYPE>',
      text: `put back the corporate action of that ex date: ${actionTypeNames}`,
      parse: parseType,
      conflicts: ['index'],
    },
    index: { value: '<INDEX>', text: 'put back the value of an index' },
    json: { text: 'print one JSON object' },
  },
  settings: ['store'],
  examples: [
    'pizarra history revert GGAL 2026-11-18',
    'pizarra history revert --to 2026-11-18T21:00:00Z GGAL 2026-11-18',
    'pizarra history revert --action split GGAL 2026-11-18',
  ],
  async run({ args, flags, openStore }) {
    const { subject: named, day } = subjectIn(args, flags.index);
    if (day === undefined) throw new UsageFault('Name the day, such as 2027-01-31.');
    const subject = 'index' in named ? named : { ...named, action: flags.action };
    const store = await openStore('write');
    const reverted = await revertChange(store, { subject, day, to: flags.to });
    const { kind, before = null, after } = reverted;
    return {
      sections: [revertedText(reverted, day)],
      json: { kind, subject: reverted.subject, date: day, before, after },
    };
  },
});

/** A value that was put back, and the one that it replaces. Undefined if there was none any more. */
type Reverted =
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

/** What was put back, as a sentence. */
export function revertedText(reverted: Reverted, day: string): string {
  const [after, before] = valuesOf(reverted);
  const what = { close: 'close', action: 'action', index: 'value' }[reverted.kind];
  const replaced = before === undefined ? 'which had been removed' : `which replaces ${before}`;
  return `Put back the ${what} ${after} of ${reverted.subject} of ${day}, ${replaced}.`;
}

function valuesOf({ kind, before, after }: Reverted): readonly [string, string | undefined] {
  switch (kind) {
    case 'close':
      return [`${after.close}`, before && `${before.close}`];
    case 'index':
      return [`${after.value}`, before && `${before.value}`];
    case 'action':
      return [`${after.type} ${actionValue(after)}`, before && actionValue(before)];
  }
}

/**
 * Puts an earlier value of a day back, as a change of its own: what it replaces is kept, too. A close that was put
 * back is confirmed, so that no fetch replaces it. A running service uses it at once.
 *
 * @param request.to puts back what was known at this instant, in epoch milliseconds. By default, what was replaced last.
 * @throws {UsageFault} when there is nothing to put back.
 * @throws {OperatorFault} when the value changes at the same time.
 * @throws {StoreFault} when the store cannot be written.
 */
export async function revertChange(
  store: Store,
  request: {
    readonly subject:
      | { readonly ticker: string; readonly action?: ActionType | undefined }
      | { readonly index: IndexName };
    readonly day: PlainDate;
    readonly to?: number | undefined;
  },
): Promise<Reverted> {
  const { subject } = request;
  const day = toEpochDay(request.day);
  const by = { at: systemClock.now(), origin: 'revert' } as const;
  if ('index' in subject) {
    const { index } = subject;
    const versions = await readIndexVersions(store.indices, index);
    const ofDay = versions.filter(({ value }) => value.day === day);
    const exchange = earlierOf(ofDay, `value of ${index}`, request);
    await store.indices.apply({ put: [exchange.after] }, by);
    return { kind: 'index', subject: index, ...exchange };
  }
  const ticker = await findStored(store, subject.ticker);
  const { action: type } = subject;
  if (type !== undefined) {
    const versions = (await store.actions.readVersions()).filter(
      ({ value }) => value.ticker === ticker && value.exDay === day && value.type === type,
    );
    const exchange = earlierOf(versions, `${type} of ${ticker}`, request);
    await store.actions.apply({ put: [exchange.after] }, by);
    return { kind: 'action', subject: ticker, ...exchange };
  }
  const range = { from: day, to: day };
  const what = `close of ${ticker}`;
  const versions = await store.memory.readCloses(ticker, range);
  if (versions.every(({ replaced }) => replaced === undefined)) {
    const terms = await readTermsChanges(store, ticker, day);
    if (terms.length > 0) throw termsStay(ticker, request.day);
  }
  const { before, after: kept } = earlierOf(versions, what, request);
  const after: DailyClose = { ...kept, source: confirmedSource(kept.source) };
  const stamp = { origin: by.origin, now: () => systemClock.now() };
  await store.history.transaction(async (transaction) => {
    const [stored] = await transaction.read(ticker, range);
    if (!isDeepStrictEqual(stored, before)) {
      throw new OperatorFault(
        `The ${what} of ${fromEpochDay(day)} has changed at the same time. Nothing was put back. Look at the changes, and try again.`,
      );
    }
    await transaction.put(ticker, [after]);
  }, stamp);
  return { kind: 'close', subject: ticker, before, after };
}

/** Somebody who saw a change of terms in the log may want to put them back. */
function termsStay(ticker: string, day: PlainDate): UsageFault {
  return new UsageFault(
    `On ${day}, the terms of ${ticker} have changed, and no close was replaced. Terms are not put back in the store: ` +
      'edit bonds.csv of the universe, and reload the service (SIGHUP). "pizarra history log" lists what they were.',
  );
}

/** The value that is stored, and the earlier one that is put back. */
function earlierOf<T>(
  versions: readonly Version<T>[],
  what: string,
  { day, to }: { readonly day: PlainDate; readonly to?: number | undefined },
): { readonly before: T | undefined; readonly after: T } {
  const before = versions.find(({ replaced }) => replaced === undefined)?.value;
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
