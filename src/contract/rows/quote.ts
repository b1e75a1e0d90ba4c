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
import { buenosAiresTime } from '../../wire/texts/buenos-aires-time.ts';
import type { InstantTexts } from '../../wire/texts/instant-texts.ts';
import { formatValue } from '../../wire/texts/number.ts';
import { extraNames } from '../../wire/texts/quote-names.ts';
import {
  digits,
  number,
  Table,
  TableWithExtras,
  text,
  word,
  type Field,
  type FieldAbout,
} from '../table.ts';

const about = {
  especie: {
    schema: { type: 'string', minLength: 1 },
    es: 'Especie del instrumento.',
    en: 'Ticker, in its canonical spelling.',
  },
  fecha: {
    schema: { type: 'string', format: 'date' },
    es: 'Fecha de la rueda, en la zona horaria del mercado.',
    en: "Session date, in the time zone of the instrument's market.",
  },
  hora: {
    schema: { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d$' },
    without: 'absent',
    es: 'Hora de la última actualización, en hora de Buenos Aires. Ausente si la fuente no la informó. Un cambio que afecta solo a los campos de `campos` no la modifica.',
    en: 'Time of the last update of these fields, Buenos Aires time.',
  },
  ultimo: { schema: { type: 'number' }, es: 'Último precio disponible.', en: 'Latest price.' },
  variacion: {
    schema: { type: 'number' },
    without: 'null',
    es: 'Variación respecto del cierre anterior: en puntos para tasas, brechas y riesgo país; en porcentaje para los demás instrumentos (12 es 12 %). Siempre presente. Es `null` si no se puede calcular o si el cierre anterior es más de 45 días anterior a la rueda.',
    en: 'Change from the previous close, in percent or in points.',
  },
  anterior: {
    schema: { type: 'number' },
    without: 'absent',
    es: 'Cierre anterior. Ausente si no se conoce. Tras un split, un dividendo en acciones o un cambio de ratio está dividido por su factor, igual que las bases de `varMTD` y `varYTD`.',
    en: 'Previous close.',
  },
  apertura: {
    schema: { type: 'number' },
    without: 'absent',
    es: 'Precio de apertura de la rueda. Ausente si no se conoce.',
    en: 'First price of the session.',
  },
  minimo: {
    schema: { type: 'number' },
    without: 'absent',
    es: 'Precio mínimo de la rueda. Ausente si no se conoce.',
    en: 'Lowest price of the session.',
  },
  maximo: {
    schema: { type: 'number' },
    without: 'absent',
    es: 'Precio máximo de la rueda. Ausente si no se conoce.',
    en: 'Highest price of the session.',
  },
  varMTD: {
    schema: { type: 'number' },
    unit: '%',
    without: 'null',
    es: 'Variación acumulada en el mes, en porcentaje, desde el último cierre anterior al mes. Siempre presente. Es `null` si no se puede calcular, si ese cierre es más de 45 días anterior al fin del mes anterior, y siempre para brechas.',
    en: 'Change since the end of the month before, in percent.',
  },
  varYTD: {
    schema: { type: 'number' },
    unit: '%',
    without: 'null',
    es: 'Variación acumulada en el año, en porcentaje, desde el último cierre anterior al año. Siempre presente. Es `null` si no se puede calcular, si ese cierre no es del año anterior ni, como máximo, 45 días anterior a su fin, y siempre para brechas.',
    en: 'Change since the end of the year before, in percent.',
  },
  volumen: {
    schema: { type: 'number' },
    without: 'null',
    es: 'Volumen nominal operado. Admite decimales. Siempre presente. Es 0 si no hubo operaciones y `null` para índices, tasas, tipos de cambio y brechas, o si solo se conoce el cierre.',
    en: 'Nominal volume traded in the session.',
  },
  compra: {
    schema: { type: 'number' },
    without: 'absent',
    es: 'Mejor precio de los compradores. Solo si se pidió en `campos`, como los campos que siguen. Ausente si no se conoce o si no hay órdenes de compra.',
    en: 'Best price of the buyers (bid).',
  },
  venta: {
    schema: { type: 'number' },
    without: 'absent',
    es: 'Mejor precio de los vendedores. Ausente si no se conoce o si no hay órdenes de venta. Puede ser menor que `compra`, por ejemplo en una subasta.',
    en: 'Best price of the sellers (ask).',
  },
  cantCompra: {
    schema: { type: 'number', minimum: 0 },
    without: 'absent',
    es: 'Cantidad nominal a ese precio de compra. Ausente si no se conoce.',
    en: 'Nominal quantity at `compra`.',
  },
  cantVenta: {
    schema: { type: 'number', minimum: 0 },
    without: 'absent',
    es: 'Cantidad nominal a ese precio de venta. Ausente si no se conoce.',
    en: 'Nominal quantity at `venta`.',
  },
  monto: {
    schema: { type: 'number', minimum: 0 },
    without: 'absent',
    es: 'Monto operado en la rueda, en la moneda del instrumento. Ausente si no se conoce.',
    en: 'Money traded in the session so far, in the currency of the instrument.',
  },
  operaciones: {
    schema: { type: 'integer', minimum: 0 },
    without: 'absent',
    es: 'Cantidad de operaciones de la rueda. Ausente si no se conoce.',
    en: 'Number of trades in the session so far.',
  },
  fuente: {
    schema: { type: 'string', minLength: 1 },
    without: 'absent',
    es: 'Nombre de la fuente del precio. Ausente si no se conoce.',
    en: 'Name of the source that gave `ultimo`. The same as in `/especies.json` (4.4.2).',
  },
  instante: {
    schema: { type: 'string', format: 'date-time' },
    without: 'absent',
    es: 'Instante de `hora` en segundos, con el desplazamiento horario del mercado: sus diez primeros caracteres son los de `fecha`. Ausente si `hora` lo está.',
    en: 'Instant of `hora` (2.7.7).',
  },
} as const satisfies Readonly<Record<string, FieldAbout>>;

/** A price, with the decimals of the instrument. */
function price(read: (quote: Quote) => number | undefined, of: FieldAbout): Field<Quote> {
  return digits((quote) => {
    const value = read(quote);
    return value === undefined ? undefined : formatValue(value, quote.instrument);
  }, of);
}

/** The fields of contract 2.1, in its order. A quote never changes, so its text is rendered once. */
const plain = new Table<Quote>(
  {
    especie: text(({ instrument }) => instrument.ticker, about.especie),
    fecha: word(({ sessionDate }) => sessionDate, about.fecha),
    hora: word(({ asOf }) => (asOf === undefined ? undefined : buenosAiresTime(asOf)), about.hora),
    ultimo: price(({ last }) => last, about.ultimo),
    variacion: number(({ change }) => change?.value ?? null, about.variacion),
    anterior: price(({ previousClose }) => previousClose, about.anterior),
    apertura: price(({ open }) => open, about.apertura),
    minimo: price(({ low }) => low, about.minimo),
    maximo: price(({ high }) => high, about.maximo),
    varMTD: number(({ monthToDatePct }) => monthToDatePct, about.varMTD),
    varYTD: number(({ yearToDatePct }) => yearToDatePct, about.varYTD),
    volumen: number(({ volume }) => volume, about.volumen),
  },
  { keepsTexts: true },
);

/**
 * The table of quotes, with the fields that clients get on request (contract 2.7).
 *
 * @param instants renders the instant. Without it, the instant cannot be requested.
 */
export function quoteTable(instants?: InstantTexts): TableWithExtras<Quote, QuoteExtra> {
  const instante = (quote: Quote): string | undefined => {
    if (instants === undefined) throw new Error('the instant needs the markets of the universe');
    return quote.asOf === undefined ? undefined : instants.at(quote.instrument, quote.asOf);
  };
  const bookField = (extra: BookField): Field<Quote> =>
    digits((quote) => {
      const value = extraOf(quote, extra) as number | undefined;
      if (value === undefined) return undefined;
      return bookFields[extra] === 'price'
        ? formatValue(value, quote.instrument)
        : formatExactNumber(value);
    }, about[extraNames[extra]]);
  type Extra = readonly [name: string, field: Field<Quote>];
  const bookExtras: Readonly<Record<string, Extra>> = Object.fromEntries(
    bookFieldNames.map((field) => [field, [extraNames[field], bookField(field)] as const]),
  );
  return new TableWithExtras(plain, {
    ...(bookExtras as Readonly<Record<BookField, Extra>>),
    source: [
      extraNames.source,
      text((quote) => extraOf(quote, 'source') as string | undefined, about.fuente),
    ],
    instant: [extraNames.instant, word(instante, about.instante)],
  });
}

const tables = rememberedWith(
  quoteTable as (instants: InstantTexts) => ReturnType<typeof quoteTable>,
);
const withoutInstants = quoteTable();

/** A quote as JSON, as an element of a table and as the data of an event have it. */
export function quoteJson(
  quote: Quote,
  extras: QuoteExtras = noExtras,
  instants?: InstantTexts,
): string {
  const table = instants === undefined ? withoutInstants : tables(instants);
  return table.with(extras).object(quote);
}
