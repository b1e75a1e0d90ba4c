/** Maximum replay speed short of `max`: a recorded year takes less than a minute. */
const speedMax = 1_000_000;

/** One fault in the configuration of the feeds. */
export interface FeedConfigFault {
  /** The field at fault, such as `feeds[0].speed`. */
  readonly path: string;
  /** What would be valid: a sentence of which the path is the subject, "must be …". */
  readonly message: string;
}

/** The fields of one feed. Each method returns a valid value and records a fault otherwise. */
export class ConfigFields {
  readonly #path: string;
  readonly #faults: FeedConfigFault[];
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(value: unknown, path: string, faults: FeedConfigFault[]) {
    this.#path = path;
    this.#faults = faults;
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
    this.#values = isMap ? (value as Record<string, unknown>) : {};
    if (!isMap) faults.push({ path, message: 'must be a map with the fields name and type' });
  }

  allowOnly(allowed: readonly string[]): void {
    for (const name of Object.keys(this.#values)) {
      if (!allowed.includes(name)) {
        this.#fault(name, `is not a field of this type of feed; the fields are ${list(allowed)}`);
      }
    }
  }

  oneOf<T extends string>(name: string, options: readonly T[], fallback?: T): T | undefined {
    const value = this.#get(name) ?? fallback;
    const option = options.find((one) => one === value);
    if (option === undefined) this.#fault(name, `must be one of ${list(options)}`);
    return option;
  }

  matching(name: string, pattern: RegExp, what: string): string {
    const value = this.#get(name);
    if (typeof value === 'string' && pattern.test(value)) return value;
    this.#fault(name, `must be ${what}`);
    return '';
  }

  number(name: string, { min, max }: { min: number; max: number }, fallback: number): number {
    const value = this.#get(name) ?? fallback;
    if (typeof value === 'number' && value >= min && value <= max) return value;
    this.#fault(name, `must be a number from ${min} to ${max}`);
    return fallback;
  }

  integer(name: string, range: { min: number; max: number }, fallback: number): number {
    const value = this.#get(name) ?? fallback;
    if (Number.isInteger(value)) return this.number(name, range, fallback);
    this.#fault(name, `must be a whole number from ${range.min} to ${range.max}`);
    return fallback;
  }

  boolean(name: string, fallback: boolean): boolean {
    const value = this.#get(name) ?? fallback;
    if (typeof value === 'boolean') return value;
    this.#fault(name, 'must be true or false');
    return fallback;
  }

  speed(name: string): number | 'max' {
    const value = this.#get(name) ?? 1;
    if (value === 'max') return value;
    if (typeof value === 'number' && value > 0 && value <= speedMax) return value;
    this.#fault(name, `must be a number above 0 and up to ${speedMax}, or max`);
    return 1;
  }

  paths(name: string): readonly string[] {
    const value = this.#get(name);
    const texts = textsOf(value);
    if (texts !== undefined && texts.length > 0) return texts;
    this.#fault(name, 'must be a list of paths');
    return [];
  }

  members(name: string, known: ReadonlySet<string>): ReadonlySet<string> | undefined {
    const value = this.#get(name);
    if (value === undefined) return undefined;
    const texts = textsOf(value);
    if (texts === undefined || texts.length === 0 || !texts.every((text) => known.has(text))) {
      this.#fault(name, `must be a list of markets of the universe: ${list([...known])}`);
    }
    return new Set(texts);
  }

  #get(name: string): unknown {
    const value = Object.hasOwn(this.#values, name) ? this.#values[name] : undefined;
    return value ?? undefined;
  }

  #fault(name: string, message: string): void {
    this.#faults.push({ path: `${this.#path}.${name}`, message });
  }
}

function textsOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items = value as readonly unknown[];
  return items.every((item) => typeof item === 'string' && item !== '')
    ? (items as readonly string[])
    : undefined;
}

function list(options: readonly string[]): string {
  return options.join(', ');
}
