import type { Parsed } from '../domain/problem.ts';

/** The values of each parameter that was asked for, in the order they were sent. */
export type QueryValues<Name extends string> = Readonly<Record<Name, readonly string[]>>;

/**
 * Reads the named parameters out of a raw query (what follows the first `?`), and ignores all
 * others. Stricter than a form decoder, because a text that is read leniently is answered wrongly:
 * `%zz`, bytes that are not UTF-8 or not encoded at all (RFC 3986 2.1), and NUL in a wanted value are
 * a problem, where `URLSearchParams` would quietly put replacement characters.
 *
 * Source: decisions row 5 (`+` and `%20` both mean a space).
 */
export function readQuery<Name extends string>(
  raw: string,
  names: readonly Name[],
): Parsed<QueryValues<Name>> {
  const values = Object.fromEntries(names.map((name) => [name, [] as string[]])) as Record<
    Name,
    string[]
  >;
  for (const pair of raw.split('&')) {
    const equals = pair.indexOf('=');
    // A name that cannot be decoded is no name that we know, and unknown ones are ignored.
    const sentName = decode(equals === -1 ? pair : pair.slice(0, equals));
    const name = names.find((one) => one === sentName);
    if (name === undefined) continue;
    const sentValue = equals === -1 ? '' : pair.slice(equals + 1);
    const value = decode(sentValue);
    if (value === undefined) {
      return {
        ok: false,
        problem: { type: 'parameter-malformed', parameter: name, value: sentValue },
      };
    }
    values[name].push(value);
  }
  return { ok: true, value: values };
}

// A plain word needs no decoding, and most names and tickers are plain words.
const plain = /^[\w.,:/-]*$/;
const notAscii = /[\u0080-\uFFFF]/;

/** The text that was percent-encoded, or undefined when it is malformed. */
function decode(text: string): string | undefined {
  if (plain.test(text)) return text;
  if (notAscii.test(text)) return undefined;
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '));
    return decoded.includes('\0') ? undefined : decoded;
  } catch {
    return undefined;
  }
}
