import {
  cambios as operation,
  changeTable,
  indexChangeTable,
} from '../../contract/paths/cambios.ts';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import {
  actionChanges,
  closeChanges,
  dayChanges,
  newestFirst,
  type FieldChange,
} from '../../domain/history/field-changes.ts';
import { termsChanges } from '../../domain/history/terms-changes.ts';
import type { Version } from '../../domain/changes/version.ts';
import type { IndexName } from '../../domain/indices/index-name.ts';
import type { IndexValue } from '../../domain/indices/index-value.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { refused } from '../../domain/values/problem.ts';
import { instantText } from '../../lib/time/instant-text.ts';
import type { DayRange } from '../../store/contract/history-store.ts';
import { buenosAiresDay } from '../../wire/texts/buenos-aires-time.ts';
import {
  answers,
  type RowsOrProblem,
  type Answering,
  type AnsweringRoute,
  type ResponseRows,
} from '../answers/answers.ts';
import { oneSlice, type Sliced } from '../answers/read-queue.ts';
import type { PathParts } from './path-parts.ts';

/** What the changes are read from. */
type ChangeParts = Pick<
  PathParts,
  'universe' | 'known' | 'versions' | 'actions' | 'indices' | 'revisions' | 'rowsMax'
>;

/** The changes of stored values of an instrument or of an index in a range of days (contract 4.19). */
export function cambios(parts: ChangeParts, answering: Answering): AnsweringRoute {
  const { universe, actions, indices, revisions } = parts;
  return answers(
    operation,
    ({ subject, days: range }) => {
      if ('index' in subject) {
        const read = () => indexChanges(subject.index, range, parts);
        return { madeOf: () => [indices()], answer: () => ({ read }) };
      }
      const instrument = universe.find(subject.ticker);
      if (instrument === undefined) {
        const answer = {
          rows: changeTable.of([]),
          missing: { 'missing-especies': [subject.ticker] },
        };
        return { madeOf: () => [], answer: () => answer };
      }
      const read = () => instrumentChanges(instrument, range, parts);
      return {
        madeOf: () => [actions(), revisions.of(instrument.ticker)],
        answer: () => ({ read }),
      };
    },
    answering,
    // No key in a URL opens it: contract 5.5 lists what such a key opens.
    { opensToUrlKeys: false },
  );
}

/** A change of an instrument, with the ticker of the row that it has changed. */
type InstrumentChange = FieldChange & { readonly ticker: Ticker };

async function* instrumentChanges(
  instrument: Instrument,
  range: DayRange,
  parts: ChangeParts,
): Sliced<RowsOrProblem> {
  const ofCloses = await closeChangesOf(instrument, range, parts);
  yield;
  const changes = newestFirst([
    ...ofCloses,
    ...(await actionChangesOf(instrument, range, parts)),
    ...(await termsChangesOf(instrument, range, parts)),
  ]);
  yield;
  const since = await parts.known.since(instrument.ticker);
  yield;
  const fields = ['conocido-desde', instantText(since)];
  return limited({ rows: changeTable.of(changes), fields }, changes, parts);
}

function indexChanges(
  index: IndexName,
  range: DayRange,
  parts: ChangeParts,
): Sliced<RowsOrProblem> {
  return oneSlice(async () => {
    const versions = await replacedVersions(index, range, parts.versions.indices);
    const changes = newestFirst(dayChanges(versions, ['value', 'source'])).map((one) => ({
      ...one,
      index,
    }));
    return limited({ rows: indexChangeTable.of(changes) }, changes, parts);
  });
}

function limited(
  answer: ResponseRows,
  { length: count }: readonly FieldChange[],
  { rowsMax: max }: ChangeParts,
): RowsOrProblem {
  return count <= max ? answer : refused({ type: 'rows-too-many', count, max });
}

/** The changes of the closes that an instrument shows: before a change of its ticker those of its earlier ticker. */
async function closeChangesOf(
  { ticker }: Instrument,
  { from, to }: DayRange,
  { versions: { memory }, actions }: ChangeParts,
): Promise<readonly InstrumentChange[]> {
  const changes: InstrumentChange[] = [];
  const names = [{ ticker, before: Infinity }, ...actions().earlierTickers(ticker)];
  for (const { ticker: name, before } of names) {
    const until = Math.min(to, before - 1) as EpochDay;
    if (until < from) continue;
    const versions = await memory.readCloses(name, { from, to: until });
    changes.push(...closeChanges(versions).map((change) => ({ ...change, ticker })));
  }
  return changes;
}

/** The changes of the corporate actions of an instrument, under the ticker of their days. */
async function actionChangesOf(
  { ticker }: Instrument,
  { from, to }: DayRange,
  { known, actions }: ChangeParts,
): Promise<readonly InstrumentChange[]> {
  const until = new Map<Ticker, number>([[ticker, Infinity]]);
  for (const { ticker: name, before } of actions().earlierTickers(ticker)) until.set(name, before);
  const versions = await known.actionVersions();
  return actionChanges(
    versions.filter(({ value: { ticker: name, exDay } }) => {
      return exDay >= from && exDay <= to && exDay <= (until.get(name) ?? -Infinity);
    }),
  );
}

/** The changes of the terms of the issue of which an instrument is or was a class, also under an earlier ticker. */
async function termsChangesOf(
  { ticker }: Instrument,
  { from, to }: DayRange,
  { known, actions }: ChangeParts,
): Promise<readonly InstrumentChange[]> {
  const earlier = actions()
    .earlierTickers(ticker)
    .map((one) => one.ticker);
  return termsChanges(await known.termsVersions(), ticker, buenosAiresDay, earlier)
    .filter(({ day }) => day >= from && day <= to)
    .map((change) => ({ ...change, ticker }));
}

/** The versions of the values that others have replaced, and of those that replaced them. */
async function replacedVersions(
  index: IndexName,
  { from, to }: DayRange,
  indices: ChangeParts['versions']['indices'],
): Promise<readonly Version<IndexValue>[]> {
  const isOf = ({ value }: Version<IndexValue>): boolean => value.index === index;
  const days = new Set(
    (await indices.readReplaced())
      .filter(isOf)
      .map(({ value }) => value.day)
      .filter((day) => day >= from && day <= to),
  );
  // Few values are ever replaced. The table of all values is read only for them.
  if (days.size === 0) return [];
  return (await indices.readVersions()).filter((one) => isOf(one) && days.has(one.value.day));
}
