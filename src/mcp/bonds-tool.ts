import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { conventionNames } from '../domain/bonds/conventions.ts';
import { conversionNames } from '../contract/paths/bonos.ts';
import * as fields from './fields.ts';
import { limitRows } from './limit-rows.ts';
import { meantBy, readState, warningsOf } from './read-state.ts';
import type { ServiceClient } from './service-client.ts';
import { readOnly, toolResult } from './tool-result.ts';

const input = z.object({
  especies: z
    .array(fields.ticker)
    .max(100)
    .optional()
    .describe('Bonos, letras u obligaciones negociables. Tickers of bonds.'),
  panel: fields.panel.optional(),
  convencion: z
    .enum(conventionNames)
    .default('pizarra')
    .describe('Convención de las cifras. Nombrarla siempre. Always name it.'),
  dolar: z
    .enum(conversionNames)
    .default('mep')
    .describe('Dólar con el que se convierte un precio en pesos de un bono en dólares.'),
  limite: fields.rowLimit(60, 600),
});

const output = z.object({
  ...fields.about,
  ...fields.limited,
  faltan: fields.missing,
  convencion: z.string(),
  bonos: z.array(
    z.looseObject({
      especie: z.string(),
      fecha: fields.session,
      precio: fields.numberOrNull,
      moneda: z.string(),
      tir: fields.numberOrNull.describe('TIR anual, en por ciento. Yield in percent.'),
      durationModificada: fields.numberOrNull.describe('En años. In years.'),
      paridad: fields.numberOrNull.describe('En por ciento. In percent.'),
      vencimiento: z.string(),
      supuesto: z.string().nullable(),
      estado: z.string().describe('ok, o por qué faltan cifras. Why figures are missing.'),
    }),
  ),
});

/** The tool `bonos`: yields, durations and parities by a convention. */
export function addBondsTool(server: McpServer, client: ServiceClient): void {
  const config = {
    title: 'Bonos',
    description:
      'TIR, duration, paridad y valor técnico de especies de bonos, según una convención que se debe nombrar. Un estado distinto de ok dice por qué faltan cifras: no completarlas. ' +
      'Yield, duration and parity of bonds by a named convention; a state other than ok says why figures are missing.',
    inputSchema: input,
    outputSchema: output,
    annotations: readOnly,
  };
  server.registerTool('bonos', config, ({ especies, panel, convencion, dolar, limite }) =>
    toolResult(async () => {
      const especie = especies?.join(',');
      const [{ rows, missing }, state] = await Promise.all([
        client.rows('/bonos', { especie, panel, convencion, dolar }),
        readState(client),
      ]);
      const { filas, total, truncado } = limitRows(rows, { max: limite, keep: 'first' });
      const notes = truncado ? [`Faltan filas: pedir menos especies, o más de ${limite}.`] : [];
      const { datos, consultado } = state;
      const avisos = [...warningsOf(state), ...(await meantBy(client, missing)), ...notes];
      const about = { datos, consultado, avisos, total, truncado, faltan: missing };
      return { ...about, convencion, bonos: filas };
    }),
  );
}
