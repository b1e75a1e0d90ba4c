import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import * as fields from './fields.ts';
import { readSeries } from './read-series.ts';
import type { ServiceClient } from './service-client.ts';
import { readOnly, toolResult } from './tool-result.ts';

const input = z.object({
  especie: fields.ticker,
  desde: fields.firstDate.optional(),
  hasta: fields.lastDate.optional(),
  intervalo: z.enum(['1m', '5m', '15m', '60m']).default('15m').describe('Length of a bar.'),
  limite: fields.rowLimit(120, 600),
});

const output = z.object({
  ...fields.about,
  ...fields.limited,
  faltan: fields.missing,
  especie: z.string(),
  intervalo: z.string(),
  barras: z.array(
    z.looseObject({
      fecha: fields.session,
      hora: fields.timeOfDay.describe(
        'Inicio de la barra, hora de Buenos Aires. Start of the bar.',
      ),
      apertura: z.number(),
      maximo: z.number(),
      minimo: z.number(),
      ultimo: z.number(),
      volumen: fields.numberOrNull,
    }),
  ),
});

/** The tool `intradiarios`: the bars of the last sessions of an instrument. */
export function addBarsTool(server: McpServer, client: ServiceClient): void {
  const config = {
    title: 'Barras intradiarias',
    description:
      'Precios dentro del día de una especie, en barras; sin fechas, la última rueda. El servicio conserva unas diez ruedas. La última barra puede estar en curso. ' +
      'Intraday bars of one ticker; without dates the last session. About ten sessions are kept. The last bar may still change.',
    inputSchema: input,
    outputSchema: output,
    annotations: readOnly,
  };
  server.registerTool('intradiarios', config, (args) =>
    toolResult(async () => {
      const { especie, intervalo, desde, hasta, limite } = args;
      const { filas, ...rest } = await readSeries(client, {
        path: '/intradiarios',
        especie,
        range: { desde, hasta },
        query: { intervalo },
        limite,
      });
      return { ...rest, especie, intervalo, barras: filas };
    }),
  );
}
