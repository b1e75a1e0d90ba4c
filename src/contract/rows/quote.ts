import type { Quote } from '../../domain/quotes/quote.ts';
import { bookFieldNames, bookFields, type BookField } from '../../domain/quotes/quote-fields.ts';
import {
  extraOf,
  noExtras,
  type QuoteExtra,
  type QuoteExtras,
} from '../../domain/quotes/quote-extra.ts';
import { formatExactNumber } from '../../lib/numbers/exact-number.ts';
import { rememberedWith } from '../../lib/results/remembered.ts';
import { noInstants, type InstantTexts } from '../../wire/texts/instant-texts.ts';
import { formatValue } from '../../wire/texts/number.ts';
import { extraNames } from '../../wire/texts/quote-names.ts';
import {
  dateField,
  digits,
  instantField,
  number,
  Table,
  type TableWithExtras,
  text,
  tickerField,
  timeField,
  type Field,
  type FieldAbout,
} from '../table.ts';

/** A price, with the decimals of the instrument. */
function price(
  read: (quote: Quote) => number | undefined,
  about: Partial<FieldAbout>,
): Field<Quote> {
  return digits((quote) => {
    const value = read(quote);
    return value === undefined ? undefined : formatValue(value, quote.instrument);
  }, about);
}

/** The fields of contract 2.1, in its order. A quote never changes, so its text is rendered once. */
const plain = new Table<Quote>(
  {
    especie: tickerField(({ instrument }) => instrument.ticker),
    fecha: dateField(({ sessionDate }) => sessionDate, {
      es: 'Fecha de la rueda, en la zona horaria del mercado.',
      en: "Session date, in the time zone of the instrument's market.",
    }),
    hora: timeField(({ asOf }) => asOf, {
      without: 'absent',
      es: 'Hora de la última actualización, en hora de Buenos Aires. Ausente si la fuente no la informó. Un cambio que afecta solo a los campos de `campos` no la modifica.',
      en: 'Time of the last update of these fields, Buenos Aires time.',
    }),
    ultimo: price(({ last }) => last, { es: 'Último precio disponible.', en: 'Latest price.' }),
    variacion: number(({ change }) => change?.value ?? null, {
      without: 'null',
      es: 'Variación respecto del cierre anterior: en puntos para tasas, brechas y riesgo país; en porcentaje para los demás instrumentos (12 es 12 %). Siempre presente. Es `null` si no se puede calcular o si el cierre anterior es más de 45 días anterior a la rueda.',
      en: 'Change from the previous close, in percent or in points.',
    }),
    anterior: price(({ previousClose }) => previousClose, {
      without: 'absent',
      es: 'Cierre anterior. Ausente si no se conoce. Tras un split, un dividendo en acciones o un cambio de ratio está dividido por su factor, igual que las bases de `varMTD` y `varYTD`.',
      en: 'Previous close.',
    }),
    apertura: price(({ open }) => open, {
      without: 'absent',
      es: 'Precio de apertura de la rueda. Ausente si no se conoce.',
      en: 'First price of the session.',
    }),
    minimo: price(({ low }) => low, {
      without: 'absent',
      es: 'Precio mínimo de la rueda. Ausente si no se conoce.',
      en: 'Lowest price of the session.',
    }),
    maximo: price(({ high }) => high, {
      without: 'absent',
      es: 'Precio máximo de la rueda. Ausente si no se conoce.',
      en: 'Highest price of the session.',
    }),
    varMTD: number(({ monthToDatePct }) => monthToDatePct, {
      unit: '%',
      without: 'null',
      es: 'Variación acumulada en el mes, en porcentaje, desde el último cierre anterior al mes. Siempre presente. Es `null` si no se puede calcular, si ese cierre es más de 45 días anterior al fin del mes anterior, y siempre para brechas.',
      en: 'Change since the end of the month before, in percent.',
    }),
    varYTD: number(({ yearToDatePct }) => yearToDatePct, {
      unit: '%',
      without: 'null',
      es: 'Variación acumulada en el año, en porcentaje, desde el último cierre anterior al año. Siempre presente. Es `null` si no se puede calcular, si ese cierre no es del año anterior ni, como máximo, 45 días anterior a su fin, y siempre para brechas.',
      en: 'Change since the end of the year before, in percent.',
    }),
    volumen: number(({ volume }) => volume, {
      without: 'null',
      es: 'Volumen nominal operado. Admite decimales. Siempre presente. Es 0 si no hubo operaciones y `null` para índices, tasas, tipos de cambio y brechas, o si solo se conoce el cierre.',
      en: 'Nominal volume traded in the session.',
    }),
  },
  { keepsTexts: true },
);

const atLeastZero = { type: 'number', minimum: 0 } as const;

const bookTexts: Readonly<Record<BookField, Partial<FieldAbout>>> = {
  bid: {
    es: 'Mejor precio de los compradores. Solo si se pidió en `campos`, como los campos que siguen. Ausente si no se conoce o si no hay órdenes de compra.',
    en: 'Best price of the buyers (bid).',
  },
  ask: {
    es: 'Mejor precio de los vendedores. Ausente si no se conoce o si no hay órdenes de venta. Puede ser menor que `compra`, por ejemplo en una subasta.',
    en: 'Best price of the sellers (ask).',
  },
  bidSize: {
    schema: atLeastZero,
    es: 'Cantidad nominal a ese precio de compra. Ausente si no se conoce.',
    en: 'Nominal quantity at `compra`.',
  },
  askSize: {
    schema: atLeastZero,
    es: 'Cantidad nominal a ese precio de venta. Ausente si no se conoce.',
    en: 'Nominal quantity at `venta`.',
  },
  amount: {
    schema: atLeastZero,
    es: 'Monto operado en la rueda, en la moneda del instrumento. Ausente si no se conoce.',
    en: 'Money traded in the session so far, in the currency of the instrument.',
  },
  trades: {
    schema: { type: 'integer', minimum: 0 },
    es: 'Cantidad de operaciones de la rueda. Ausente si no se conoce.',
    en: 'Number of trades in the session so far.',
  },
};

function bookField(extra: BookField): Field<Quote> {
  const isPrice = bookFields[extra] === 'price';
  return digits((quote) => {
    const value = extraOf(quote, extra) as number | undefined;
    if (value === undefined) return undefined;
    return isPrice ? formatValue(value, quote.instrument) : formatExactNumber(value);
  }, bookTexts[extra]);
}

const ofBook = Object.fromEntries(
  bookFieldNames.map((field) => [field, bookField(field)] as const),
) as Readonly<Record<BookField, Field<Quote>>>;

/**
 * The table of quotes, with the fields that clients get on request (contract 2.7).
 *
 * @param instants renders the instant.
 */
export function quoteTable(
  instants: InstantTexts = noInstants,
): TableWithExtras<Quote, QuoteExtra> {
  const extras = {
    ...ofBook,
    source: text((quote: Quote) => extraOf(quote, 'source') as string | undefined, {
      schema: { type: 'string', minLength: 1 },
      es: 'Nombre de la fuente del precio. Ausente si no se conoce.',
      en: 'Name of the source that gave `ultimo`. The same as in `/especies.json` (4.4.2).',
    }),
    instant: instantField(
      ({ instrument, asOf }: Quote) =>
        asOf === undefined ? undefined : instants.at(instrument, asOf),
      {
        es: 'Instante de `hora` en segundos, con el desplazamiento horario del mercado: sus diez primeros caracteres son los de `fecha`. Ausente si `hora` lo está.',
        en: 'Instant of `hora` (2.7.7).',
      },
    ),
  };
  return plain.withExtras(extras, { names: extraNames });
}

const withoutInstants = quoteTable();
const tables = rememberedWith((instants: InstantTexts) => quoteTable(instants));

/** A quote as JSON, as an element of a table and as the data of an event have it. */
export function quoteJson(
  quote: Quote,
  extras: QuoteExtras = noExtras,
  instants = noInstants,
): string {
  const table = instants === noInstants ? withoutInstants : tables(instants);
  return table.with(extras).object(quote);
}
