import { fromEpochDay } from '../../../domain/calendar/plain-date.ts';
import type { EpochDay, PlainDate } from '../../../domain/calendar/plain-date.ts';
import { indexDefinitions } from '../../../domain/indices/index-name.ts';
import type { IndexName } from '../../../domain/indices/index-name.ts';
import type { DayValue } from '../../../domain/indices/index-series.ts';
import { numberColumn, textColumn } from '../../texts/csv-text.ts';
import { Table } from '../table.ts';

/** An index with its first and its last day. It has none without values. */
export interface ListedIndex {
  readonly index: IndexName;
  readonly extent: { readonly from: EpochDay; readonly to: EpochDay } | undefined;
}

/** The table of `/indices` without `indice` (contract 4.14.1). */
export const indexListTable = new Table<ListedIndex>({
  indice: { column: textColumn, value: ({ index }) => index },
  nombre: { column: textColumn, value: ({ index }) => indexDefinitions[index].title },
  desde: { column: textColumn, value: ({ extent }) => dateOf(extent?.from) },
  hasta: { column: textColumn, value: ({ extent }) => dateOf(extent?.to) },
});

/** The table of `/indices` with `indice` (contract 4.14.2). */
export const indexValueTable = new Table<DayValue & { readonly index: IndexName }>({
  indice: { column: textColumn, value: ({ index }) => index },
  fecha: { column: textColumn, value: ({ day }) => fromEpochDay(day) },
  valor: { column: numberColumn, value: ({ value }) => value },
});

function dateOf(day: EpochDay | undefined): PlainDate | null {
  return day === undefined ? null : fromEpochDay(day);
}
