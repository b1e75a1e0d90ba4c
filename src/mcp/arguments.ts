import { z } from 'zod';
import type { AnyOperation } from '../contract/operation.ts';
import { summaryOf } from '../contract/part.ts';
import { choicesOf } from '../contract/paths/choice-names.ts';
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

/** A parameter of a path that has a list of values, with the values and the text of the contract. */
export function choiceOf(
  { path, inputs }: Pick<AnyOperation, 'path' | 'inputs'>,
  name: string,
): z.ZodType<string> {
  const input = inputs[name];
  const names = input && choicesOf(input);
  if (input === undefined || names === undefined)
    throw new Error(`${path} has no list of values of ${name}`);
  return z.enum(Object.keys(names)).describe(summaryOf(input));
}

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
