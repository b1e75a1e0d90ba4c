import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import type {
  CashDividend,
  CorporateAction,
  TickerChange,
  FactorAction,
} from '../../domain/history/corporate-action.ts';
import type { Selection } from '../../domain/instruments/selection.ts';
import { parseDays, parseRange, type Days } from '../../wire/params/range-params.ts';
import { actionNames } from '../../wire/texts/action-names.ts';
import { operation } from '../operation.ts';
import { type Input, type Part } from '../part.ts';
import { knownAt, oneOf, requiredDays, selection } from '../parts.ts';
import { number, Table, text, word, type FieldAbout } from '../table.ts';

/** What is asked for: the actions of one instrument or, with `forma`, of several. */
interface EventRange extends Days {
  readonly selection: Selection;
}

const especie: Input = {
  schema: { type: 'string', minLength: 1 },
  isRequired: true,
  es: 'Especie del instrumento. Sin `forma` se admite una sola. Con `forma` se admiten varias, separadas por comas y hasta {tickersPerRequestMax}.',
  en: 'One ticker, or several with `forma`.',
};
const form = oneOf('forma', ['larga'], {
  schema: { type: 'string', enum: ['larga'] },
  es: '`larga` devuelve en un solo pedido los eventos de varias especies, los de cada una después de los de la anterior. Se admite una sola vez.',
  en: '`larga`: the actions of several instruments in one table.',
});

/** Without `forma`, a ticker with a comma is a mistake and no list. */
const range: Part<EventRange> = {
  inputs: { especie, ...requiredDays, ...form.inputs },
  parse: (values, scope) => {
    const { path } = scope;
    const sent = {
      especie: values['especie'] ?? [],
      desde: values['desde'] ?? [],
      hasta: values['hasta'] ?? [],
    };
    const isForm = form.parse(values, scope);
    if (!isForm.ok) return isForm;
    if (isForm.value === undefined) {
      const one = parseRange(sent, path);
      if (!one.ok) return one;
      const { ticker, from, to } = one.value;
      return { ok: true, value: { selection: { tickers: [ticker] }, from, to } };
    }
    if (sent.especie.every((list) => list.trim() === '')) {
      return { ok: false, problem: { type: 'parameter-missing', parameter: 'especie', path } };
    }
    const several = selection.parse({ especie: sent.especie }, scope);
    if (!several.ok) return several;
    const both = parseDays(sent, path);
    return both.ok ? { ok: true, value: { selection: several.value, ...both.value } } : both;
  },
};

/** An action with the fields of all types. */
interface AnyAction
  extends
    Pick<CorporateAction, 'ticker' | 'exDay' | 'type'>,
    Partial<Pick<FactorAction, 'factor'>>,
    Partial<Pick<CashDividend, 'amount' | 'currency'>>,
    Partial<Pick<TickerChange, 'newTicker'>> {}

const about = {
  especie: {
    schema: { type: 'string', minLength: 1 },
    es: 'Especie del instrumento.',
    en: 'Ticker of the instrument on the day before the ex date.',
  },
  fecha: {
    schema: { type: 'string', format: 'date' },
    es: 'Fecha ex, la primera rueda con los precios posteriores al evento.',
    en: 'Ex date: the first session whose prices are those after the action.',
  },
  tipo: {
    schema: { type: 'string', enum: Object.values(actionNames) },
    es: 'Tipo de evento.',
    en: 'One of the values of 2.8.1.',
  },
  factor: {
    schema: { type: 'number', exclusiveMinimum: 0 },
    es: 'Los precios anteriores a la fecha ex se dividen por él. En un *split*, un dividendo en acciones o un cambio de ratio es la cantidad de unidades nuevas por cada unidad anterior: 10 en un *split* de 10 por 1, 1,09 en un dividendo en acciones de 9 %.',
    en: 'Prices before the ex date are divided by it. New units for one old unit where they change, above zero.',
  },
  importe: {
    schema: { type: 'number', exclusiveMinimum: 0 },
    es: 'Importe por unidad de la fecha ex.',
    en: 'Amount for one unit, in units of the ex date, above zero.',
  },
  moneda: {
    schema: { type: 'string' },
    es: 'Moneda del importe, código ISO 4217.',
    en: 'Currency of `importe`, ISO 4217.',
  },
  detalle: { schema: { type: 'string' }, es: 'Especie nueva.', en: 'The new ticker.' },
} as const satisfies Readonly<Record<string, FieldAbout>>;

/** The fields of an action in the order of contract 2.8. Those that its type does not have are absent. */
export const eventTable = new Table<AnyAction>({
  especie: text(({ ticker }) => ticker, about.especie),
  fecha: word(({ exDay }) => fromEpochDay(exDay), about.fecha),
  tipo: word(({ type }) => actionNames[type], about.tipo),
  factor: number(({ factor }) => factor, about.factor),
  importe: number(({ amount }) => amount, about.importe),
  moneda: text(({ currency }) => currency, about.moneda),
  detalle: text(({ newTicker }) => newTicker, about.detalle),
});

/** What documents say of the actions of some types. */
function ofTypes(
  types: readonly CorporateAction['type'][],
  further: readonly (keyof typeof about)[],
  fecha: FieldAbout = about.fecha,
): Readonly<Record<string, FieldAbout>> {
  const { especie: ticker, tipo } = about;
  const schema = { ...tipo.schema, enum: types.map((type) => actionNames[type]) };
  const own = further.map((name) => [name, about[name]] as const);
  return { especie: ticker, fecha, tipo: { ...tipo, schema }, ...Object.fromEntries(own) };
}

/** The corporate actions of one instrument, or of several (contract 4.8). */
export const eventos = operation({
  path: '/eventos',
  clause: '4.8',
  params: { range, knownAt },
  tables: {
    Evento: {
      fields: eventTable.fields,
      kinds: {
        CambioDeUnidades: ofTypes(['split', 'stock-dividend', 'ratio-change'], ['factor']),
        CambioDeValor: ofTypes(['rights-issue', 'spin-off'], ['factor']),
        DividendoEnEfectivo: ofTypes(['cash-dividend'], ['importe', 'moneda']),
        CambioDeTicker: ofTypes(['ticker-change'], ['detalle'], {
          ...about.fecha,
          es: 'Fecha ex, la primera rueda con la especie nueva.',
        }),
      },
    },
  },
});
