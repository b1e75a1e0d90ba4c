import type { Parsed } from '../../domain/values/problem.ts';

/** The values of each known parameter, in the order they were sent. */
export type QueryValues<Name extends string> = Readonly<Record<Name, readonly string[]>>;

/**
 * Reads the named parameters from a raw query, the text after the first `?`. Other parameters are
 * ignored (contract 4.5.6). `+` and `%20` both mean a space (contract 2.5.2).
 *
 * The decoder is stricter than `URLSearchParams`, which silently inserts replacement characters.
 * Malformed escapes (`%zz`), bytes that are not UTF-8 or not percent-encoded (RFC 3986 2.1), and
 * NUL in the value of a named parameter are a problem. In a ticker and a panel code they are not: there
 * they make a name that nobody has, which is left out or refused as any other (contract 4.1.2, 4.1.5).
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
    const name = nameIn(pair, names);
    if (name === undefined) continue;
    const sentValue = equals === -1 ? '' : pair.slice(equals + 1);
    const value = decode(sentValue) ?? (isName(name) ? asSent(sentValue) : undefined);
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

/**
 * A raw query without the parameters that have other names. Queries that differ only in these ask for the same, so
 * responses are cached by what is left.
 */
export function knownQuery(raw: string, names: readonly string[]): string {
  const pairs = raw.split('&');
  const known = pairs.filter((pair) => nameIn(pair, names) !== undefined);
  return known.length === pairs.length ? raw : known.join('&');
}

/** Which of these names a parameter has. A name that cannot be decoded is none of them. */
function nameIn<Name extends string>(pair: string, names: readonly Name[]): Name | undefined {
  const equals = pair.indexOf('=');
  const sent = decode(equals === -1 ? pair : pair.slice(0, equals));
  return names.find((one) => one === sent);
}

// Text of these characters needs no decoding. Most names and tickers consist of them.
const plain = /^[\w.,:/-]*$/;
const notAscii = /[\u0080-\uFFFF]/;
const eachNotAscii = /[\u0080-\uFFFF]/g;

/** Whether a parameter has names of instruments or of a panel. */
function isName(parameter: string): boolean {
  return nameParameters.has(parameter);
}

const nameParameters: ReadonlySet<string> = new Set(['especie', 'panel', 'symbol', 'symbols']);

/** A list of names, each decoded, or as it was sent if it cannot be. No ticker and no panel is spelled like that. */
function asSent(text: string): string {
  return text
    .split(/,|%2c/i)
    .map((name) => decode(name) ?? name.replaceAll(eachNotAscii, escaped))
    .join(',');
}

/** A character that was sent without an encoding, as its number: it must not become a letter of a ticker. */
function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`;
}

/** Decodes a percent-encoded text. Returns undefined when it is malformed. */
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
