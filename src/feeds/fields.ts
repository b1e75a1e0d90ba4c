import * as v from '@badrap/valita';

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
    type: v.literal(type),
    staleAfterSeconds: numberField({ min: 1, max: 604_800 }).optional(
      () => defaults.staleAfterSeconds,
    ),
    markets: textListField('must be a list of codes of markets').optional(),
  };
}

/** The fields that every network source has, for its schema. */
export function networkFields<Delay extends number | undefined>(defaults: {
  readonly url: string;
  readonly pollSeconds: PollSeconds;
  /** Undefined for a source that does not state its delay: then it is not known unless it is configured. */
  readonly delayMinutes: Delay;
}) {
  return {
    ...streamFields({ url: defaults.url, protocols: ['https:', 'http:'] }),
    pollSeconds: numberField({ min: defaults.pollSeconds.min, max: 86_400 }).optional(
      () => defaults.pollSeconds.usual,
    ),
    delayMinutes: numberField({ min: 0, max: 1_440 }).optional(() => defaults.delayMinutes),
  };
}

/** How often a source is polled while a market of its instruments is open, in seconds. */
export interface PollSeconds {
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
    url: urlField(protocols).optional(() => url),
    instruments: v
      .object({
        include: textListField('must be a list of tickers').optional(),
        exclude: textListField('must be a list of tickers').optional(),
      })
      .optional(),
    ca: textField(pathForm, 'must be the path of a PEM file').optional(),
    userAgent: textField(
      headerForm,
      'must be at most 256 printable ASCII characters, without white space at either end',
    ).optional(),
  };
}

/** A path without control characters. */
// oxlint-disable-next-line no-control-regex
const pathForm = /^[^\u0000-\u001F\u007F]+$/;

/** A value that a header can carry (RFC 9110 section 5.5): no control character, which could begin another header. */
const headerForm = /^(?=.{1,256}$)[!-~](?:[ -~]*[!-~])?$/;

/** The address of the daily history of a source that sends its prices over a WebSocket. */
export function historyUrlField(url: string) {
  return urlField(['https:', 'http:']).optional(() => url);
}

/** A key: the environment variable or the file that holds it. */
export function secretField() {
  const message = 'must be { env: NAME } or { file: PATH }; a key itself is never written here';
  return v.unknown().chain((value) => {
    if (typeof value !== 'object' || value === null) return v.err(message);
    const [entry, ...others] = Object.entries(value);
    if (entry === undefined || others.length > 0) return v.err(message);
    const [kind, place] = entry as [string, unknown];
    if (typeof place !== 'string' || place === '') return v.err(message);
    if (kind === 'env') return v.ok<{ env: string } | { file: string }>({ env: place });
    if (kind === 'file') return v.ok<{ env: string } | { file: string }>({ file: place });
    return v.err(message);
  });
}

/** A number within a range. */
export function numberField({ min, max }: { readonly min: number; readonly max: number }) {
  return field(
    (value): value is number => typeof value === 'number' && value >= min && value <= max,
    `must be a number from ${min} to ${max}`,
  );
}

/** A whole number within a range. */
export function integerField({ min, max }: { readonly min: number; readonly max: number }) {
  return field(
    (value): value is number =>
      Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
    `must be a whole number from ${min} to ${max}`,
  );
}

/** `true` or `false`. */
export function booleanField() {
  return field((value): value is boolean => typeof value === 'boolean', 'must be true or false');
}

/** One of a few texts. */
export function choiceField<Option extends string>(options: readonly Option[]) {
  return field(
    (value): value is Option => options.includes(value as Option),
    `must be one of ${options.join(', ')}`,
  );
}

/** A text of a certain form. */
export function textField(form: RegExp, message: string) {
  return field((value): value is string => typeof value === 'string' && form.test(value), message);
}

/** A list of at least one text. */
export function textListField(message: string) {
  return field(
    (value): value is readonly string[] =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.every((item) => typeof item === 'string' && item !== ''),
    message,
  );
}

/** A field whose value passes a test, with one message for any other value. */
export function field<Value>(test: (value: unknown) => value is Value, message: string) {
  return v.unknown().chain((value) => (test(value) ? v.ok<Value>(value) : v.err(message)));
}

/** A URL with one of these protocols, such as `https:`. */
export function urlField(protocols: readonly string[]) {
  const schemes = protocols.map((protocol) => `${protocol}//`).join(' or ');
  return field((value): value is string => {
    const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
    if (url === undefined || !protocols.includes(url.protocol)) return false;
    return url.username === '' && url.password === '';
  }, `must be a URL that begins with ${schemes}, without a user name and password`);
}
