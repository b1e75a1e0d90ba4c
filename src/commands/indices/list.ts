import { fromEpochDay, type EpochDay } from '../../domain/calendar/plain-date.ts';
import { missingDays, type IndexFault } from '../../domain/indices/check-index.ts';
import type { EndedVersion, Version } from '../../domain/changes/version.ts';
import { indexNames } from '../../domain/indices/index-name.ts';
import { IndexSeries } from '../../domain/indices/index-series.ts';
import type { IndexValue } from '../../domain/indices/index-value.ts';
import { settlementCalendar } from '../../domain/instruments/settlement-calendar.ts';
import {
  exportedIndices,
  namesOf,
  textsOf,
  valuesOf,
} from '../../import/cells/exported-columns.ts';
import { formatExactNumber } from '../../lib/numbers/exact-number.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { instantText } from '../../lib/time/instant-text.ts';
import {
  checkSeries,
  neededText,
  requireIndex,
  type CheckedIndex,
} from '../../operator/indices/check-series.ts';
import { command } from '../form/command.ts';
import { csvLines } from '../form/csv.ts';
import { dayRange, parseDay } from '../form/flags.ts';
import { rows, type Column } from '../form/report.ts';

/** Lists what is stored of each index, the values of one, or what was replaced. */
export const list = command({
  name: 'list',
  summary: 'list what is stored of each index, or the values of one',
  args: { index: ['[INDEX]', 'the index; if absent, a line for each'] },
  flags: {
    desde: { value: '<DATE>', text: 'first day (YYYY-MM-DD)', parse: parseDay },
    hasta: { value: '<DATE>', text: 'last day (YYYY-MM-DD)', parse: parseDay },
    changes: { text: 'list the values that others have replaced' },
    csv: {
      text: 'print the values as CSV, which "indices import" reads',
      conflicts: ['json', 'changes'],
    },
    json: { text: 'print one JSON array' },
  },
  settings: ['store', 'universe'],
  examples: [
    'pizarra indices list',
    'pizarra indices list CER --desde 2026-11-01',
    'pizarra indices list --csv > indices.csv',
    'pizarra indices list CER --changes',
  ],
  async run({ args, flags, readUniverse, openStore }) {
    const { desde, hasta, changes, csv } = flags;
    const index = args.index === undefined ? undefined : requireIndex(args.index);
    const { from, to } = dayRange({ desde, hasta });
    const isSummary = !changes && !csv && index === undefined && !desde && !hasta;
    const calendar = isSummary ? settlementCalendar(await readUniverse()) : undefined;
    const store = await openStore('read');
    const isWanted = ({ value }: Version<IndexValue>): boolean =>
      value.day >= from && value.day <= to && value.index === (index ?? value.index);
    if (changes) {
      const replaced = (await store.indices.readReplaced()).filter(isWanted);
      return { sections: [rows(replaced, { ...valueColumns, ...replacedColumn })] };
    }
    const versions = await store.indices.readVersions();
    const stored = versions.filter(({ replaced }) => replaced === undefined);
    const of = (name: string) => stored.filter(({ value }) => value.index === name);
    if (isSummary) {
      const storedOf = (name: string) => of(name).map(({ value }) => value);
      return { sections: [rows(indexNames, summaryColumns(storedOf, calendar))] };
    }
    const listed = indexNames.flatMap((name) => of(name).filter(isWanted));
    const values = listed.map(({ value }) => value);
    return { sections: [rows(listed, valueColumns)], csv: valuesCsv(values) };
  },
});

const valueColumns: Readonly<Record<string, Column<Version<IndexValue>>>> = {
  indice: ['INDEX', ({ value }) => value.index],
  fecha: ['DATE', ({ value }) => fromEpochDay(value.day)],
  valor: ['VALUE', ({ value }) => value.value],
  source: ['SOURCE', ({ value }) => value.source],
  stored: ['STORED', ({ stored }) => instantText(stored.at)],
};

const replacedColumn: Readonly<Record<string, Column<EndedVersion<IndexValue>>>> = {
  replaced: ['REPLACED', ({ replaced }) => instantText(replaced.at)],
};

function summaryColumns(
  of: (index: string) => readonly IndexValue[],
  calendar: ReturnType<typeof settlementCalendar>,
): Readonly<Record<string, Column<(typeof indexNames)[number]>>> {
  return {
    indice: ['INDEX', (index) => index],
    desde: ['FROM', (index) => dateOrNull(of(index)[0]?.day)],
    hasta: ['TO', (index) => dateOrNull(of(index).at(-1)?.day)],
    values: ['VALUES', (index) => of(index).length],
    missing: ['MISSING', (index) => missingDays(index, of(index), calendar).length],
    last: ['LAST', (index) => of(index).at(-1)?.value ?? null],
    source: ['SOURCE', (index) => of(index).at(-1)?.source ?? null],
  };
}

function dateOrNull(day: EpochDay | undefined): string | null {
  return day === undefined ? null : fromEpochDay(day);
}

/** Values as CSV, which `pizarra indices import` reads back unchanged, their sources included. */
function valuesCsv(values: readonly IndexValue[]): string {
  const lines = values.map(valuesOf(exportedIndices)).map(textsOf(exportedIndices));
  return csvLines([namesOf(exportedIndices), ...lines]);
}

/** The exit code is 1 if there is a fault, or if nothing is stored. */
export const check = command({
  name: 'check',
  summary: 'find gaps, jumps and indices that do not cover the next settlement',
  args: { index: ['[INDEX]', 'the index; if absent, all that have values'] },
  flags: { json: { text: 'print the faults as one JSON array' } },
  settings: ['store', 'universe'],
  examples: ['pizarra indices check', 'pizarra indices check CER'],
  async run({ args, readUniverse, openStore }) {
    const wanted = args.index === undefined ? undefined : requireIndex(args.index);
    const universe = await readUniverse();
    const store = await openStore('read');
    const { revision, values } = await store.indices.readAll();
    const all = checkSeries(new IndexSeries(revision, values), universe, systemClock.now());
    const checked = all.filter(({ index }) => wanted === undefined || index === wanted);
    const json = checked.flatMap(({ index, faults }) =>
      faults.map((fault) => ({ indice: index, ...faultObject(fault) })),
    );
    const nothing = `No values of ${wanted ?? 'any index'} are stored. Fetch them ("pizarra indices fetch") or import them ("pizarra indices import").`;
    const sections = checked.length === 0 ? [nothing] : checked.flatMap(checkLines);
    const isSound = json.length === 0 && checked.length > 0;
    return { sections, json, ...(!isSound && { outcome: 'failed' }) };
  },
});

/** The result of a check as lines: one for each fault, or one that says that there is none. */
function checkLines({ index, values, faults }: CheckedIndex): readonly string[] {
  if (faults.length === 0) return [`${index}: ${values} values, no fault.`];
  return faults.map((fault) => `${index} ${faultText(fault)}`);
}

function faultObject(fault: IndexFault): object {
  const { type } = fault;
  switch (type) {
    case 'gap': {
      const { from, to, days } = fault;
      return { type, from: fromEpochDay(from), to: fromEpochDay(to), days };
    }
    case 'jump': {
      const { value, before } = fault;
      return { type, fecha: fromEpochDay(value.day), valor: value.value, before: before.value };
    }
    case 'stale': {
      const { last, needed, settlement } = fault;
      return { type, last: fromEpochDay(last), needed: fromEpochDay(needed), settlement };
    }
  }
}

function faultText(fault: IndexFault): string {
  switch (fault.type) {
    case 'gap': {
      const from = fromEpochDay(fault.from);
      if (fault.days === 1) return `${from}: no value.`;
      return `${from} to ${fromEpochDay(fault.to)}: no value on ${fault.days} days.`;
    }
    case 'jump': {
      const { value, before } = fault;
      return `${fromEpochDay(value.day)}: ${formatExactNumber(value.value)} after ${formatExactNumber(before.value)} on ${fromEpochDay(before.day)}.`;
    }
    case 'stale':
      return `ends on ${fromEpochDay(fault.last)}, and ${neededText(fault)}.`;
  }
}
