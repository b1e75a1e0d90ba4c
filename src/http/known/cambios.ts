import { firstEpochDay, lastEpochDay, toEpochDay } from '../../domain/calendar/plain-date.ts';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import {
  actionChanges,
  closeChanges,
  dayChanges,
  newestFirst,
} from '../../domain/history/field-changes.ts';
import { termsChanges } from '../../domain/history/terms-changes.ts';
import type { FieldChange } from '../../domain/history/field-changes.ts';
import type { CorporateActions } from '../../domain/history/corporate-actions.ts';
import type { Version } from '../../domain/changes/version.ts';
import type { IndexName } from '../../domain/indices/index-name.ts';
import type { IndexSeries } from '../../domain/indices/index-series.ts';
import type { IndexValue } from '../../domain/indices/index-value.ts';
import { indexVersions } from '../../domain/indices/index-versions.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { instantText } from '../../lib/time/instant-text.ts';
import type { DayRange } from '../../store/contract/history-store.ts';
import type { IndexStore } from '../../store/contract/index-store.ts';
import type { StoreMemory } from '../../store/contract/store-memory.ts';
import { changeTable, indexChangeTable } from '../../wire/bodies/reference/change-body.ts';
import { changeParameters, parseChangeParams } from '../../wire/params/reference/change-params.ts';
import type { TableFormat } from '../../wire/params/table-format.ts';
import { buenosAiresDay } from '../../wire/texts/buenos-aires-time.ts';
import { Body } from '../content/body.ts';
import { ifAskedAgain } from '../content/compression-pace.ts';
import type { TableSource } from '../content/content.ts';
import { mediaTypeOf } from '../content/negotiation.ts';
import { Fields } from '../handler/fields.ts';
import { missingFields } from '../handler/response-draft.ts';
import { oneSlice } from '../answers/read-queue.ts';
import type { ResponseReading, ReadResponse, ReadResponses } from '../history/read-responses.ts';
import type { KnownSources } from './known-sources.ts';

/** What the changes are read from. */
export interface ChangeParts {
  readonly universe: Universe;
  readonly sources: KnownSources;
  readonly memory: StoreMemory;
  readonly indexMemory: Pick<IndexStore, 'readAll' | 'readReplaced'>;
  /** Gives the corporate actions in force. */
  readonly actions: () => CorporateActions;
  /** Gives the values of indices. Another object is given when they have changed. */
  readonly indices: () => IndexSeries;
  /** Where responses are cached. The owner reports the changes of instruments. */
  readonly responses: ReadResponses;
  /** Maximum number of rows. */
  readonly rowsMax: number;
}

/** The changes of stored values of an instrument or of an index in a range of days (contract 4.19). */
export function cambios(parts: ChangeParts): TableSource {
  const { universe, responses } = parts;
  return {
    path: '/cambios',
    parameters: changeParameters,
    find: (rawQuery, format, caller) => {
      const query = parseChangeParams(rawQuery);
      if (!query.ok) return query;
      const { from, to } = query.value;
      const range = {
        from: from === undefined ? firstEpochDay : toEpochDay(from),
        to: to === undefined ? lastEpochDay : toEpochDay(to),
      };
      return responses.find(`cambios ${format}\n${rawQuery}`, caller, () => {
        if ('index' in query.value) return ofIndex(query.value.index, { range, format, parts });
        const instrument = universe.find(query.value.ticker);
        return instrument === undefined
          ? ofNone(query.value.ticker, format, parts)
          : ofInstrument(instrument, { range, format, parts });
      });
    },
  };
}

interface Wanted {
  readonly range: DayRange;
  readonly format: TableFormat;
  readonly parts: ChangeParts;
}

/** A change of an instrument, with the ticker of the row that it has changed. */
type InstrumentChange = FieldChange & { readonly ticker: Ticker };

function ofInstrument(instrument: Instrument, { range, format, parts }: Wanted): ResponseReading {
  return {
    instruments: [instrument],
    async *read(onGrowth) {
      const ofCloses = await closeChangesOf(instrument, range, parts);
      yield;
      const changes = newestFirst([
        ...ofCloses,
        ...(await actionChangesOf(instrument, range, parts)),
        ...(await termsChangesOf(instrument, range, parts)),
      ]);
      yield;
      const since = await parts.sources.since(instrument.ticker);
      yield;
      const fields =
        since === undefined ? Fields.none : Fields.of({ 'conocido-desde': instantText(since) });
      const text = (): string => changeTable.render(changes, format);
      return { result: resultOf(changes, { text, format, fields, parts, onGrowth }) };
    },
  };
}

function ofNone(ticker: string, format: TableFormat, parts: ChangeParts): ResponseReading {
  return {
    instruments: [],
    read: (onGrowth) =>
      oneSlice(() => {
        const text = (): string => changeTable.render([], format);
        const fields = missingFields([ticker]);
        return { result: resultOf([], { text, format, fields, parts, onGrowth }) };
      }),
  };
}

function ofIndex(index: IndexName, { range, format, parts }: Wanted): ResponseReading {
  const series = parts.indices();
  return {
    instruments: [],
    read: (onGrowth) =>
      oneSlice(async () => {
        const versions = await replacedVersions(index, range, parts.indexMemory);
        const changes = newestFirst(dayChanges(versions, ['value', 'source'])).map((one) => ({
          ...one,
          index,
        }));
        const text = (): string => indexChangeTable.render(changes, format);
        const result = resultOf(changes, { text, format, fields: Fields.none, parts, onGrowth });
        return { isStale: () => parts.indices() !== series, result };
      }),
  };
}

function resultOf(
  { length: count }: readonly FieldChange[],
  {
    text,
    format,
    fields,
    parts,
    onGrowth,
  }: {
    readonly text: () => string;
    readonly format: TableFormat;
    readonly fields: Fields;
    readonly parts: ChangeParts;
    readonly onGrowth: () => void;
  },
): ReadResponse['result'] {
  const { rowsMax: max } = parts;
  if (count > max) return { ok: false, problem: { type: 'rows-too-many', count, max } };
  const body = new Body({
    type: mediaTypeOf(format),
    parts: [Buffer.from(text())],
    mayCompress: ifAskedAgain(),
    onGrowth,
  });
  return { ok: true, value: { body, fields } };
}

/** The changes of the closes that an instrument shows: before a change of its ticker those of its earlier ticker. */
async function closeChangesOf(
  { ticker }: Instrument,
  { from, to }: DayRange,
  { memory, actions }: ChangeParts,
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
  { sources, actions }: ChangeParts,
): Promise<readonly InstrumentChange[]> {
  const until = new Map<Ticker, number>([[ticker, Infinity]]);
  for (const { ticker: name, before } of actions().earlierTickers(ticker)) until.set(name, before);
  const versions = await sources.actionVersions;
  return actionChanges(
    versions.filter(({ value: { ticker: name, exDay } }) => {
      return exDay >= from && exDay <= to && exDay <= (until.get(name) ?? -Infinity);
    }),
  );
}

/** The changes of the terms of the issue of which an instrument is or was a class. */
async function termsChangesOf(
  { ticker }: Instrument,
  { from, to }: DayRange,
  { sources }: ChangeParts,
): Promise<readonly InstrumentChange[]> {
  return termsChanges(await sources.termsVersions, ticker, buenosAiresDay)
    .filter(({ day }) => day >= from && day <= to)
    .map((change) => ({ ...change, ticker }));
}

/** The versions of the values that others have replaced, and of those that replaced them. */
async function replacedVersions(
  index: IndexName,
  { from, to }: DayRange,
  memory: ChangeParts['indexMemory'],
): Promise<readonly Version<IndexValue>[]> {
  const replaced = (await memory.readReplaced(index)).filter(({ day }) => day >= from && day <= to);
  // Few values are ever replaced. The table of all values is read only for them.
  if (replaced.length === 0) return [];
  const days = new Set(replaced.map(({ day }) => day));
  const { values } = await memory.readAll();
  return indexVersions(index, { replaced, values: values.filter(({ day }) => days.has(day)) });
}
