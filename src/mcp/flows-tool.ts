import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import * as fields from './fields.ts';
import { limitRows } from './limit-rows.ts';
import { meantBy, readState, warningsOf } from './read-state.ts';
import type { ServiceClient } from './service-client.ts';
import { readOnly, toolResult } from './tool-result.ts';

const input = z.object({
  especie: fields.ticker,
  desde: fields.firstDate.optional(),
  limite: fields.rowLimit(60, 600),
});

const output = z.object({
  ...fields.about,
  ...fields.limited,
  faltan: fields.missing,
  especie: z.string(),
  flujos: z.array(
    z.looseObject({
      fecha: z.string().describe('Fecha contractual.'),
      pago: z.string().describe('Día hábil del pago.'),
      interes: fields.numberOrNull,
      amortizacion: z.number(),
      total: fields.numberOrNull,
      residual: z.number(),
      ajustado: fields.numberOrNull.describe('Total por el índice de hoy.'),
    }),
  ),
});

/** The tool `flujos_bono`: the payments of a bond. */
export function addFlowsTool(server: McpServer, client: ServiceClient): void {
  const config = {
    title: 'Flujos de un bono',
    description:
      'Pagos de una especie de bono desde una fecha (sin ella, desde hoy), cada 100 nominales originales. ' +
      'Payments of a bond from a date on, per 100 of the original nominal.',
    inputSchema: input,
    outputSchema: output,
    annotations: readOnly,
  };
  server.registerTool('flujos_bono', config, ({ especie, desde, limite }) =>
    toolResult(async () => {
      const [{ rows, missing }, state] = await Promise.all([
        client.rows('/bonos/flujos', { especie, desde }),
        readState(client),
      ]);
      const { filas, total, truncado } = limitRows(rows, { max: limite, keep: 'first' });
      const last = String(filas.at(-1)?.['fecha']);
      const notes = truncado
        ? [
            `Se muestran los primeros ${filas.length} pagos de ${total}. Para los siguientes, pedir con desde=${last}, o subir "limite".`,
          ]
        : [];
      const { datos, consultado } = state;
      const avisos = [...warningsOf(state), ...(await meantBy(client, missing)), ...notes];
      const about = { datos, consultado, avisos, total, truncado, faltan: missing };
      return { ...about, especie, flujos: filas };
    }),
  );
}
