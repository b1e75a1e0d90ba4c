import { createRequire } from 'node:module';
import type { JsonataError, JsonataOptions } from 'jsonata';

/** The maximum length of an expression, in characters. */
export const expressionCharsMax = 20_000;

/** How much of an expression a message shows around the place of an error, in characters. */
const shownAroundChars = 20;

/**
 * Why a text is no JSONata expression, and where. Undefined for one that is.
 *
 * The library is loaded with the first expression: most installations have none.
 */
export function faultOfExpression(expression: string): string | undefined {
  const load = createRequire(import.meta.url);
  const jsonata = load('jsonata') as (text: string, options?: JsonataOptions) => unknown;
  try {
    jsonata(expression);
    return undefined;
  } catch (error) {
    return expressionError(expression, error);
  }
}

/** What is wrong, and at which place of the expression. */
export function expressionError(expression: string, error: unknown): string {
  const { message = String(error), position } = Object(error) as Partial<JsonataError>;
  // Some errors have no position, for example an overflow of the stack.
  if (typeof position !== 'number') return message;
  const from = Math.max(0, position - shownAroundChars);
  const near = expression.slice(from, position + shownAroundChars);
  return `${message} (at character ${position}, near ${JSON.stringify(near)})`;
}
