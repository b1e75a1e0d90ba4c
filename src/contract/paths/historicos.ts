import type { AdjustedSeries, Adjustment } from '../../domain/history/adjust-series.ts';
import { fromEpochDay, type EpochDay } from '../../domain/calendar/plain-date.ts';
import type { BarSeries, CloseSeries } from '../../domain/history/daily-close.ts';
import type { Period } from '../../domain/history/periods.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Selection } from '../../domain/instruments/selection.ts';
import { refused, type Parsed } from '../../domain/values/problem.ts';
import { formatExactNumber } from '../../lib/numbers/exact-number.ts';
import { instantName, noInstants, type InstantTexts } from '../../wire/texts/instant-texts.ts';
import { formatValue } from '../../wire/texts/number.ts';
import { operation, type QueryOfOperation } from '../operation.ts';
import { all, type Input, type Part } from '../part.ts';
import {
  atMostOneTicker,
  campos,
  choice,
  days,
  knownAt,
  otherwise,
  panelInput,
  required,
  selection,
  type Days,
} from '../parts.ts';
import {
  dateField,
  digits,
  instantField,
  number,
  Table,
  tickerField,
  type Field,
  type FieldAbout,
} from '../table.ts';
import { conversion } from './dolares.ts';

/** The columns of which a wide table shows one, by the value of `campo` (contract 4.2.12). */
export const cells = {
  ultimo: 'closes',
  apertura: 'opens',
  maximo: 'highs',
  minimo: 'lows',
  volumen: 'volumes',
} as const satisfies Readonly<Record<string, keyof BarSeries>>;

/** A column that the cells of a wide table show. */
type CellField = (typeof cells)[keyof typeof cells];

/** The adjustments by the value of `ajuste` (contract 4.2.5). */
export const adjustments = {
  ninguno: 'none',
  splits: 'splits',
  total: 'total',
} as const satisfies Readonly<Record<string, Adjustment>>;

/** The periods of a row by the value of `intervalo` (contract 4.2.16). */
export const periods = {
  '1d': 'day',
  '1sem': 'week',
  '1mes': 'month',
} as const satisfies Readonly<Record<string, Period>>;

/** What is asked for: the closes of one instrument or, with `forma`, of several in one table. */
interface HistorySubject {
  readonly days: Days;
  readonly selection: Selection;
  /** `long` has a row for each instrument and date, `wide` a row for each date. Absent for one instrument. */
  readonly form?: 'long' | 'wide';
  /** The column that the cells of a wide table show. */
  readonly cell: CellField;
}

const ofTicker = atMostOneTicker({
  es: 'Especie del instrumento. Sin `forma` es obligatoria y se admite una sola. Con `forma` se admiten varias, separadas por comas y hasta {tickersPerRequestMax}, y es obligatoria si no se envía `panel`.',
  en: 'One ticker, or several with `forma`.',
});
const one = all({ ticker: required('especie', ofTicker), days });
const several = all({ selection, days });
const form = choice('forma', { larga: 'long', ancha: 'wide' } as const, {
  schema: 'Forma',
  es: 'Forma de la tabla de varias especies. Sin este parámetro se admite una sola especie. Se admite una sola vez.',
  en: '`larga` or `ancha`: the series of several instruments in one table.',
});
const panel: Input = {
  ...panelInput,
  onlyWith: 'forma',
  es: 'Código de un grupo predefinido de instrumentos. Solo con `forma`: sin ella se ignora. Se admite una sola vez.',
  en: 'With `forma`: a panel code, for all members of the panel.',
};
const cell = otherwise(
  choice('campo', cells, {
    schema: 'CampoDeCelda',
    onlyWith: 'forma',
    es: 'Valor de las celdas con `forma=ancha`. El valor predeterminado es `ultimo`. Con `ancha` no se admite `campos`, y con `larga` no se admite `campo`. Sin `forma` se ignora.',
    en: 'With `forma=ancha`: the value of the cells.',
  }),
  'closes',
);

/** Without `forma`, a ticker with a comma is a mistake and no list. */
const subject: Part<HistorySubject> = {
  inputs: { ...ofTicker.inputs, ...days.inputs, ...form.inputs, panel, ...cell.inputs },
  parse: (values, scope) => {
    const wanted = form.parse(values, scope);
    if (!wanted.ok) return wanted;
    if (wanted.value !== undefined) return ofSeveral(wanted.value, values, scope);
    const alone = one.parse(values, scope);
    if (!alone.ok) return alone;
    const { ticker: sent, days: range } = alone.value;
    return { ok: true, value: { selection: { tickers: [sent] }, days: range, cell: 'closes' } };
  },
};

function ofSeveral(
  wanted: 'long' | 'wide',
  ...[values, scope]: Parameters<Part<HistorySubject>['parse']>
): Parsed<HistorySubject> {
  const chosen = several.parse(values, scope);
  if (!chosen.ok) return chosen;
  const isSent = (name: string): boolean => (values[name] ?? []).length > 0;
  if (wanted === 'wide' && isSent('campos')) return ofOtherForm('campos', 'ancha', 'campo');
  if (wanted === 'long' && isSent('campo')) return ofOtherForm('campo', 'larga', 'campos');
  const shown = cell.parse(values, scope);
  if (!shown.ok) return shown;
  return { ok: true, value: { ...chosen.value, form: wanted, cell: shown.value } };
}

function ofOtherForm(parameter: string, of: string, instead: string): Parsed<never> {
  return refused({ type: 'parameter-of-other-form', parameter, form: of, instead });
}

/** A series to show: closes, the columns of the fields that are shown, and which rows are adjusted. */
export type ShownSeries = CloseSeries &
  Partial<BarSeries> &
  Partial<Pick<AdjustedSeries, 'adjustedRows'>>;

/** A row of a series. */
export interface HistoryRow {
  readonly instrument: Instrument;
  readonly series: ShownSeries;
  /** The index of the row in the columns. */
  readonly at: number;
}

/** The rows of a series, in ascending order of date. */
export function* historyRows(instrument: Instrument, series: ShownSeries): Iterable<HistoryRow> {
  const { length } = series.days;
  for (let at = 0; at < length; at += 1) yield { instrument, series, at };
}

/** The value of a column. Undefined where it is not known. */
function valueOf({ series, at }: HistoryRow, column: CellField): number | undefined {
  const value = series[column]?.[at];
  return value === undefined || Number.isNaN(value) ? undefined : value;
}

/** An adjusted price is rounded already, and may have more decimals than its instrument. */
function priceText(row: HistoryRow, value: number): string {
  const isAdjusted = row.at < (row.series.adjustedRows ?? 0);
  return isAdjusted ? formatExactNumber(value) : formatValue(value, row.instrument);
}

function price(
  column: Exclude<CellField, 'volumes'>,
  about: Partial<FieldAbout>,
): Field<HistoryRow> {
  return digits((row) => {
    const value = valueOf(row, column);
    return value === undefined ? undefined : priceText(row, value);
  }, about);
}

const sessionDate = { es: 'Fecha de la rueda.' };

function dayOf({ series, at }: HistoryRow): EpochDay {
  return series.days[at] as EpochDay;
}

/**
 * The closes of instruments (contract 2.2), with further fields after `ultimo` (contract 4.2.8).
 *
 * @param instants renders the instants of the closes.
 */
export function historyTable(instants: InstantTexts = noInstants) {
  return new Table<HistoryRow>({
    especie: tickerField(({ instrument }) => instrument.ticker),
    fecha: dateField((row) => fromEpochDay(dayOf(row)), { ...sessionDate, en: 'Session date.' }),
    ultimo: price('closes', {
      es: 'Precio de cierre operado ese día o, si se pidió, ajustado.',
      en: 'Closing price, as traded that day.',
    }),
  }).withExtras(
    {
      apertura: price('opens', {
        es: 'Precio de apertura de la rueda. Solo si se pidió en `campos` y se conoce.',
        en: 'First price of the session.',
      }),
      maximo: price('highs', {
        es: 'Precio máximo de la rueda. Solo si se pidió en `campos` y se conoce.',
        en: 'Highest price of the session.',
      }),
      minimo: price('lows', {
        es: 'Precio mínimo de la rueda. Solo si se pidió en `campos` y se conoce.',
        en: 'Lowest price of the session.',
      }),
      [instantName]: instantField((row) => instants.ofClose(row.instrument, dayOf(row)), {
        es: 'Cierre nominal de la rueda, con el desplazamiento horario del mercado. Tiene en cuenta los cierres anticipados. En un mercado que cierra a las 24:00 es un segundo antes. Solo si se pidió en `campos`.',
        en: 'Nominal close of the session (4.2.15).',
      }),
    },
    {
      last: {
        volumen: number((row) => valueOf(row, 'volumes') ?? null, {
          without: 'null',
          es: 'Volumen operado. Es `null` para índices, tasas, tipos de cambio y brechas, o si no se conoce.',
          en: 'Volume traded. Null as in 2.1.6, and where unknown.',
        }),
      },
    },
  );
}

/** A column that a row shows on request. */
export type HistoryField = ReturnType<typeof historyTable>['onRequest'][number];

/** A row of a wide table: the cells of a day, one for each instrument. Null where it has no value. */
interface WideRow {
  readonly day: EpochDay;
  readonly cells: readonly (string | null)[];
}

/** A table with a row for each date and a column for each instrument (contract 4.2.12). */
export function wideTable(instruments: readonly Instrument[]): Table<WideRow> {
  return new Table<WideRow>(
    new Map<string, Field<WideRow>>([
      ['fecha', dateField<WideRow>(({ day }) => fromEpochDay(day), sessionDate)],
      ...instruments.map(
        ({ ticker }, at) => [ticker, digits<WideRow>((row) => row.cells[at], {})] as const,
      ),
    ]),
  );
}

/** The days on which an instrument has a value of a column. */
export function* daysWith(series: ShownSeries, column: CellField): Iterable<number> {
  const values = series[column];
  if (values === undefined) return;
  for (const [at, day] of series.days.entries()) if (!Number.isNaN(values[at])) yield day;
}

/** Gives the rows of a wide table, whose days are asked for in ascending order. */
export function wideRowOf(
  columns: readonly { readonly instrument: Instrument; readonly series: ShownSeries }[],
  column: CellField,
): (day: number) => WideRow {
  const reached = new Int32Array(columns.length);
  const cellOf = (day: number, index: number): string | null => {
    const { instrument, series } = columns[index] as (typeof columns)[number];
    let at = reached[index] ?? 0;
    while ((series.days[at] ?? Infinity) < day) at += 1;
    reached[index] = at;
    if (series.days[at] !== day) return null;
    const row = { instrument, series, at };
    const value = valueOf(row, column);
    if (value === undefined) return null;
    return column === 'volumes' ? formatExactNumber(value) : priceText(row, value);
  };
  return (day) => ({
    day: day as EpochDay,
    cells: columns.map((_, index) => cellOf(day, index)),
  });
}

/** The daily closes of one instrument, as traded or adjusted, or of several with `forma` (contract 4.2). */
export const historicos = operation({
  path: '/historicos',
  clause: '4.2',
  params: {
    subject,
    adjustment: otherwise(
      choice('ajuste', adjustments, {
        schema: 'Ajuste',
        es: 'Ajuste de precios y volúmenes. El valor predeterminado es `ninguno`. Se admite una sola vez.',
        en: '`ninguno` (default), `splits` or `total`.',
      }),
      'none',
    ),
    period: otherwise(
      choice('intervalo', periods, {
        schema: 'IntervaloDeHistorico',
        es: 'Período de cada fila: un día, una semana calendario (`1sem`) o un mes calendario (`1mes`). El valor predeterminado es `1d`. Se admite una sola vez.',
        en: '`1d` (default), `1sem` or `1mes`: the period of a row (4.2.16).',
      }),
      'day',
    ),
    conversion,
    fields: campos(historyTable().onRequest, 'CampoDeHistorico', {
      es: 'Campos que se agregan a cada fila después de `ultimo`, separados por comas: `apertura`, `maximo`, `minimo` e `instante`. Un campo está ausente en las ruedas en las que no se conoce. Si el parámetro se repite, los valores forman una sola lista.',
      en: 'Fields of 2.2 on request, comma-separated: `apertura`, `maximo`, `minimo`, `instante`.',
    }),
    knownAt,
  },
  tables: {
    PrecioHistorico: historyTable(),
    FilaAncha: { fields: wideTable([]).fields, others: { type: ['number', 'null'] } },
  },
});

/** A request of `/historicos`. */
export type HistoryQuery = QueryOfOperation<typeof historicos>;
