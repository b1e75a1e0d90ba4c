import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { msPerMinute, type Bar } from '../../domain/quotes/minute-bar.ts';
import { rememberedWith } from '../../lib/results/remembered.ts';
import { buenosAiresTime } from '../../wire/texts/buenos-aires-time.ts';
import { instantName, type InstantTexts } from '../../wire/texts/instant-texts.ts';
import { formatNumber, formatValue } from '../../wire/texts/number.ts';
import {
  digits,
  Table,
  TableWithExtras,
  text,
  word,
  type Field,
  type FieldAbout,
} from '../table.ts';

/** Maximum number of decimals of the volume of a bar. The difference of two volumes may have more digits. */
export const volumeDecimals = 8;

/** A bar as it is at one moment. A bar that changes is another object. */
export interface BarState {
  readonly instrument: Instrument;
  readonly bar: Bar;
}

/** The public names of the fields on request (contract 4.9.6). */
export const barFieldNames = { instant: instantName } as const;

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
    schema: { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d:00$' },
    es: 'Comienzo de la barra, hora de Buenos Aires.',
    en: 'Start of the bar, Buenos Aires time.',
  },
  apertura: { schema: { type: 'number' }, es: 'Primer precio.', en: 'First price of the bar.' },
  maximo: { schema: { type: 'number' }, es: 'Precio más alto.', en: 'Highest price of the bar.' },
  minimo: { schema: { type: 'number' }, es: 'Precio más bajo.', en: 'Lowest price of the bar.' },
  ultimo: { schema: { type: 'number' }, es: 'Último precio.', en: 'Latest price of the bar.' },
  volumen: {
    schema: { type: 'number', minimum: 0 },
    without: 'null',
    es: 'Volumen nominal operado desde la barra anterior, con 8 decimales como máximo. `null` si el instrumento no tiene volumen o se desconoce.',
    en: 'Nominal volume of the bar, with at most 8 decimals. Null as in 2.1.6.',
  },
  instante: {
    schema: { type: 'string', format: 'date-time' },
    without: 'absent',
    es: 'Comienzo de la barra, con el desplazamiento horario del mercado. Solo si se pidió en `campos`.',
    en: 'Start of the bar.',
  },
} as const satisfies Readonly<Record<string, FieldAbout>>;

const startOf = ({ bar }: BarState): number => bar.minute * msPerMinute;

function price(read: (bar: Bar) => number, of: FieldAbout): Field<BarState> {
  return digits(({ instrument, bar }) => formatValue(read(bar), instrument), of);
}

/**
 * The bars of instruments (contract 2.9), in the order of its fields.
 *
 * @param instants renders the instant of each bar. Without it, the instant cannot be requested.
 */
export function barTable(
  instants?: InstantTexts,
): TableWithExtras<BarState, keyof typeof barFieldNames> {
  const instant = (state: BarState): string => {
    if (instants === undefined) throw new Error('the instant needs the markets of the universe');
    return instants.at(state.instrument, startOf(state));
  };
  return new TableWithExtras(
    new Table<BarState>({
      especie: text(({ instrument }) => instrument.ticker, about.especie),
      fecha: word(({ bar }) => fromEpochDay(bar.day), about.fecha),
      hora: word((state) => buenosAiresTime(startOf(state)), about.hora),
      apertura: price(({ open }) => open, about.apertura),
      maximo: price(({ high }) => high, about.maximo),
      minimo: price(({ low }) => low, about.minimo),
      ultimo: price(({ last }) => last, about.ultimo),
      volumen: digits(
        ({ bar }) => (bar.volume === null ? null : formatNumber(bar.volume, volumeDecimals)),
        about.volumen,
      ),
    }),
    { instant: [instantName, word(instant, about.instante)] },
  );
}

const { plain } = barTable();

const plainEvent = rememberedWith((state: BarState) => eventOf(plain.object(state)));
const eventsWithInstant = rememberedWith((instants: InstantTexts) => {
  const table = barTable(instants).with(['instant']);
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
