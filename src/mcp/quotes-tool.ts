import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { extraNames, type PlainName } from '../wire/texts/quote-names.ts';
import { instantName } from '../wire/texts/instant-texts.ts';
import * as fields from './fields.ts';
import { limitRows } from './limit-rows.ts';
import { meantBy, readState, warningsOf } from './read-state.ts';
import type { ResponseRow, ServiceClient } from './service-client.ts';
import { ServiceFault } from './service-fault.ts';
import { readOnly, toolResult } from './tool-result.ts';

/** Every field on request of contract 2.7 but the instant, which `fecha` and `hora` say too. */
const campos = Object.values(extraNames)
  .filter((name) => name !== instantName)
  .join(',');

const input = z.object({
  especies: z.array(fields.ticker).max(100).optional().describe('Especies. Tickers, at most 100.'),
  panel: fields.panel.optional(),
  limite: fields.rowLimit(100, 250),
});

const optionalNumber = z.number().optional();

const quote = z.looseObject({
  especie: z.string(),
  nombre: z.string().optional(),
  mercado: z.string().optional(),
  mercadoEstado: z
    .string()
    .optional()
    .describe('abierto o cerrado, ahora. State of the market now.'),
  moneda: z.string().optional(),
  precioPor: fields.pricePer,
  fecha: fields.session,
  hora: fields.timeOfDay.optional(),
  demoraMinutos: z
    .number()
    .optional()
    .describe('Demora de la fuente, en minutos. Delay of the source. Absent: unknown.'),
  atrasada: fields.stale,
  fuente: z.string().optional(),
  ultimo: z.number(),
  variacion: fields.numberOrNull.describe('Contra el cierre anterior, en unidadVariacion.'),
  unidadVariacion: z.string().optional().describe('por-ciento o puntos.'),
  anterior: optionalNumber,
  apertura: optionalNumber,
  minimo: optionalNumber,
  maximo: optionalNumber,
  varMTD: fields.numberOrNull.describe('Desde el fin del mes anterior, en %.'),
  varYTD: fields.numberOrNull.describe('Desde el fin del año anterior, en %.'),
  volumen: fields.numberOrNull,
} satisfies Record<PlainName, z.ZodType> & Record<string, z.ZodType>);

const output = z.object({
  ...fields.about,
  ...fields.limited,
  faltan: fields.missing,
  cotizaciones: z.array(quote),
});

/** The tool `cotizaciones`: the latest quotes, each with its date, time, delay and state of its market. */
export function addQuotesTool(server: McpServer, client: ServiceClient): void {
  const config = {
    title: 'Cotizaciones',
    description:
      'Últimas cotizaciones de especies o de un panel: precio, variación, volumen, puntas, con fecha, hora y demora de cada una. ' +
      'Latest quotes of tickers or of a panel. Always report fecha and hora, and say when demoraMinutos is above 0, mercadoEstado is cerrado or atrasada is true: the price is then not live. A position is worth quantity × price ÷ precioPor.',
    inputSchema: input,
    outputSchema: output,
    annotations: readOnly,
  };
  server.registerTool('cotizaciones', config, (args) => toolResult(() => quotes(client, args)));
}

async function quotes(
  client: ServiceClient,
  { especies = [], panel, limite }: z.output<typeof input>,
): Promise<z.input<typeof output>> {
  if (especies.length === 0 && panel === undefined) {
    throw new ServiceFault(
      'Falta indicar "especies" o "panel". "buscar_especies" encuentra especies.',
    );
  }
  const especie = especies.length === 0 ? undefined : especies.join(',');
  const [{ rows, missing }, instruments, state] = await Promise.all([
    client.rows('/cotizaciones', { especie, panel, campos }),
    client.keptRows('/especies.json', fields.pricePerQuery),
    readState(client),
  ]);
  const byTicker = new Map(instruments.map((one) => [one['especie'], one]));
  const { filas, ...limits } = limitRows(rows, { max: limite, keep: 'first' });
  return {
    datos: state.datos,
    consultado: state.consultado,
    avisos: [
      ...warningsOf(state),
      ...(await meantBy(client, missing)),
      ...(limits.truncado
        ? [
            `Se muestran las primeras ${filas.length} de ${limits.total}. Pedir las demás por especie.`,
          ]
        : []),
    ],
    ...limits,
    faltan: [...missing],
    cotizaciones: filas.map((row) =>
      described(row, byTicker.get(row['especie']), state.mercados),
    ) as z.input<typeof quote>[],
  };
}

/** A quote with the fields of its instrument, and the state of its market, after its ticker. */
function described(
  row: ResponseRow,
  instrument: ResponseRow = {},
  markets: ReadonlyMap<string, string>,
): ResponseRow {
  const { nombre, mercado, moneda, precioPor, unidadVariacion, demoraMinutos, atrasada } =
    instrument;
  const mercadoEstado = markets.get(String(mercado));
  const { especie, ...rest } = row;
  const known = {
    nombre,
    mercado,
    mercadoEstado,
    moneda,
    precioPor,
    unidadVariacion,
    demoraMinutos,
    atrasada,
  };
  const present = Object.entries(known).filter(([, value]) => value !== undefined);
  return { especie, ...Object.fromEntries(present), ...rest };
}
