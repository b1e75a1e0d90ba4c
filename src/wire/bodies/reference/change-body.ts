import { fromEpochDay } from '../../../domain/calendar/plain-date.ts';
import type {
  ChangedField,
  ChangedValue,
  FieldChange,
} from '../../../domain/history/field-changes.ts';
import type { ChangeOrigin } from '../../../domain/changes/version.ts';
import type { IndexName } from '../../../domain/indices/index-name.ts';
import { termsFields } from '../../../domain/instruments/issue-terms.ts';
import type { TermsField } from '../../../domain/instruments/issue-terms.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import { instantText } from '../../../lib/time/instant-text.ts';
import { instrumentFieldNames } from '../../params/instrument-fields.ts';
import { numberColumn, textColumn } from '../../texts/csv-text.ts';
import type { CsvColumn } from '../../texts/csv-text.ts';
import { actionNames } from '../event-body.ts';
import { Table } from '../table.ts';
import type { TableField } from '../table.ts';

/** The public names of the terms of bonds are those of `/especies.json`. */
const termsNames = Object.fromEntries(
  termsFields.map((field) => [field, instrumentFieldNames[field]]),
) as Readonly<Record<TermsField, string>>;

/** The public names of the fields that a change replaces (contract 4.19.3). */
const changedNames: Readonly<Record<ChangedField, string>> = {
  close: 'ultimo',
  open: 'apertura',
  high: 'maximo',
  low: 'minimo',
  volume: 'volumen',
  source: 'fuente',
  value: 'valor',
  ...actionNames,
  ...termsNames,
};

/** The public names of the origins of changes (contract 4.19.4). */
const originNames: Readonly<Record<ChangeOrigin, string>> = {
  import: 'importacion',
  fetch: 'descarga',
  session: 'rueda',
  confirm: 'confirmacion',
  revert: 'reversion',
  remove: 'eliminacion',
  universe: 'universo',
  demonstration: 'demostracion',
  unknown: 'desconocido',
};

/** A column of numbers and texts. Only the decimals of a number depend on the style. */
const valueColumn: CsvColumn = (cell, by) =>
  /^-?\d+(?:\.\d+)?$/.test(cell) ? numberColumn(cell, by) : textColumn(cell, by);

function valueField(read: (change: FieldChange) => ChangedValue): TableField<FieldChange> {
  return { column: valueColumn, value: read };
}

/** The fields after the one that names the subject. */
const fields = {
  fecha: { column: textColumn, value: ({ day }) => fromEpochDay(day) },
  campo: { column: textColumn, value: ({ field }) => changedNames[field] },
  antes: valueField(({ before }) => before),
  despues: valueField(({ after }) => after),
  fuente: { column: textColumn, value: ({ source }) => source ?? null },
  origen: { column: textColumn, value: ({ by }) => originNames[by.origin] },
} satisfies Readonly<Record<string, TableField<FieldChange>>>;

const instante: TableField<FieldChange> = {
  column: textColumn,
  value: ({ by }) => instantText(by.at),
};

/** The table of `/cambios` with `especie`. */
export const changeTable = new Table<FieldChange & { readonly ticker: Ticker }>({
  instante,
  especie: { column: textColumn, value: ({ ticker }) => ticker },
  ...fields,
});

/** The table of `/cambios` with `indice`. */
export const indexChangeTable = new Table<FieldChange & { readonly index: IndexName }>({
  instante,
  indice: { column: textColumn, value: ({ index }) => index },
  ...fields,
});
