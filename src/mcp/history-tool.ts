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
  ajuste: z
    .enum(['ninguno', 'splits', 'total'])
    .default('splits')
    .describe(
      'splits (por defecto): comparable aunque haya splits o cambios de ratio; total: también por dividendos en efectivo; ninguno: como se negoció. Adjustment of the prices.',
    ),
  campos: z
    .array(z.enum(['apertura', 'maximo', 'minimo']))
    .default([])
    .describe('Precios adicionales de cada día. Further prices of each day.'),
  limite: fields.rowLimit(250, 1000),
});

const optionalNumber = z.number().optional();

const output = z.object({
  ...fields.about,
  ...fields.limited,
  faltan: fields.missing,
  especie: z.string(),
  ajuste: z.string(),
  cierres: z.array(
    z.looseObject({
      fecha: fields.session,
      ultimo: z.number().describe('Precio de cierre. Closing price.'),
      apertura: optionalNumber,
      maximo: optionalNumber,
      minimo: optionalNumber,
      volumen: fields.numberOrNull,
    }),
  ),
});

/** The tool `historicos`: the daily closes of an instrument. Without dates it gives the latest ones. */
export function addHistoryTool(server: McpServer, client: ServiceClient): void {
  const config = {
    title: 'Cierres históricos',
    description:
      'Cierres diarios de una especie, del más antiguo al más reciente. Sin fechas, los últimos. La rueda en curso no está: su precio es el de "cotizaciones". ' +
      'Daily closes of one ticker, oldest first; without dates the latest ones. The session under way is not included. Say which ajuste was used.',
    inputSchema: input,
    outputSchema: output,
    annotations: readOnly,
  };
  server.registerTool('historicos', config, (args) =>
    toolResult(async () => {
      const { especie, ajuste, campos, desde, hasta, limite } = args;
      const query = { ajuste, campos: campos.length === 0 ? undefined : campos.join(',') };
      const { filas, ...rest } = await readSeries(client, {
        path: '/historicos',
        especie,
        range: { desde, hasta },
        query,
        limite,
      });
      return { ...rest, especie, ajuste, cierres: filas };
    }),
  );
}
