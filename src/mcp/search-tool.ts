import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import * as fields from './fields.ts';
import { limitRows } from './limit-rows.ts';
import type { ServiceClient } from './service-client.ts';
import { ServiceFault } from './service-fault.ts';
import { readOnly, toolResult } from './tool-result.ts';

/** Maximum number of rows of a search (contract 4.7.1). With as many, there may be more. */
const foundMax = 50;

const input = z.object({
  texto: z
    .string()
    .optional()
    .describe('Palabras del ticker o del nombre, p. ej. "galicia". Words of the ticker or name.'),
  panel: fields.panel.optional(),
  limite: fields.rowLimit(50, 250),
});

const output = z.object({
  ...fields.limited,
  avisos: fields.about.avisos,
  especies: z.array(
    z.looseObject({
      especie: z.string(),
      nombre: z.string(),
      tipo: z.string(),
      mercado: z.string(),
      moneda: z.string(),
      precioPor: fields.pricePer,
      ratio: z.string().optional().describe('CEDEAR: certificados por acción. Receipts per share.'),
      subyacente: z.string().optional(),
      demoraMinutos: z.number().optional(),
      atrasada: fields.stale,
    }),
  ),
});

/** The tool `buscar_especies`: instruments by name, or the members of a panel. */
export function addSearchTool(server: McpServer, client: ServiceClient): void {
  const config = {
    title: 'Buscar especies',
    description:
      'Especies cuyo ticker o nombre contiene un texto, o las de un panel. Usarla antes de las demás si no se conoce el ticker exacto. ' +
      'Finds tickers by name, or lists a panel. Use it first when the exact ticker is not known: AAPL is the CEDEAR in pesos, AAPL_US the share in dollars.',
    inputSchema: input,
    outputSchema: output,
    annotations: readOnly,
  };
  server.registerTool('buscar_especies', config, ({ texto, panel, limite }) =>
    toolResult(async () => {
      if (texto === undefined && panel === undefined) {
        throw new ServiceFault('Falta indicar "texto" o "panel".');
      }
      const { rows } = await client.rows('/especies.json', {
        buscar: texto,
        panel,
        ...fields.pricePerQuery,
      });
      const { filas, total, truncado } = limitRows(rows, { max: limite, keep: 'first' });
      const isWhole = texto === undefined || total < foundMax;
      const avisos = [
        ...(truncado ? [`Se muestran las primeras ${filas.length} de ${total}.`] : []),
        ...(isWhole
          ? []
          : [`La búsqueda devuelve como máximo ${foundMax} especies: precisar el texto.`]),
      ];
      return { total, truncado: truncado || !isWhole, avisos, especies: filas };
    }),
  );
}
