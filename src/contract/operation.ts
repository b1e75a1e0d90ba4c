import type { Parsed } from '../domain/values/problem.ts';
import {
  all,
  readQuery,
  refined,
  type Input,
  type Parts,
  type QueryOf,
  type Scope,
} from './part.ts';
import type { FieldAbout } from './table.ts';

/** A query with a text that all its spellings share. Its values are those of JSON. */
interface ReadQuery<Query> {
  readonly query: Query;
  readonly key: string;
}

/** What documents say of a table. */
interface AnyTable {
  readonly fields: Readonly<
    Record<string, { readonly about: FieldAbout; readonly column: unknown }>
  >;
  /** The names of the fields on request. */
  readonly requested?: readonly string[];
  /** The fields of each kind of row by the name of its schema, where they depend on the kind. */
  readonly kinds?: Readonly<Record<string, Readonly<Record<string, FieldAbout>>>>;
  /** The schema of further fields, whose names only a response has. */
  readonly others?: Readonly<Record<string, unknown>>;
}

/** What an operation says of itself. */
interface Description<Ps extends Parts> {
  /** Without the base path. */
  readonly path: string;
  /** The clause of `docs/contract.md`. */
  readonly clause: string;
  readonly params: Ps;
  /** What no single part can know. */
  readonly check?: (query: QueryOf<Ps>) => Parsed<QueryOf<Ps>>;
  /**
   * The tables of which a response has one, by the names of their rows in the document. Absent for a path whose body
   * is no table.
   */
  readonly tables?: Readonly<Record<string, AnyTable>>;
}

/** A path of the contract: its parameters and its rows. */
export interface Operation<Query> {
  readonly path: string;
  readonly clause: string;
  /** The parameters by name, in the order of the documents. */
  readonly inputs: Readonly<Record<string, Input>>;
  readonly tables: Readonly<Record<string, AnyTable>>;
  /** Parses a query as sent: malformed values first, in their order, and then the parts in theirs. */
  readonly read: (rawQuery: string, scope: Pick<Scope, 'tickersMax'>) => Parsed<ReadQuery<Query>>;
}

/** An operation as documents see it. */
export type AnyOperation = Pick<Operation<unknown>, 'path' | 'clause' | 'inputs' | 'tables'> &
  Partial<Pick<Operation<unknown>, 'read'>>;

/** The query of an operation. */
export type QueryOfOperation<O> = O extends Operation<infer Query> ? Query : never;

/** Declares a path of the contract. */
export function operation<const Ps extends Parts>({
  path,
  clause,
  params,
  check,
  tables = {},
}: Description<Ps>): Operation<QueryOf<Ps>> {
  const whole = check === undefined ? all(params) : refined(all(params), check);
  const { inputs } = whole;
  const names = Object.keys(inputs).filter((name) => inputs[name]?.onlyWith === undefined);
  const dependent = Object.entries(inputs).flatMap(([name, { onlyWith }]) =>
    onlyWith === undefined ? [] : [{ name, onlyWith }],
  );
  return {
    path,
    clause,
    inputs,
    tables,
    read(rawQuery, { tickersMax }) {
      const known = readQuery(rawQuery, names);
      if (!known.ok) return known;
      const isKnown = dependent.filter(({ onlyWith }) => (known.value[onlyWith] ?? []).length > 0);
      const further = readQuery(
        rawQuery,
        isKnown.map(({ name }) => name),
      );
      if (!further.ok) return further;
      const values = { ...known.value, ...further.value };
      const parsed = whole.parse(values, { path, tickersMax });
      if (!parsed.ok) return parsed;
      return { ok: true, value: { query: parsed.value, key: JSON.stringify(parsed.value) } };
    },
  };
}
