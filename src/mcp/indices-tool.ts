import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { indexNames } from '../domain/indices/index-name.ts';
import * as fields from './fields.ts';
import { limitRows } from './limit-rows.ts';
import { readState, warningsOf } from './read-state.ts';
import { without, type ServiceClient } from './service-client.ts';
import { readOnly, toolResult } from './tool-result.ts';

const input = z.object({
  indice: z
    .enum(indexNames)
    .optional()
    .describe('Índice cuyos valores se piden; sin él, la lista. Without it, the list of indices.'),
  desde: fields.firstDate.optional(),
  hasta: fields.lastDate.optional(),
  limite: fields.rowLimit(60, 500),
});

const dateOrNull = z.string().nullable();

const output = z.object({
  ...fields.about,
  ...fields.limited,
  indices: z
    .array(
      z.looseObject({
        indice: z.string(),
        nombre: z.string(),
        desde: dateOrNull.describe('Primer día con un valor; null si no tiene ninguno.'),
        hasta: dateOrNull.describe('Último día con un valor, que puede estar por venir.'),
      }),
    )
    .optional(),
  valores: z
    .array(
      z.looseObject({
        fecha: z.string().describe('Día del valor, AAAA-MM-DD.'),
        valor: z.number(),
      }),
    )
    .optional(),
});

/** The tool `indices`: the indices to which bonds refer, or the values of one of them. */
export function addIndicesTool(server: McpServer, client: ServiceClient): void {
  const config = {
    title: 'Índices y tasas de referencia',
    description:
      'Valores diarios de CER, UVA, A3500, TAMAR y BADLAR, del más antiguo al más reciente, también los publicados para días por venir; sin "indice", la lista con el primer y el último día. Un día sin fila no tiene un valor conocido: no completarlo. ' +
      'Daily values of the indices to which Argentine bonds refer, days to come included. A day without a row has no known value: never fill it in.',
    inputSchema: input,
    outputSchema: output,
    annotations: readOnly,
  };
  server.registerTool('indices', config, (args) =>
    toolResult(async () => {
      const { indice, desde, hasta, limite } = args;
      const [{ rows }, state] = await Promise.all([
        client.rows('/indices', { indice, desde, hasta }),
        readState(client),
      ]);
      const { filas, total, truncado } = limitRows(rows, { max: limite, keep: 'last' });
      const first = String(filas[0]?.['fecha']);
      const about = {
        datos: state.datos,
        consultado: state.consultado,
        avisos: [
          ...warningsOf(state),
          ...(truncado
            ? [
                `Se muestran los últimos ${filas.length} valores de ${total}. Para los anteriores, pedir con hasta=${first}, o subir "limite".`,
              ]
            : []),
        ],
        total,
        truncado,
      };
      if (indice === undefined) return { ...about, indices: filas };
      return { ...about, valores: filas.map((row) => without(row, 'indice')) };
    }),
  );
}
