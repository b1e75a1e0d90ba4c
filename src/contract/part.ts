import { refused, type Parsed } from '../domain/values/problem.ts';

/** A text in both languages. Absent where a document says it elsewhere, such as in a schema with a name. */
export interface Texts {
  /** Spanish, for the OpenAPI document. `{campos}` stands for the fields on request. */
  readonly es?: string;
  /** English, for the lists of `docs/contract.md`. */
  readonly en?: string;
}

/** The first sentence of the Spanish text, for lists of parameters and fields. */
export function summaryOf({ es = '' }: Texts): string {
  return es.split(/(?<=\.) (?=[A-ZÁÉÍÓÚÑ«`])/)[0] ?? '';
}

/** What documents say of a query parameter. Nothing here is needed to answer a request. */
export interface Input extends Texts {
  /** A JSON Schema, or the name of a schema of the document, such as `Panel`. */
  readonly schema: Readonly<Record<string, unknown>> | string;
  readonly isRequired?: true;
  /** Another parameter, without which the path does not know this one. */
  readonly onlyWith?: string;
}

/** The values of each parameter that the path knows, decoded, in the order in which they were sent. */
type Values = Readonly<Record<string, readonly string[]>>;

/** What a part needs beside the values that were sent. */
export interface Scope {
  /** The path, for the texts of problems. */
  readonly path: string;
  /** Maximum number of tickers in one request. */
  readonly tickersMax: number;
}

/**
 * One part of a query, which may read several parameters: a selection reads `especie` and `panel`, because the
 * order of their problems is part of the contract.
 */
export interface Part<Value> {
  readonly inputs: Readonly<Record<string, Input>>;
  parse(values: Values, scope: Scope): Parsed<Value>;
}

export type Parts = Readonly<Record<string, Part<unknown>>>;

/** The query that the parts of an operation give. */
export type QueryOf<Ps extends Parts> = {
  readonly [Name in keyof Ps]: Ps[Name] extends Part<infer Value> ? Value : never;
};

/** Several parts as one, whose values are read in their order. The first problem is that of all. */
export function all<const Ps extends Parts>(parts: Ps): Part<QueryOf<Ps>> {
  const entries = Object.entries(parts);
  return {
    inputs: Object.assign({}, ...entries.map(([, part]) => part.inputs)) as Part<unknown>['inputs'],
    parse: (values, scope) => {
      const query: Record<string, unknown> = {};
      for (const [name, part] of entries) {
        const parsed = part.parse(values, scope);
        if (!parsed.ok) return parsed;
        query[name] = parsed.value;
      }
      return { ok: true, value: query as QueryOf<Ps> };
    },
  };
}

/** A part whose value is another one, or a problem, once it has been read. */
export function refined<Value, Other>(
  part: Part<Value>,
  refine: (value: Value, scope: Scope) => Parsed<Other>,
): Part<Other> {
  return {
    inputs: part.inputs,
    parse: (values, scope) => {
      const parsed = part.parse(values, scope);
      return parsed.ok ? refine(parsed.value, scope) : parsed;
    },
  };
}

/** A part whose value stands for another one. */
export function mapped<Value, Other>(part: Part<Value>, map: (value: Value) => Other): Part<Other> {
  return refined(part, (value) => ({ ok: true, value: map(value) }));
}

/** The same part with other texts of its parameters, where a path says more about them. */
export function described<Value>(
  part: Part<Value>,
  texts: Readonly<Record<string, Partial<Input>>>,
): Part<Value> {
  const inputs = Object.entries(part.inputs).map(
    ([name, input]) => [name, { ...input, ...texts[name] }] as const,
  );
  return { ...part, inputs: Object.fromEntries(inputs) };
}

/** The values of each known parameter, in the order they were sent. */
type QueryValues<Name extends string> = Readonly<Record<Name, readonly string[]>>;

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
      return refused({ type: 'parameter-malformed', parameter: name, value: sentValue });
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
