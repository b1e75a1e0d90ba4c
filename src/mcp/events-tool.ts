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
  limite: fields.rowLimit(100, 500),
});

const output = z.object({
  ...fields.about,
  ...fields.limited,
  faltan: fields.missing,
  especie: z.string(),
  eventos: z.array(
    z.looseObject({
      fecha: z.string().describe('Fecha ex, AAAA-MM-DD. Ex date.'),
      tipo: z.string().describe('split, dividendo-acciones, dividendo, ratio o cambio-ticker.'),
      factor: z
        .number()
        .optional()
        .describe('Unidades nuevas por cada una. New units per old one.'),
      importe: z.number().optional().describe('Importe por unidad, en moneda.'),
      moneda: z.string().optional(),
      detalle: z.string().optional().describe('La especie nueva, en un cambio-ticker.'),
    }),
  ),
});

/** The tool `eventos`: the corporate actions of an instrument, also announced ones. */
export function addEventsTool(server: McpServer, client: ServiceClient): void {
  const config = {
    title: 'Eventos corporativos',
    description:
      'Eventos de una especie: dividendos, splits, cambios de ratio o de ticker, también los anunciados. Una lista vacía significa que el servicio no tiene ninguno cargado. ' +
      'Corporate actions of one ticker, announced ones included. An empty list means that none are stored, not that none happened.',
    inputSchema: input,
    outputSchema: output,
    annotations: readOnly,
  };
  server.registerTool('eventos', config, (args) =>
    toolResult(async () => {
      const { especie, desde, hasta, limite } = args;
      const { filas, ...rest } = await readSeries(client, {
        path: '/eventos',
        especie,
        range: { desde, hasta },
        limite,
      });
      return { ...rest, especie, eventos: filas };
    }),
  );
}
