import { fromEpochDay, type EpochDay, type PlainDate } from '../../domain/calendar/plain-date.ts';
import { indexDefinitions, indexNames, type IndexName } from '../../domain/indices/index-name.ts';
import type { DayValue } from '../../domain/indices/index-series.ts';
import { operation } from '../operation.ts';
import type { Part } from '../part.ts';
import { allDays, oneOf, type Days } from '../parts.ts';
import { dateField, number, Table, text } from '../table.ts';

/** What is asked for: the values of one index, or the list of all when none is named. */
type IndexSubject = { readonly index: undefined } | (Days & { readonly index: IndexName });

const name = oneOf('indice', indexNames, {
  schema: 'CodigoDeIndice',
  es: 'Índice cuyos valores se piden. Sin este parámetro se devuelve la lista de índices. Se admite uno solo y se distinguen mayúsculas de minúsculas.',
  en: `One of ${indexNames.map((one) => `\`${one}\``).join(', ')}. Without it, the indices are listed.`,
});
const days = allDays({
  desde: {
    es: 'Sin ella, desde el primer día del índice.',
    en: 'Default: the first day of the index.',
  },
  hasta: {
    es: 'Sin ella, hasta el último día publicado.',
    en: 'Default: the last day of the index, which may be to come.',
  },
});

/** Without an index, the dates are ignored (contract 4.14.1). */
const subject: Part<IndexSubject> = {
  inputs: { ...name.inputs, ...days.inputs },
  parse: (values, scope) => {
    const index = name.parse(values, scope);
    if (!index.ok) return index;
    if (index.value === undefined) return { ok: true, value: { index: undefined } };
    const range = days.parse(values, scope);
    return range.ok ? { ok: true, value: { index: index.value, ...range.value } } : range;
  },
};

/** An index with its first and its last day. It has none without values. */
interface ListedIndex {
  readonly index: IndexName;
  readonly extent: { readonly from: EpochDay; readonly to: EpochDay } | undefined;
}

const dateOf = (day: EpochDay | undefined): PlainDate | null =>
  day === undefined ? null : fromEpochDay(day);

const indice = text<{ readonly index: IndexName }>(({ index }) => index, {
  schema: 'CodigoDeIndice',
});

/** The rows without `indice`. */
export const indexList = new Table<ListedIndex>({
  indice,
  nombre: text(({ index }) => indexDefinitions[index].title, {
    es: 'Nombre completo.',
  }),
  desde: dateField(({ extent }) => dateOf(extent?.from), {
    without: 'null',
    es: 'Primer día con un valor. Es `null` si el índice no tiene valores.',
  }),
  hasta: dateField(({ extent }) => dateOf(extent?.to), {
    without: 'null',
    es: 'Último día con un valor, que puede estar por venir. Es `null` si el índice no tiene valores.',
  }),
});

/** The rows with `indice`. */
export const indexValues = new Table<DayValue & { readonly index: IndexName }>({
  indice,
  fecha: dateField(({ day }) => fromEpochDay(day), {
    es: 'Día al que corresponde el valor. El del IPC es el último del mes.',
  }),
  valor: number(({ value }) => value, {
    es: 'Valor del día, mayor que cero. El del IPC es la inflación del mes, en por ciento, que puede ser negativa.',
  }),
});

export const indices = operation({
  path: '/indices',
  clause: '4.14',
  params: { subject },
  tables: { Indice: indexList, ValorDeIndice: indexValues },
});
