/** An operation of an OpenAPI document. */
type Operation = Readonly<Record<string, unknown>> & {
  readonly parameters?: readonly unknown[];
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
  readonly 'x-csv'?: { readonly content: Content };
};

type Content = Readonly<Record<string, unknown>>;

/** The parts of an OpenAPI document that {@link withCsv} changes. */
interface Document {
  readonly paths: Readonly<Record<string, { readonly get?: Operation }>>;
  readonly 'x-csv'?: { readonly parameters: readonly unknown[]; readonly content: Content };
}

/**
 * The contract with CSV and NDJSON in its operations: the parameters of `x-csv` come after those of each table, and
 * their media types after JSON. The contract has them apart, because generators of clients would give the
 * response to every request the type "rows or text". A person, and a check of every response, need all.
 */
export function withCsv<T>(document: T): T {
  const { paths, 'x-csv': shared } = document as Document;
  const all = Object.entries(paths).map(([path, item]) => {
    const csv = item.get?.['x-csv'];
    if (item.get === undefined || csv === undefined) return [path, item] as const;
    const content = { ...csv.content, ...shared?.content };
    return [path, { ...item, get: merged(item.get, content, shared?.parameters ?? []) }] as const;
  });
  return { ...document, paths: Object.fromEntries(all) };
}

function merged(operation: Operation, content: Content, parameters: readonly unknown[]): Operation {
  const { 'x-csv': _, ...rest } = operation;
  const ok = rest.responses['200'];
  return {
    ...rest,
    parameters: [...(rest.parameters ?? []), ...parameters],
    responses: { ...rest.responses, '200': { ...ok, content: { ...ok?.content, ...content } } },
  };
}
