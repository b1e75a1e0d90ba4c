import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { dollarNames } from '../contract/paths/dolares.ts';
import * as fields from './fields.ts';
import { limitRows } from './limit-rows.ts';
import { readState, warningsOf } from './read-state.ts';
import type { ServiceClient } from './service-client.ts';
import { readOnly, toolResult } from './tool-result.ts';

const input = z.object({
  dolar: z
    .enum(Object.values(dollarNames))
    .optional()
    .describe('Un dólar; sin este argumento, todos. canje: diferencia entre CCL y MEP, en %.'),
  base: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Especie en pesos de la que se obtiene (AL30, SPY), mercado que lo publica (BCRA), o CEDEARS. Un nombre de ambos (BYMA) es el de la especie.',
    ),
  limite: fields.rowLimit(60, 600),
});

const output = z.object({
  ...fields.about,
  ...fields.limited,
  faltan: fields.missing,
  dolares: z.array(
    z.looseObject({
      dolar: z.string(),
      base: z.string(),
      compra: fields.numberOrNull,
      venta: fields.numberOrNull,
      ultimo: fields.numberOrNull.describe('Pesos por dólar; para canje, por ciento.'),
      brecha: fields.numberOrNull.describe('Diferencia con el dólar mayorista, en por ciento.'),
      fecha: fields.session,
      hora: fields.timeOfDay.nullable().describe('De la más antigua de las dos cotizaciones.'),
      calculo: z.string().describe('publicado, implicito, cedear o mediana.'),
      numerador: z.string().nullable(),
      denominador: z.string().nullable(),
      estado: z
        .string()
        .describe(
          'ok; precio-dudoso: otros precios lo contradicen, y no tiene valor; atrasada y una especie: su precio es más de 15 minutos anterior al otro.',
        ),
    }),
  ),
});

/** The tool `dolares`: what a dollar costs, as published and as securities imply it. */
export function addDollarsTool(server: McpServer, client: ServiceClient): void {
  const config = {
    title: 'Dólares',
    description:
      'Precio del dólar en pesos: publicado, e implícito en bonos, acciones y CEDEARs (especie en pesos ÷ especie en dólares), con puntas y brecha. Un estado distinto de ok se debe informar. Sin argumentos no incluye los CEDEARs. ' +
      'Price of the dollar in pesos, published and implied, with orders and the gap over the wholesale dollar.',
    inputSchema: input,
    outputSchema: output,
    annotations: readOnly,
  };
  server.registerTool('dolares', config, ({ dolar, base, limite }) =>
    toolResult(async () => {
      const [{ rows, missing }, state] = await Promise.all([
        client.rows('/dolares', { dolar, base }),
        readState(client),
      ]);
      const { filas, total, truncado } = limitRows(rows, { max: limite, keep: 'first' });
      const notes = truncado
        ? [`Faltan filas: pedir un dolar o una base, o más de ${limite}.`]
        : [];
      const { datos, consultado } = state;
      const avisos = [...warningsOf(state), ...notes];
      return { datos, consultado, avisos, total, truncado, faltan: missing, dolares: filas };
    }),
  );
}
