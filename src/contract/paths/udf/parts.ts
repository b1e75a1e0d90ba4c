import type { ErrorResponse } from '../../../wire/texts/error-texts.ts';
import type { Input, Part } from '../../part.ts';
import { integer, once, required } from '../../parts.ts';

/** The clause of all paths below `/udf`. */
export const clause = '4.15';

/** The seconds that a date can have. A library that has no first date asks from long before 1970. */
const seconds = { min: -8_640_000_000_000, max: 8_640_000_000_000 };

/** A text, which may be sent once. */
export function text(name: string, es: string): Part<string | undefined> {
  return once(name, (value) => ({ ok: true, value }), { schema: { type: 'string' }, es });
}

/** A symbol, as it was sent. */
export const symbol = required(
  'symbol',
  text(
    'symbol',
    'La especie, también con el código del mercado y dos puntos adelante (`BYMA:GGAL`).',
  ),
);

/** An instant in seconds since 1970. */
export function second(name: string, texts: Omit<Input, 'schema'>): Part<number> {
  const part = integer(name, seconds, texts);
  const inputs = { [name]: { schema: { type: 'integer' }, ...texts } };
  return required(name, { ...part, inputs });
}

/**
 * The ticker in the name of a symbol. The charting library also sends `BYMA:GGAL`. No ticker has a colon, so
 * what precedes the first one is the code of a market.
 */
export function tickerIn(sent: string): string {
  return sent.slice(sent.indexOf(':') + 1);
}

/**
 * An error in the form of the paths below `/udf` (contract 4.15.1). The adapter of the charting library ignores the
 * status. It recognizes an error by `s`, and shows `errmsg` to a person.
 */
export function udfError({ status, body }: ErrorResponse): ErrorResponse {
  const { error } = JSON.parse(body) as { readonly error: string };
  return { status, body: JSON.stringify({ error, s: 'error', errmsg: error }) };
}
