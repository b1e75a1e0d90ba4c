import type { Quote } from '../../domain/quotes/quote.ts';
import { bookFields } from '../../domain/quotes/quote-fields.ts';
import { extraOf, noExtras } from '../../domain/quotes/quote-extra.ts';
import type { QuoteExtra, QuoteExtras } from '../../domain/quotes/quote-extra.ts';
import { formatExactNumber } from '../../lib/numbers/exact-number.ts';
import { rememberedWith } from '../../lib/results/remembered.ts';
import { buenosAiresTime } from '../../wire/texts/buenos-aires-time.ts';
import type { InstantTexts } from '../../wire/texts/instant-texts.ts';
import { formatValue } from '../../wire/texts/number.ts';
import { extraNames } from '../../wire/texts/quote-names.ts';
import { digits, number, Table, TableWithExtras, text, word } from '../table.ts';
import type { Field, FieldAbout } from '../table.ts';

const positive = { type: 'number' } as const;

/** A price, with the decimals of the instrument. */
function price(read: (quote: Quote) => number | undefined, about: FieldAbout): Field<Quote> {
  return digits((quote) => {
    const value = read(quote);
    return value === undefined ? undefined : formatValue(value, quote.instrument);
  }, about);
}

const extraTexts: Readonly<Record<QuoteExtra, readonly [es: string, en: string]>> = {
  bid: ['Mejor precio de compra.', 'Best bid.'],
  ask: ['Mejor precio de venta.', 'Best ask.'],
  bidSize: ['Cantidad de la punta de compra.', 'Size of the best bid.'],
  askSize: ['Cantidad de la punta de venta.', 'Size of the best ask.'],
  amount: ['Monto operado en la rueda.', 'Amount traded in the session.'],
  trades: ['Cantidad de operaciones de la rueda.', 'Number of trades of the session.'],
  source: ['Fuente de la cotización.', 'Source of the quote.'],
  instant: ['Instante de `hora`.', 'Instant of `hora`.'],
};

function aboutExtra(extra: QuoteExtra): FieldAbout {
  const [es, en] = extraTexts[extra];
  const isText = extra === 'source' || extra === 'instant';
  return { schema: { type: isText ? 'string' : 'number' }, without: 'absent', es, en };
}

/** The fields of contract 2.1, in its order. A quote never changes, so its text is rendered once. */
const plain = new Table<Quote>(
  {
    especie: text(({ instrument }) => instrument.ticker, {
      schema: { type: 'string', minLength: 1 },
      es: 'Especie en su forma canónica.',
      en: 'The ticker in its canonical form.',
    }),
    fecha: word(({ sessionDate }) => sessionDate, {
      schema: { type: 'string', format: 'date' },
      es: 'Fecha de la rueda.',
      en: 'Session date.',
    }),
    hora: word(({ asOf }) => (asOf === undefined ? undefined : buenosAiresTime(asOf)), {
      schema: { type: 'string' },
      without: 'absent',
      es: 'Hora de la última actualización, en Buenos Aires.',
      en: 'Buenos Aires time of the last update.',
    }),
    ultimo: price(({ last }) => last, {
      schema: positive,
      es: 'Último precio.',
      en: 'Last price.',
    }),
    variacion: number(({ change }) => change?.value ?? null, {
      schema: { type: 'number' },
      without: 'null',
      es: 'Variación contra el cierre anterior.',
      en: 'Change from the previous close.',
    }),
    anterior: price(({ previousClose }) => previousClose, {
      schema: positive,
      without: 'absent',
      es: 'Cierre anterior.',
      en: 'Previous close.',
    }),
    apertura: price(({ open }) => open, {
      schema: positive,
      without: 'absent',
      es: 'Precio de apertura.',
      en: 'Opening price.',
    }),
    minimo: price(({ low }) => low, {
      schema: positive,
      without: 'absent',
      es: 'Precio mínimo.',
      en: 'Lowest price.',
    }),
    maximo: price(({ high }) => high, {
      schema: positive,
      without: 'absent',
      es: 'Precio máximo.',
      en: 'Highest price.',
    }),
    varMTD: number(({ monthToDatePct }) => monthToDatePct, {
      schema: { type: 'number' },
      without: 'null',
      es: 'Variación del mes.',
      en: 'Change of the month.',
    }),
    varYTD: number(({ yearToDatePct }) => yearToDatePct, {
      schema: { type: 'number' },
      without: 'null',
      es: 'Variación del año.',
      en: 'Change of the year.',
    }),
    volumen: number(({ volume }) => volume, {
      schema: { type: 'number' },
      without: 'null',
      es: 'Volumen nominal de la rueda.',
      en: 'Nominal volume of the session.',
    }),
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
  const bookField = (extra: Exclude<QuoteExtra, 'source' | 'instant'>): Field<Quote> =>
    digits((quote) => {
      const value = extraOf(quote, extra) as number | undefined;
      if (value === undefined) return undefined;
      return bookFields[extra] === 'price'
        ? formatValue(value, quote.instrument)
        : formatExactNumber(value);
    }, aboutExtra(extra));
  return new TableWithExtras(plain, {
    bid: [extraNames.bid, bookField('bid')],
    ask: [extraNames.ask, bookField('ask')],
    bidSize: [extraNames.bidSize, bookField('bidSize')],
    askSize: [extraNames.askSize, bookField('askSize')],
    amount: [extraNames.amount, bookField('amount')],
    trades: [extraNames.trades, bookField('trades')],
    source: [
      extraNames.source,
      text((quote) => extraOf(quote, 'source') as string | undefined, aboutExtra('source')),
    ],
    instant: [extraNames.instant, word(instante, aboutExtra('instant'))],
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
