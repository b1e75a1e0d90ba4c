import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { barIntervals, type BarInterval } from '../../domain/quotes/bar-interval.ts';
import { msPerMinute, type Bar } from '../../domain/quotes/minute-bar.ts';
import { rememberedWith } from '../../lib/results/remembered.ts';
import { buenosAiresTime } from '../../wire/texts/buenos-aires-time.ts';
import { instantName, noInstants, type InstantTexts } from '../../wire/texts/instant-texts.ts';
import { formatNumber, formatValue } from '../../wire/texts/number.ts';
import {
  dateField,
  digits,
  instantField,
  Table,
  type TableWithExtras,
  word,
  tickerField,
  type Field,
  type FieldAbout,
} from '../table.ts';

/** The intervals of bars by their public names (contract 4.9). */
export const intervals: Readonly<Record<string, BarInterval>> = Object.fromEntries(
  barIntervals.map((minutes) => [`${minutes}m`, minutes]),
);

/** Maximum number of decimals of the volume of a bar. The difference of two volumes may have more digits. */
export const volumeDecimals = 8;

/** A bar as it is at one moment. A bar that changes is another object. */
export interface BarState {
  readonly instrument: Instrument;
  readonly bar: Bar;
}

const startOf = ({ bar }: BarState): number => bar.minute * msPerMinute;

function price(read: (bar: Bar) => number, about: Partial<FieldAbout>): Field<BarState> {
  return digits(({ instrument, bar }) => formatValue(read(bar), instrument), about);
}

/**
 * The bars of instruments (contract 2.9), in the order of its fields.
 *
 * @param instants renders the instant of each bar.
 */
export function barTable(
  instants: InstantTexts = noInstants,
): TableWithExtras<BarState, typeof instantName> {
  return new Table<BarState>({
    especie: tickerField(({ instrument }) => instrument.ticker),
    fecha: dateField(({ bar }) => fromEpochDay(bar.day), {
      es: 'Fecha de la rueda, en la zona horaria del mercado.',
      en: "Session date, in the time zone of the instrument's market.",
    }),
    hora: word((state) => buenosAiresTime(startOf(state)), {
      schema: { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d:00$' },
      es: 'Comienzo de la barra, hora de Buenos Aires.',
      en: 'Start of the bar, Buenos Aires time.',
    }),
    apertura: price(({ open }) => open, { es: 'Primer precio.', en: 'First price of the bar.' }),
    maximo: price(({ high }) => high, { es: 'Precio más alto.', en: 'Highest price of the bar.' }),
    minimo: price(({ low }) => low, { es: 'Precio más bajo.', en: 'Lowest price of the bar.' }),
    ultimo: price(({ last }) => last, { es: 'Último precio.', en: 'Latest price of the bar.' }),
    volumen: digits(
      ({ bar }) => (bar.volume === null ? null : formatNumber(bar.volume, volumeDecimals)),
      {
        schema: { type: 'number', minimum: 0 },
        without: 'null',
        es: 'Volumen nominal operado desde la barra anterior, con 8 decimales como máximo. `null` si el instrumento no tiene volumen o se desconoce.',
        en: 'Nominal volume of the bar, with at most 8 decimals. Null as in 2.1.6.',
      },
    ),
  }).withExtras({
    [instantName]: instantField((state) => instants.at(state.instrument, startOf(state)), {
      es: 'Comienzo de la barra, con el desplazamiento horario del mercado. Solo si se pidió en `campos`.',
      en: 'Start of the bar.',
    }),
  });
}

const { plain } = barTable();

const plainEvent = rememberedWith((state: BarState) => eventOf(plain.object(state)));
const eventsWithInstant = rememberedWith((instants: InstantTexts) => {
  const table = barTable(instants).with([instantName]);
  return { of: rememberedWith((state: BarState) => eventOf(table.object(state))) };
});

/**
 * A bar as a server-sent event: named `barra`, with the row of `/intradiarios` as data (contract 4.9.5). It has no id:
 * a client resumes after the last quote, and gets the latest bars again. All streams of an interval send the same text.
 *
 * @param instants given if the client requested the instant.
 */
export function barEvent(state: BarState, instants?: InstantTexts): string {
  return instants === undefined ? plainEvent(state) : eventsWithInstant(instants).of(state);
}

function eventOf(row: string): string {
  return `event: barra\ndata: ${row}\n\n`;
}
