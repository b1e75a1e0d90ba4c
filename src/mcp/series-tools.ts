import { z } from 'zod';
import { eventos, eventTable } from '../contract/paths/eventos.ts';
import { historicos, historyTable } from '../contract/paths/historicos.ts';
import { indexList, indexValues } from '../contract/paths/indices.ts';
import { intradiarios } from '../contract/paths/intradiarios.ts';
import { barTable } from '../contract/rows/bar.ts';
import { indexNames } from '../domain/indices/index-name.ts';
import { instantName } from '../wire/texts/instant-texts.ts';
import { choiceOf, firstDate, lastDate, ticker } from './arguments.ts';
import { fieldsOf, tool, without } from './tool.ts';

const range = { especie: ticker, desde: firstDate, hasta: lastDate };

/** The fields on request that are prices. */
const priceFields = historyTable().onRequest.filter((name) => name !== instantName);

/** The closes of an instrument, by session, week or month. Without dates it gives the latest ones. */
export const historyTool = tool({
  name: 'historicos',
  title: 'Cierres históricos',
  description:
    'Cierres de una especie por rueda, semana o mes, del más antiguo al más reciente, en su moneda o convertidos a otra. Sin fechas, los últimos. La rueda en curso no está: su precio es el de "cotizaciones". ' +
    'Closes of one ticker by day, week or month, oldest first; without dates the latest ones. The session under way is not included. Say which ajuste and moneda were used.',
  input: {
    ...range,
    ajuste: choiceOf(historicos, 'ajuste')
      .default('splits')
      .describe(
        'splits (por defecto): comparable aunque haya splits o cambios de ratio; total: también por dividendos en efectivo y pagos de bonos; ninguno: como se negoció. Adjustment of the prices.',
      ),
    intervalo: choiceOf(historicos, 'intervalo').default('1d'),
    moneda: choiceOf(historicos, 'moneda').optional(),
    dolar: choiceOf(historicos, 'dolar')
      .optional()
      .describe('Con moneda: dólar con el que se convierte; sin este argumento, mep.'),
    campos: z
      .array(z.enum(priceFields))
      .default([])
      .describe('Precios adicionales de cada día. Further prices of each day.'),
  },
  limit: [250, 1000],
  keeps: 'last',
  repeats: ['especie', 'ajuste', 'intervalo', 'moneda', 'dolar'],
  lists: { cierres: fieldsOf(historyTable(), ['especie', instantName]) },
  read: historicos,
});

/** The bars of the last sessions of an instrument. */
export const barsTool = tool({
  name: 'intradiarios',
  title: 'Barras intradiarias',
  description:
    'Precios dentro del día de una especie, en barras; sin fechas, la última rueda. El servicio conserva unas diez ruedas. La última barra puede estar en curso. ' +
    'Intraday bars of one ticker; without dates the last session. About ten sessions are kept. The last bar may still change.',
  input: {
    ...range,
    intervalo: choiceOf(intradiarios, 'intervalo').default('15m'),
  },
  limit: [120, 600],
  keeps: 'last',
  repeats: ['especie', 'intervalo'],
  lists: { barras: fieldsOf(barTable(), ['especie', instantName]) },
  read: intradiarios,
});

/** The corporate actions of an instrument, also announced ones. */
export const eventsTool = tool({
  name: 'eventos',
  title: 'Eventos corporativos',
  description:
    'Eventos de una especie: dividendos, splits, cambios de ratio o de ticker, también los anunciados. Una lista vacía significa que el servicio no tiene ninguno cargado. ' +
    'Corporate actions of one ticker, announced ones included. An empty list means that none are stored, not that none happened.',
  input: range,
  limit: [100, 500],
  keeps: 'last',
  repeats: ['especie'],
  lists: {
    // Which of the others a row has depends on its type.
    eventos: z
      .object(fieldsOf(eventTable, ['especie']))
      .partial()
      .required({ fecha: true, tipo: true }).shape,
  },
  read: eventos,
});

/** The indices and rates, or the values of one of them. */
export const indicesTool = tool({
  name: 'indices',
  title: 'Índices y tasas de referencia',
  description:
    'Valores de CER, UVA, A3500, TAMAR, BADLAR, ICL e IPC (este, la inflación de cada mes en %), del más antiguo al más reciente, también los publicados para días por venir; sin "indice", la lista con el primer y el último día. Un día sin fila no tiene un valor conocido: no completarlo. ' +
    'Values of Argentine indices and rates, for each day or, of IPC, the inflation of each month in %, days to come included. A day without a row has no known value: never fill it in.',
  input: {
    indice: z
      .enum(indexNames)
      .optional()
      .describe(
        'Índice cuyos valores se piden; sin él, la lista. Without it, the list of indices.',
      ),
    desde: firstDate,
    hasta: lastDate,
  },
  limit: [60, 500],
  keeps: 'last',
  lists: {
    indices: fieldsOf(indexList),
    valores: fieldsOf(indexValues, ['indice']),
  },
  listOf: ({ indice }) => (indice === undefined ? 'indices' : 'valores'),
  read: async ({ indice, desde, hasta }, { client }) => {
    if (indice === undefined) return client.indices();
    const read = await client.index({ indice, desde, hasta });
    return { ...read, data: read.data.map((row) => without(row, ['indice'])) };
  },
});
