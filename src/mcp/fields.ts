import { z } from 'zod';
import { panelCodes } from '../domain/instruments/panel.ts';

/** Parameters and fields that several tools have, with the names of the contract. */

export const ticker = z
  .string()
  .min(1)
  .regex(/^[^,]*$/, 'Una sola especie, sin comas')
  .describe('Especie (ticker), p. ej. GGAL, AL30, AAPL, GGAL_US o "DOLAR MEP". One ticker.');

export const panel = z
  .enum(panelCodes)
  .describe(
    'Panel: LID (acciones líderes), GEN (panel general), LIDGEN (ambos), BONOS, CED (CEDEARs), ADRARG (ADR argentinos), ADR, ETF, VARIAS (acciones de EE.UU.), IND (dólares, índices, cauciones, riesgo país). BON = BONOS.',
  );

export const firstDate = z
  .string()
  .describe('Primera fecha, AAAA-MM-DD, inclusive. First date, YYYY-MM-DD, inclusive.');

export const lastDate = z
  .string()
  .describe('Última fecha, AAAA-MM-DD, inclusive. Last date, YYYY-MM-DD, inclusive.');

/** The number of rows to return, with the limits of a tool. */
export function rowLimit(fallback: number, max: number) {
  return z
    .int()
    .min(1)
    .max(max)
    .default(fallback)
    .describe(
      `Cantidad máxima de filas. Maximum number of rows: ${fallback} by default, at most ${max}.`,
    );
}

const date = z.string().describe('Fecha de la rueda, AAAA-MM-DD, en la zona horaria del mercado.');
export const session = date;

/** The parameter of `/especies.json` for {@link pricePer}. */
export const pricePerQuery = { campos: 'precioPor' } as const;

export const pricePer = z
  .number()
  .optional()
  .describe(
    'Cantidad a la que corresponde el precio: 100 = cada 100 nominales. Valor de una tenencia = cantidad × precio ÷ precioPor. What the price is a price of: divide by it to value a position.',
  );

export const stale = z
  .literal(true)
  .optional()
  .describe(
    'La fuente no da precios con el mercado abierto. The source has stopped: the price is not live.',
  );

export const timeOfDay = z.string().describe('HH:MM:SS, hora de Buenos Aires.');

export const numberOrNull = z.number().nullable();

/** The fields that every result begins with. */
export const about = {
  datos: z
    .enum(['reales', 'simulados', 'desconocido'])
    .describe('"simulados": precios inventados de una demostración. Made-up prices.'),
  consultado: z
    .string()
    .optional()
    .describe('Instante de la respuesta en el servicio (RFC 3339, hora de Buenos Aires).'),
  avisos: z.array(z.string()).describe('Advertencias que se deben transmitir. Pass them on.'),
};

/** The fields of a result with a limited number of rows. */
export const limited = {
  total: z.int().describe('Filas que hay en el servicio. Rows that exist.'),
  truncado: z.boolean().describe('Si faltan filas por el límite. Whether rows were left out.'),
};

export const missing = z
  .array(z.string())
  .describe('Especies desconocidas o sin datos. Unknown tickers, or without data.');
