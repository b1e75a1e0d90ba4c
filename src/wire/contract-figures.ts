/** The limits that the OpenAPI document states, with their configured values. */
export interface ContractFigures {
  readonly tickersPerRequestMax: number;
  readonly requestLineBytesMax: number;
  readonly requestHeadBytesMax: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly streamsPerKeyMax: number;
  readonly streamHeartbeatMs: number;
  readonly streamStallMs: number;
}

const placeholder = /\{([a-z]+[A-Z]\w*)\}/g;

/**
 * Fills the configured limits into the OpenAPI document: in every text, the name of a limit in
 * braces is replaced by its value. Times are shown in seconds, sizes in bytes.
 *
 * @throws when the document names an unknown limit.
 */
export function fillFigures<T>(document: T, figures: ContractFigures): T {
  const values = new Map<string, number>(Object.entries(figures));
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') return fillText(value, values);
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fill(one)]));
  };
  return fill(document) as T;
}

function fillText(text: string, figures: ReadonlyMap<string, number>): string {
  return text.replaceAll(placeholder, (_, name: string) => {
    const figure = figures.get(name);
    if (figure === undefined)
      throw new Error(`the OpenAPI document names an unknown limit {${name}}`);
    if (name.endsWith('Ms')) return `${String(figure / 1_000).replace('.', ',')} s`;
    return name.endsWith('BytesMax') ? `${figure} bytes` : String(figure);
  });
}
