import { z } from 'zod';
import type { Cotizacion, Instrumento } from '../../clients/typescript/src/index.ts';
import { instrumentTable } from '../contract/paths/especies-json.ts';
import { marketTable } from '../contract/paths/mercados.ts';
import { quoteTable } from '../contract/rows/quote.ts';
import { instantName } from '../wire/texts/instant-texts.ts';
import { extraNames } from '../wire/texts/quote-names.ts';
import { panel, tickers } from './arguments.ts';
import { instrumentFields } from './service.ts';
import { fieldsOf, pick, tool, without } from './tool.ts';

/** Every field on request of contract 2.7 but the instant, which `fecha` and `hora` say too. */
const campos = Object.values(extraNames).filter((name) => name !== instantName);

const instrument = fieldsOf(instrumentTable.with(['precioPor']));

/** The fields that a quote has of its instrument. */
const ofInstrument = [
  'nombre',
  'mercado',
  'moneda',
  'precioPor',
  'unidadVariacion',
  'demoraMinutos',
  'atrasada',
] as const;

/** The latest quotes, each with its date, time, delay and state of its market. */
export const quotesTool = tool({
  name: 'cotizaciones',
  title: 'Cotizaciones',
  description:
    'Últimas cotizaciones de especies o de un panel: precio, variación, volumen, puntas, con fecha, hora y demora de cada una. ' +
    'Latest quotes of tickers or of a panel. Always report fecha and hora, and say when demoraMinutos is above 0, mercadoEstado is cerrado or atrasada is true: the price is then not live. A position is worth quantity × price ÷ precioPor.',
  input: { especies: tickers.describe('Especies. Tickers, at most 100.'), panel },
  limit: [100, 250],
  others: () => 'Pedir las demás por especie.',
  lists: {
    cotizaciones: {
      ...fieldsOf(quoteTable(), [instantName]),
      // Absent if the instrument is not found.
      ...z.object(pick(instrument, ofInstrument)).partial().shape,
      mercadoEstado: z
        .string()
        .optional()
        .describe('abierto o cerrado, ahora. State of the market now.'),
    },
  },
  refusal: ({ especies = [], panel: code }) =>
    especies.length === 0 && code === undefined
      ? 'Falta indicar "especies" o "panel". "buscar_especies" encuentra especies.'
      : undefined,
  read: async ({ especies = [], panel: code }, { client }, state) => {
    const especie = especies.length === 0 ? undefined : especies;
    const [read, instruments, { mercados }] = await Promise.all([
      client.quotes({ especie, panel: code, campos }),
      client.instruments(instrumentFields),
      state,
    ]);
    const byTicker = new Map(instruments.data.map((one) => [one.especie, one]));
    const data = read.data.map((row) => described(row, byTicker.get(row.especie), mercados));
    return { ...read, data };
  },
});

/** A quote with the fields of its instrument, and the state of its market, after its ticker. */
function described(
  { especie, ...rest }: Cotizacion,
  found: Partial<Instrumento> = {},
  markets: ReadonlyMap<string, string>,
): object {
  const mercadoEstado = markets.get(found.mercado ?? '');
  return {
    especie,
    ...pick({ ...found }, ofInstrument),
    ...(mercadoEstado === undefined ? {} : { mercadoEstado }),
    ...rest,
  };
}

/** Maximum number of rows of a search (contract 4.7.1). With as many, there may be more. */
const foundMax = 50;

/** Instruments by name, or the members of a panel. */
export const searchTool = tool({
  name: 'buscar_especies',
  title: 'Buscar especies',
  description:
    'Especies cuyo ticker o nombre contiene un texto, o las de un panel. Usarla antes de las demás si no se conoce el ticker exacto. ' +
    'Finds tickers by name, or lists a panel. Use it first when the exact ticker is not known: AAPL is the CEDEAR in pesos, AAPL_US the share in dollars.',
  input: {
    texto: z
      .string()
      .optional()
      .describe('Palabras del ticker o del nombre, p. ej. "galicia". Words of the ticker or name.'),
    panel,
  },
  limit: [50, 250],
  omission: (total, { texto }) =>
    texto === undefined || total < foundMax
      ? undefined
      : `La búsqueda devuelve como máximo ${foundMax} especies: precisar el texto.`,
  lists: {
    especies: instrument,
  },
  refusal: ({ texto, panel: code }) =>
    texto === undefined && code === undefined ? 'Falta indicar "texto" o "panel".' : undefined,
  read: ({ texto, panel: code }, { client }) =>
    texto === undefined
      ? client.instruments({ panel: code, ...instrumentFields })
      : client.search(texto, { panel: code, ...instrumentFields }),
});

/** Which markets are open, their hours and special days, and what time it is. */
export const marketsTool = tool({
  name: 'mercados',
  title: 'Mercados',
  description:
    'Estado de los mercados: abierto o cerrado, rueda, horarios, próximo cambio y, con anio, feriados y días sin liquidación. También dice la fecha y la hora actuales. ' +
    'State, session, hours, holidays and days without settlement of the markets, and the current date and time.',
  input: {
    anio: z
      .int()
      .min(1)
      .max(9999)
      .optional()
      .describe(
        'Año cuyos feriados y días sin liquidación se piden. Year whose holidays and days without settlement to include; without it, none.',
      ),
  },
  lists: {
    mercados: z
      .object(fieldsOf(marketTable, ['dias', 'horarios', 'cierresAnticipados']))
      .partial({ feriados: true }).shape,
  },
  read: async ({ anio }, { client }) => {
    if (anio !== undefined) {
      return client.markets({ anio: String(anio).padStart(4, '0'), campos: ['liquidacion'] });
    }
    const read = await client.markets();
    return { ...read, data: read.data.map((market) => without(market, ['feriados'])) };
  },
});
