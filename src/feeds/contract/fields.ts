import * as v from '@badrap/valita';
import { caseless, type JsonSchema } from '../../lib/text/json-schema.ts';

/** The JSON Schema of each field. The fields themselves only have a test. */
const schemas = new WeakMap<object, JsonSchema>();

/**
 * The JSON Schema of a field, without what only the program can decide, such as whether a file exists.
 *
 * @throws for a field that was not made with the functions of this file.
 */
export function schemaOfField(type: v.Type | v.Optional): JsonSchema {
  const schema = schemas.get(type);
  if (schema === undefined) throw new Error('a field has no JSON Schema');
  return schema;
}

/** The same field where it may be absent, with its JSON Schema. */
export function optional<Value>(type: v.Type<Value>): v.Optional<Value | undefined>;
/** @param usual the value of an absent field. */
export function optional<Value, Usual extends Value | undefined>(
  type: v.Type<Value>,
  usual: Usual,
): v.Type<Value | Usual>;
export function optional(type: v.Type, ...usual: readonly unknown[]): v.Type | v.Optional {
  const hasUsual = usual.length > 0;
  const made = hasUsual ? type.optional(() => usual[0]) : type.optional();
  return described<v.Type | v.Optional>(made, schemaOfField(type));
}

function described<Field extends v.Type | v.Optional>(type: Field, schema: JsonSchema): Field {
  schemas.set(type, schema);
  return type;
}

/** The fields that every type of feed has, for its schema. */
export function commonFields<Type extends string>(
  type: Type,
  defaults: { readonly staleAfterSeconds: number },
) {
  return {
    name: textField(
      /^[a-z0-9][a-z0-9_-]{0,39}$/,
      'must be a name of at most 40 lower-case letters, digits, - and _',
    ),
    type: described(v.literal(type), { const: type }),
    staleAfterSeconds: optional(numberField({ min: 1, max: 604_800 }), defaults.staleAfterSeconds),
    markets: optional(textListField('must be a list of codes of markets')),
  };
}

/** What a network source has unless the configuration says otherwise. */
export interface NetworkDefaults<Delay extends number | undefined = number | undefined> {
  readonly url: string;
  readonly pollSeconds: PollSeconds;
  /** Undefined for a source that does not state its delay: then it is not known unless it is configured. */
  readonly delayMinutes: Delay;
}

/** The fields that every network source has, for its schema. */
export function networkFields<Delay extends number | undefined>(defaults: NetworkDefaults<Delay>) {
  return {
    ...streamFields({ url: defaults.url, protocols: ['https:', 'http:'] }),
    pollSeconds: optional(
      numberField({ min: defaults.pollSeconds.min, max: 86_400 }),
      defaults.pollSeconds.usual,
    ),
    delayMinutes: optional(numberField({ min: 0, max: 1_440 }), defaults.delayMinutes),
  };
}

/** How often a source is polled while a market of its instruments is open, in seconds. */
interface PollSeconds {
  readonly usual: number;
  /** The minimum that its terms or its limits allow. */
  readonly min: number;
}

/** The fields of a source that sends by itself, over a WebSocket. */
export function streamFields(defaults: {
  readonly url: string;
  readonly protocols?: readonly string[];
}) {
  const { url, protocols = ['wss:', 'ws:'] } = defaults;
  return {
    url: optional(urlField(protocols), url),
    instruments: optional(instrumentsField()),
    ca: optional(textField(pathForm, 'must be the path of a PEM file')),
    userAgent: optional(
      textField(
        headerForm,
        'must be at most 256 printable ASCII characters, without white space at either end',
      ),
    ),
  };
}

/** Which instruments are taken from a source: only some, or all but some. */
function instrumentsField() {
  const shape = {
    include: optional(textListField('must be a list of tickers')),
    exclude: optional(textListField('must be a list of tickers')),
  };
  const properties = Object.fromEntries(
    Object.entries(shape).map(([name, one]) => [name, schemaOfField(one)]),
  );
  return described(v.object(shape), { type: 'object', properties, additionalProperties: false });
}

/** A path without control characters. */
// oxlint-disable-next-line no-control-regex
const pathForm = /^[^\u0000-\u001F\u007F]+$/;

/** A value that a header can carry (RFC 9110 section 5.5): no control character, which could begin another header. */
const headerForm = /^(?=.{1,256}$)[!-~](?:[ -~]*[!-~])?$/;

/** The address of the daily history of a source that sends its prices over a WebSocket. */
export function historyUrlField(url: string) {
  return optional(urlField(['https:', 'http:']), url);
}

/** A key: the environment variable or the file that holds it. */
export function secretField() {
  const message = 'must be { env: NAME } or { file: PATH }; a key itself is never written here';
  const type = v.unknown().chain((value) => {
    if (typeof value !== 'object' || value === null) return v.err(message);
    const [entry, ...others] = Object.entries(value);
    if (entry === undefined || others.length > 0) return v.err(message);
    const [kind, place] = entry as [string, unknown];
    if (typeof place !== 'string' || place === '') return v.err(message);
    if (kind === 'env') return v.ok<{ env: string } | { file: string }>({ env: place });
    if (kind === 'file') return v.ok<{ env: string } | { file: string }>({ file: place });
    return v.err(message);
  });
  const oneOf = ['env', 'file'].map((kind) => ({
    properties: { [kind]: { type: 'string', minLength: 1 } },
    required: [kind],
    additionalProperties: false,
  }));
  return described(type, { type: 'object', oneOf });
}

/** A number within a range. */
export function numberField({ min, max }: { readonly min: number; readonly max: number }) {
  return field(
    (value): value is number => typeof value === 'number' && value >= min && value <= max,
    `must be a number from ${min} to ${max}`,
    { type: 'number', minimum: min, maximum: max },
  );
}

/** A whole number within a range. */
export function integerField({ min, max }: { readonly min: number; readonly max: number }) {
  return field(
    (value): value is number =>
      Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
    `must be a whole number from ${min} to ${max}`,
    { type: 'integer', minimum: min, maximum: max },
  );
}

/** `true` or `false`. */
export function booleanField() {
  return field((value): value is boolean => typeof value === 'boolean', 'must be true or false', {
    type: 'boolean',
  });
}

/** One of a few texts. */
export function choiceField<Option extends string>(options: readonly Option[]) {
  return field(
    (value): value is Option => options.includes(value as Option),
    `must be one of ${options.join(', ')}`,
    { enum: options },
  );
}

/** A text of a certain form. */
export function textField(form: RegExp, message: string) {
  return field((value): value is string => typeof value === 'string' && form.test(value), message, {
    type: 'string',
    pattern: form.source,
  });
}

/** A list of at least one text. */
export function textListField(message: string) {
  return field(
    (value): value is readonly string[] =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.every((item) => typeof item === 'string' && item !== ''),
    message,
    { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
  );
}

/** A field whose value passes a test, with one message for any other value, and its JSON Schema. */
export function field<Value>(
  test: (value: unknown) => value is Value,
  message: string,
  schema: JsonSchema,
) {
  return checkedField((value) => (test(value) ? v.ok<Value>(value) : v.err(message)), schema);
}

/** A field whose value passes a test with messages of its own, and its JSON Schema. */
export function checkedField<Value>(
  check: (value: unknown) => v.ValitaResult<Value>,
  schema: JsonSchema,
) {
  return described(v.unknown().chain(check), schema);
}

/** A URL with one of these protocols, such as `https:`. */
export function urlField(protocols: readonly string[]) {
  const schemes = protocols.map((protocol) => `${protocol}//`).join(' or ');
  // A URL may have white space before it, and a scheme in upper case.
  const pattern = `^[\\u0000-\\u0020]*(?:${protocols.map(caseless).join('|')})`;
  return field(
    (value): value is string => {
      const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
      if (url === undefined || !protocols.includes(url.protocol)) return false;
      return url.username === '' && url.password === '';
    },
    `must be a URL that begins with ${schemes}, without a user name and password`,
    { type: 'string', pattern },
  );
}
