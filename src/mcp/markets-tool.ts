import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import * as fields from './fields.ts';
import { readState, warningsOf } from './read-state.ts';
import { without, type ServiceClient } from './service-client.ts';
import { readOnly, toolResult } from './tool-result.ts';

const input = z.object({
  anio: z
    .int()
    .min(1)
    .max(9999)
    .optional()
    .describe(
      'Año cuyos feriados y días sin liquidación se piden. Year whose holidays and days without settlement to include; without it, none.',
    ),
});

const output = z.object({
  ...fields.about,
  mercados: z.array(
    z.looseObject({
      mercado: z.string(),
      nombre: z.string(),
      zona: z.string().describe('Zona horaria IANA de abre, cierra y rueda.'),
      estado: z.string().describe('abierto o cerrado.'),
      rueda: z.string().describe('Rueda en curso o, si está cerrado, la última. Session date.'),
      abre: z.string(),
      cierra: z.string(),
      cambia: z.string().describe('Próxima apertura o cierre (RFC 3339). Next open or close.'),
      feriados: z.array(z.looseObject({ fecha: z.string(), nombre: z.string() })).optional(),
      sinLiquidacion: z
        .array(z.string())
        .optional()
        .describe('Días con rueda en los que no se liquida. Sessions without settlement.'),
    }),
  ),
});

/** The tool `mercados`: which markets are open, their hours and special days, and what time it is. */
export function addMarketsTool(server: McpServer, client: ServiceClient): void {
  const config = {
    title: 'Mercados',
    description:
      'Estado de los mercados: abierto o cerrado, rueda, horarios, próximo cambio y, con anio, feriados y días sin liquidación. También dice la fecha y la hora actuales. ' +
      'State, session, hours, holidays and days without settlement of the markets, and the current date and time.',
    inputSchema: input,
    outputSchema: output,
    annotations: readOnly,
  };
  server.registerTool('mercados', config, ({ anio }) =>
    toolResult(async () => {
      const year = anio === undefined ? undefined : String(anio).padStart(4, '0');
      const [{ rows }, state] = await Promise.all([
        client.rows('/mercados', {
          anio: year,
          campos: year === undefined ? undefined : 'liquidacion',
        }),
        readState(client),
      ]);
      const mercados =
        anio === undefined ? rows.map((market) => without(market, 'feriados')) : rows;
      const { datos, consultado } = state;
      return { datos, consultado, avisos: warningsOf(state), mercados };
    }),
  );
}
