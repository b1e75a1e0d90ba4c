import { conventionNames } from '../../domain/bonds/conventions.ts';
import type { BondValuation } from '../../domain/bonds/value-bond.ts';
import type { SettlementTerm } from '../../domain/calendar/business-days.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import { conversionDollars } from '../../domain/dollars/conversion-rates.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { refused } from '../../domain/values/problem.ts';
import { roundComputed, roundPrice } from '../../domain/values/rounding.ts';
import { choiceNames } from './choice-names.ts';
import { operation } from '../operation.ts';
import { described, type Input } from '../part.ts';
import { choice, once, oneOf, otherwise, selection } from '../parts.ts';
import {
  dateField,
  named,
  number,
  Table,
  text,
  tickerField,
  timeField,
  type Field,
  type FieldAbout,
} from '../table.ts';
import { dollarChoice, dollarNames } from './dolares.ts';

/** The public names of the dollars by which prices are converted. */
const conversionNames = conversionDollars.map((one) => dollarNames[one]);

/** The public names of the times of settlement (contract 4.10). */
export const termNames: Readonly<Record<string, SettlementTerm>> = {
  '24hs': 'next-day',
  ci: 'same-day',
};

const inputs = {
  especie: {
    schema: { type: 'array', items: { type: 'string' } },
    es: 'Una especie, o varias separadas por comas, como en `/cotizaciones`.',
  },
  panel: {
    schema: 'Panel',
    es: 'Código de un grupo predefinido. De sus integrantes, los que no son bonos, letras ni obligaciones negociables no figuran en la respuesta.',
  },
  convencion: {
    schema: 'Convencion',
    es: 'Convención de las cifras. El valor predeterminado es `pizarra`. Se admite una sola vez.',
    en: '`pizarra` (default), `screenermatic`, `ecovalores`, `bonarg`, `bloomberg`, `tablero`, `bonistas` ([bonds.md](bonds.md)).',
  },
  plazo: {
    schema: 'Plazo',
    es: 'Liquidación: `24hs`, el siguiente día en que se liquida, o `ci`, el mismo día. El valor predeterminado es el de la convención. Se admite una sola vez.',
    en: '`24hs` or `ci`: settlement on the next settlement day, or on the day of the trade. Default: that of the convention.',
  },
  dolar: {
    schema: {
      type: 'string',
      enum: conversionNames,
      'x-enum-names': Object.fromEntries(
        conversionNames.map((name) => [name, choiceNames.Dolar[name]]),
      ),
    },
    es: 'Dólar con el que se convierten los precios en otra moneda que la de los flujos: `mep` (el valor predeterminado) y `ccl` de AL30, sin redondear y de la misma rueda, `a3500` o `mayorista`. Se admite una sola vez.',
    en: '`mep` (default), `ccl`, `a3500`, `mayorista`: the dollar by which a price in another currency than the flows is converted.',
  },
  precio: {
    schema: { type: 'number', exclusiveMinimum: 0 },
    es: 'Un precio en lugar del de la cotización, en la forma de la convención y en la moneda de la especie. Solo con exactamente una especie y sin `panel`. La fecha es la de hoy.',
    en: 'A price instead of the quote, in the form of the convention. Only with exactly one ticker, and without `panel`.',
  },
} as const satisfies Readonly<Record<string, Input>>;

const priceShape = /^\d{1,12}(?:\.\d{1,12})?$/;

const assumptionNames: Readonly<Record<BondValuation['assumptions'][number], string>> = {
  'fixed-leg': 'pata fija',
  'no-options': 'sin opciones',
  'doubtful-terms': 'terminos en duda',
};

const stateNames: Readonly<Record<BondValuation['state'], string>> = {
  ok: 'ok',
  'not-issued': 'no-emitido',
  matured: 'vencido',
  'no-index': 'sin-indice',
  'no-exchange-rate': 'sin-cambio',
  'no-yield': 'sin-solucion',
  'doubtful-price': 'precio-dudoso',
};

/** A bond with its figures, and the instant of the price. */
export interface ValuedBond {
  readonly instrument: Instrument;
  readonly date: PlainDate;
  /** In epoch milliseconds. Absent if it is not known. */
  readonly asOf?: number | undefined;
  readonly figures: BondValuation;
}

/** A rate, a duration, a residual or a parity. */
function figure(
  read: (figures: BondValuation) => number | null,
  about: Partial<FieldAbout>,
): Field<ValuedBond> {
  return number(({ figures }) => roundedRate(read(figures)), { without: 'null', ...about });
}

/** A rate as rows show it. */
export function roundedRate(value: number | null): number | null {
  return roundComputed(value, 4);
}

/** A price or an amount. A positive one is never rounded to 0 (contract 2.1.8). */
function price(
  read: (figures: BondValuation) => number | null,
  about: Partial<FieldAbout>,
  decimals = 6,
): Field<ValuedBond> {
  const of = ({ figures }: ValuedBond): number | null =>
    roundComputed(read(figures), decimals, roundPrice);
  return number(of, { without: 'null', ...about });
}

/** The fields of a valued bond, in the order of contract 4.10. */
export const bondFields = {
  especie: tickerField(({ instrument }) => instrument.ticker),
  fecha: dateField(({ date }) => date, {
    es: 'Fecha de la cotización. Con `precio`, la de hoy.',
    en: 'Session date of the quote. With `precio`, today.',
  }),
  hora: timeField(({ asOf }) => asOf, {
    without: 'null',
    es: 'Hora de la cotización, en Buenos Aires. `null` con `precio`, y si no se conoce.',
    en: 'As that of the quote (2.1.2). Null with `precio`, and if it is not known.',
  }),
  liquidacion: dateField(({ figures }) => figures.settlement, {
    es: 'Fecha de liquidación.',
    en: 'Settlement date.',
  }),
  precio: price((one) => one.price, {
    es: 'Precio usado, en la forma de la convención, cada 100 de valor nominal.',
    en: 'The price in the form of the convention. Null if it cannot be expressed in it.',
  }),
  moneda: text(({ figures }) => figures.currency, {
    es: 'Moneda del precio.',
    en: 'Currency of the price.',
  }),
  tipoCambio: price(({ exchangeRate }) => exchangeRate, {
    es: 'Pesos por dólar con los que se convirtió el precio. `null` si no se convirtió.',
    en: 'Pesos for one dollar, by which the price was converted. Null if it was not.',
  }),
  tir: figure((one) => one.yield, {
    unit: '%',
    es: 'Tasa interna de retorno anual, en por ciento, capitalizada como dice la convención.',
    en: 'Annual yield, in percent, compounded as the convention says.',
  }),
  tna: figure(({ nominalRate }) => nominalRate, {
    unit: '%',
    es: 'Tasa nominal anual, en por ciento. Con un solo pago pendiente es la tasa simple.',
    en: 'Nominal annual rate, in percent.',
  }),
  tem: figure(({ monthlyRate }) => monthlyRate, {
    unit: '%',
    es: 'Tasa efectiva mensual, en por ciento.',
    en: 'Monthly rate, in percent.',
  }),
  duration: figure(({ duration }) => duration, {
    es: 'Duration de Macaulay, en años.',
    en: 'Macaulay duration, in years.',
  }),
  durationModificada: figure(({ modifiedDuration }) => modifiedDuration, {
    es: 'Duration modificada, en años.',
    en: 'Modified duration, in years.',
  }),
  convexidad: figure(({ convexity }) => convexity, {
    es: 'Convexidad, en años al cuadrado.',
    en: 'In years².',
  }),
  valorTecnico: price(({ technicalValue }) => technicalValue, {
    es: 'Capital residual con los intereses corridos, multiplicado por el índice, en la moneda de los flujos.',
    en: 'Outstanding principal with the accrued interest, multiplied by the index, in the currency of the flows, 6 decimals (2.1.8).',
  }),
  interesesCorridos: price(({ accrued }) => accrued, {
    es: 'Intereses corridos, multiplicados por el índice, en la moneda de los flujos.',
    en: 'Accrued interest, multiplied by the index, in the currency of the flows, 6 decimals (2.1.8).',
  }),
  residual: figure(({ residual }) => residual, {
    unit: '%',
    es: 'Capital residual, en por ciento del valor nominal original.',
    en: 'Outstanding principal, in percent of the original nominal.',
  }),
  paridad: price(
    ({ parity }) => parity,
    {
      unit: '%',
      es: 'Precio dividido por el valor técnico, o por lo que diga la convención, en por ciento.',
      en: 'Price in percent of the technical value, or as the convention says (2.1.8).',
    },
    4,
  ),
  vencimiento: dateField(({ figures }) => figures.maturity, {
    es: 'Vencimiento contractual.',
    en: 'Contractual maturity.',
  }),
  indice: text(({ figures }) => figures.index?.index ?? null, {
    without: 'null',
    es: 'Índice por el que ajusta. `null` si no ajusta.',
    en: 'The index that is used. Null for a bond without one.',
  }),
  fechaIndice: text(({ figures }) => figures.index?.day ?? null, {
    without: 'null',
    es: 'Día del índice que corresponde a la liquidación, AAAA-MM-DD.',
    en: 'The day of the index, `YYYY-MM-DD`. Null for a bond without one.',
  }),
  valorIndice: number(({ figures }) => figures.index?.value ?? null, {
    without: 'null',
    es: 'Valor del índice en ese día. `null` si no se conoce.',
    en: 'The value of the index on that day. Null if it is not known.',
  }),
  supuesto: text(
    ({ figures: { assumptions } }) => {
      const names = assumptions.map((one) => assumptionNames[one]);
      return names.length === 0 ? null : names.join('; ');
    },
    {
      without: 'null',
      es: 'Lo que las cifras suponen: `pata fija`, `sin opciones`, `terminos en duda`. Si son varios, están separados por «; ».',
      en: '`pata fija`, `sin opciones`, `terminos en duda`; several are joined by `; `.',
    },
  ),
  estado: named(stateNames, ({ figures }) => figures.state, {
    es: '`ok`, o por qué faltan cifras: la liquidación es anterior a la emisión, el bono venció, falta el valor del índice o el dólar, ninguna tasa da ese precio, o el precio no puede ser el de 100 nominales (paridad menor que 5 % o mayor que 200 %).',
    en: '`ok`, `no-emitido` (the settlement is before the issue), `vencido`, `sin-indice`, `sin-cambio`, `sin-solucion`, `precio-dudoso`.',
  }),
} as const satisfies Readonly<Record<string, Field<ValuedBond>>>;

/** A row outlives changes of other bonds, so its text is kept with it. */
export const bondTable = new Table<ValuedBond>(bondFields, { keepsTexts: true });

/** The parameters by which a price becomes figures. */
export const figureParams = {
  convention: otherwise(oneOf('convencion', conventionNames, inputs.convencion), 'pizarra'),
  /** Undefined for that of the convention. */
  term: choice('plazo', termNames, inputs.plazo),
  dollar: otherwise(dollarChoice(conversionDollars, inputs.dolar), 'mep'),
};

/** The yields, durations and parities of bonds (contract 4.10). */
export const bonos = operation({
  path: '/bonos',
  clause: '4.10',
  params: {
    selection: described(selection, { especie: inputs.especie, panel: inputs.panel }),
    ...figureParams,
    /** A price instead of the quote, in the form of the convention. */
    price: once(
      'precio',
      (sent) => {
        const amount = priceShape.test(sent) ? Number(sent) : 0;
        if (amount > 0) return { ok: true, value: amount };
        return refused({ type: 'price-malformed', value: sent });
      },
      inputs.precio,
    ),
  },
  check: (query) => {
    const { tickers, panel } = query.selection;
    if (query.price === undefined || (tickers.length === 1 && panel === undefined)) {
      return { ok: true, value: query };
    }
    return refused({ type: 'price-not-single' });
  },
  tables: { CifrasDeBono: bondTable },
});
