import { z } from 'zod';
import { panelCodes } from '../domain/instruments/panel.ts';

/** Arguments that several tools have, with the names of the contract. */

export const ticker = z
  .string()
  .min(1)
  .regex(/^[^,]*$/, 'Una sola especie, sin comas')
  .describe('Especie (ticker), p. ej. GGAL, AL30, AAPL, GGAL_US o "DOLAR MEP". One ticker.');

export const tickers = z.array(ticker).max(100).optional();

export const panel = z
  .enum(panelCodes)
  .optional()
  .describe(
    'Panel: LID (acciones líderes), GEN (panel general), LIDGEN (ambos), BONOS, CED (CEDEARs), ADRARG (ADR argentinos), ADR, ETF, VARIAS (acciones de EE.UU.), IND (dólares, índices, cauciones, riesgo país). BON = BONOS.',
  );

export const firstDate = z
  .string()
  .optional()
  .describe('Primera fecha, AAAA-MM-DD, inclusive. First date, YYYY-MM-DD, inclusive.');

export const lastDate = z
  .string()
  .optional()
  .describe('Última fecha, AAAA-MM-DD, inclusive. Last date, YYYY-MM-DD, inclusive.');

/** The number of rows of a result, with the limits of a tool. */
export function rowLimit(fallback: number, max: number): z.ZodType {
  return z
    .int()
    .min(1)
    .max(max)
    .default(fallback)
    .describe(
      `Cantidad máxima de filas. Maximum number of rows: ${fallback} by default, at most ${max}.`,
    );
}
