import { openapi } from './contract.ts';

/** A list is written with commas. */
type Example = string | readonly string[];

/** What the document says of the values of a parameter. */
interface ParameterSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly 'x-enum-names'?: Readonly<Record<string, string>>;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: ParameterSchema;
  readonly required?: boolean;
}

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema: ParameterSchema;
  readonly example?: Example;
  readonly examples?: Readonly<Record<string, { readonly value: Example }>>;
}

interface Operation {
  readonly security?: readonly unknown[];
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly 'x-without-client'?: true;
  readonly 'x-csv'?: object;
  readonly responses: Readonly<Record<string, unknown>>;
}

/** A path of the contract, as `contract/openapi.json` describes it. */
export interface ContractPath {
  readonly path: string;
  /** A request that gets 200: the path with the examples of the parameters that it requires. */
  readonly target: string;
  /** Its query parameters by name. */
  readonly schemas: Readonly<Record<string, ParameterSchema>>;
  readonly needsKey: boolean;
  /** Whether the response has an entity tag, and so may be 304. */
  readonly hasTag: boolean;
  /** Whether the response is rows, in every format of a table. */
  readonly isTable: boolean;
  /** Whether the clients and the page that tries requests have it. The other paths are those of another program's protocol. */
  readonly hasClient: boolean;
}

/** Paths that require one of several parameters, which the document can only say in words. */
const selections: Readonly<Record<string, string>> = {
  '/cotizaciones': 'panel',
  '/cotizaciones/stream': 'panel',
  '/recorridos': 'panel',
  '/bonos': 'panel',
  '/historicos': 'especie',
  '/cambios': 'especie',
};

/** A part of the document, or the one that it refers to. */
function resolved<Part extends object>(one: Part | { readonly $ref: string }): Part {
  if (!('$ref' in one)) return one;
  const steps = one.$ref.slice('#/'.length).split('/');
  return steps.reduce<unknown>(
    (found, step) => (found as Readonly<Record<string, unknown>>)[step],
    openapi,
  ) as Part;
}

function schemaOf({ schema, required = false }: Parameter): ParameterSchema {
  const { items, ...own } = resolved(schema);
  return { ...own, required, ...(items !== undefined && { items: resolved(items) }) };
}

function exampleOf({ name, example, examples = {} }: Parameter): string {
  const value = example ?? Object.values(examples)[0]?.value;
  if (value === undefined) throw new Error(`the document has no example of ${name}`);
  return `${name}=${encodeURIComponent([value].flat().join(','))}`;
}

function readPath([path, { get }]: readonly [string, { readonly get: Operation }]): ContractPath {
  const all = (get.parameters ?? [])
    .map((one) => resolved(one))
    .filter((one) => one.in === 'query');
  const needed = all.filter(({ name, required }) => required === true || name === selections[path]);
  const query = needed.map(exampleOf).join('&');
  return {
    path,
    target: query === '' ? path : `${path}?${query}`,
    schemas: Object.fromEntries(all.map((one) => [one.name, schemaOf(one)])),
    needsKey: (get.security ?? (openapi['security'] as readonly unknown[])).length > 0,
    hasTag: '304' in get.responses,
    isTable: get['x-csv'] !== undefined,
    hasClient: get['x-without-client'] !== true,
  };
}

/**
 * All paths of the contract. A suite that treats every path takes them from here, so that it treats a path that
 * is added to the document, too.
 */
export const contractPaths: readonly ContractPath[] = Object.entries(
  openapi['paths'] as Readonly<Record<string, { readonly get: Operation }>>,
).map(readPath);

/** The paths of the contract but those that a suite cannot treat, each with the reason. */
export function pathsExcept(
  reasons: Readonly<Record<string, string>>,
): readonly [ContractPath, ...ContractPath[]] {
  const unknown = Object.keys(reasons).filter((name) =>
    contractPaths.every(({ path }) => path !== name),
  );
  if (unknown.length > 0) throw new Error(`not in the contract: ${unknown.join(', ')}`);
  const [first, ...rest] = contractPaths.filter(({ path }) => !(path in reasons));
  if (first === undefined) throw new Error('no path of the contract is left');
  return [first, ...rest];
}

/** The names of all query parameters. */
export const parameterNames: readonly string[] = [
  ...new Set(contractPaths.flatMap(({ schemas }) => Object.keys(schemas))),
];
