import type { Parsed } from '../domain/values/problem.ts';

/** A text in both languages. Absent where a document says it elsewhere, such as in a schema with a name. */
export interface Texts {
  /** Spanish, for the OpenAPI document. `{campos}` stands for the fields on request. */
  readonly es?: string;
  /** English, for the tables of `docs/contract.md`. */
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
