import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import type {
  CashDividend,
  CorporateAction,
  TickerChange,
  FactorAction,
} from '../../domain/history/corporate-action.ts';
import type { Selection } from '../../domain/instruments/selection.ts';
import { refused } from '../../domain/values/problem.ts';
import { actionNames } from '../../wire/texts/action-names.ts';
import { operation } from '../operation.ts';
import { all, mapped, type Part } from '../part.ts';
import { days, knownAt, oneOf, oneTicker, selection, type Days } from '../parts.ts';
import {
  dateField,
  named,
  number,
  Table,
  text,
  tickerField,
  type Field,
  type FieldAbout,
} from '../table.ts';

/** What is asked for: the actions of one instrument or, with `forma`, of several. */
interface EventSubject {
  readonly selection: Selection;
  readonly days: Days;
}

const especie = oneTicker({
  es: 'Especie del instrumento. Sin `forma` se admite una sola. Con `forma` se admiten varias, separadas por comas y hasta {tickersPerRequestMax}.',
  en: 'One ticker, or several with `forma`.',
});
const form = oneOf('forma', ['larga'], {
  schema: { type: 'string', enum: ['larga'] },
  es: '`larga` devuelve en un solo pedido los eventos de varias especies, los de cada una después de los de la anterior. Se admite una sola vez.',
  en: '`larga`: the actions of several instruments in one table.',
});
const one = all({ selection: mapped(especie, (sent) => ({ tickers: [sent] })), days });
const several = all({ selection, days });

/** Without `forma`, a ticker with a comma is a mistake and no list. */
const subject: Part<EventSubject> = {
  inputs: { ...especie.inputs, ...days.inputs, ...form.inputs },
  parse: (values, scope) => {
    const wanted = form.parse(values, scope);
    if (!wanted.ok) return wanted;
    if (wanted.value === undefined) return one.parse(values, scope);
    const isSent = (values['especie'] ?? []).some((list) => list.trim() !== '');
    if (isSent) return several.parse(values, scope);
    return refused({ type: 'parameter-missing', parameter: 'especie', path: scope.path });
  },
};

/** An action with the fields of all types. */
interface AnyAction
  extends
    Pick<CorporateAction, 'ticker' | 'exDay' | 'type'>,
    Partial<Pick<FactorAction, 'factor'>>,
    Partial<Pick<CashDividend, 'amount' | 'currency'>>,
    Partial<Pick<TickerChange, 'newTicker'>> {}

const fields = {
  especie: tickerField((action) => action.ticker, {
    en: 'Ticker of the instrument on the day before the ex date.',
  }),
  fecha: dateField(({ exDay }) => fromEpochDay(exDay), {
    es: 'Fecha ex, la primera rueda con los precios posteriores al evento.',
    en: 'Ex date: the first session whose prices are those after the action.',
  }),
  tipo: named(actionNames, ({ type }) => type, {
    es: 'Tipo de evento.',
    en: 'One of the values of 2.8.1.',
  }),
  factor: number(({ factor }) => factor, {
    schema: { type: 'number', exclusiveMinimum: 0 },
    es: 'Los precios anteriores a la fecha ex se dividen por él. En un *split*, un dividendo en acciones o un cambio de ratio es la cantidad de unidades nuevas por cada unidad anterior: 10 en un *split* de 10 por 1, 1,09 en un dividendo en acciones de 9 %.',
    en: 'Prices before the ex date are divided by it. New units for one old unit where they change, above zero.',
  }),
  importe: number(({ amount }) => amount, {
    schema: { type: 'number', exclusiveMinimum: 0 },
    es: 'Importe por unidad de la fecha ex.',
    en: 'Amount for one unit, in units of the ex date, above zero.',
  }),
  moneda: text(({ currency }) => currency, {
    es: 'Moneda del importe, código ISO 4217.',
    en: 'Currency of `importe`, ISO 4217.',
  }),
  detalle: text(({ newTicker }) => newTicker, { es: 'Especie nueva.', en: 'The new ticker.' }),
} as const satisfies Readonly<Record<string, Field<AnyAction>>>;

/** The fields of an action in the order of contract 2.8. Those that its type does not have are absent. */
export const eventTable = new Table<AnyAction>(fields);

type FieldName = keyof typeof fields;

/** What documents say of the actions of some types, which have some of the fields. */
function ofTypes(
  types: readonly CorporateAction['type'][],
  further: readonly FieldName[],
  own: Partial<FieldAbout> = {},
): Readonly<Record<string, FieldAbout>> {
  const enumSchema = { type: 'string', enum: types.map((type) => actionNames[type]) };
  const names: readonly FieldName[] = ['especie', 'fecha', 'tipo', ...further];
  return {
    ...Object.fromEntries(names.map((name) => [name, fields[name].about])),
    fecha: { ...fields.fecha.about, ...own },
    tipo: { ...fields.tipo.about, schema: enumSchema },
  };
}

/** The corporate actions of one instrument, or of several (contract 4.8). */
export const eventos = operation({
  path: '/eventos',
  clause: '4.8',
  params: { subject, knownAt },
  tables: {
    Evento: {
      fields,
      kinds: {
        CambioDeUnidades: ofTypes(['split', 'stock-dividend', 'ratio-change'], ['factor']),
        CambioDeValor: ofTypes(['rights-issue', 'spin-off'], ['factor']),
        DividendoEnEfectivo: ofTypes(['cash-dividend'], ['importe', 'moneda']),
        CambioDeTicker: ofTypes(['ticker-change'], ['detalle'], {
          es: 'Fecha ex, la primera rueda con la especie nueva.',
        }),
      },
    },
  },
});
