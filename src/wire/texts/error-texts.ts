import type { Problem } from '../../domain/values/problem.ts';

/** An error response: the HTTP status, and the body as JSON text. */
export interface ErrorResponse {
  readonly status: number;
  readonly body: string;
}

interface ErrorEntry {
  readonly status: number;
  /** The Spanish text for the client. `{name}` is replaced by a value. */
  readonly text: string;
  /** The condition for this error, in English, for `docs/errors.md`. Absent where the text says it. */
  readonly when?: string;
}

/**
 * All errors of the public listener (contract 2.3, 4.5, 5.2, 6.2 and 7.1). `npm run docs`
 * writes their conditions into `docs/errors.md`.
 */
export const errorCatalogue = {
  'selection-missing': {
    status: 400,
    text: 'Falta la selección. Enviar al menos uno de los parámetros «especie» y «panel».',
  },
  'panel-unknown': {
    status: 400,
    text: 'El panel «{value}» no existe. Los valores válidos del parámetro «panel» son: {valid}.',
    when: '`panel` is not one of the eleven codes, which are case-sensitive.',
  },
  'panel-missing': {
    status: 400,
    text: 'Falta el parámetro «panel», que es obligatorio en {path}. Los valores válidos son: {valid}.',
  },
  'panel-repeated': {
    status: 400,
    text: 'El parámetro «panel» se envió más de una vez. Se admite un solo panel por pedido.',
  },
  'field-unknown': {
    status: 400,
    text: 'El campo «{value}» no existe. Los valores válidos del parámetro «campos» son: {valid}.',
  },
  'parameter-missing': {
    status: 400,
    text: 'Falta el parámetro «{parameter}», que es obligatorio en {path}.',
  },
  'parameter-repeated': {
    status: 400,
    text: 'El parámetro «{parameter}» se envió más de una vez. Se admite un solo valor por pedido.',
  },
  'parameter-malformed': {
    status: 400,
    text: 'El valor «{value}» del parámetro «{parameter}» no está bien codificado. Debe ser texto UTF-8 sin caracteres nulos, y a cada «%» deben seguir dos dígitos hexadecimales.',
    when: 'A value is not percent-encoded UTF-8, or contains NUL. In a list of tickers, symbols or panel codes, such a value is unknown instead.',
  },
  'value-unknown': {
    status: 400,
    text: 'El valor «{value}» del parámetro «{parameter}» no es válido. Los valores válidos son: {valid}.',
    when: 'A parameter of which the contract lists the values has another one, or is empty (contract 4.5.11).',
  },
  'date-malformed': {
    status: 400,
    text: 'El valor «{value}» del parámetro «{parameter}» no es una fecha válida. Debe ser una fecha existente con el formato AAAA-MM-DD, por ejemplo 2026-03-31.',
  },
  'instant-malformed': {
    status: 400,
    text: 'El valor «{value}» del parámetro «{parameter}» no es un instante válido. Debe ser un instante existente con el formato RFC 3339 y su zona, por ejemplo 2026-03-31T20:00:00Z o 2026-03-31T17:00:00-03:00.',
  },
  'instant-without-sign': {
    status: 400,
    text: 'El valor «{value}» del parámetro «{parameter}» tiene un espacio en lugar del signo de su zona, porque «+» significa un espacio en una URL. Enviar el signo como «%2B», por ejemplo 2026-03-31T22:00:00%2B02:00, o el instante en UTC, por ejemplo 2026-03-31T20:00:00Z.',
  },
  'instant-to-come': {
    status: 400,
    text: 'El valor «{value}» del parámetro «{parameter}» es posterior a la hora del servicio, {now}. Enviar un instante que ya pasó o, para los valores actuales, el pedido sin este parámetro.',
    when: '`conocido` is more than a minute after the clock of the service.',
  },
  'year-malformed': {
    status: 400,
    text: 'El valor «{value}» del parámetro «{parameter}» no es un año válido. Debe ser un año de cuatro cifras, por ejemplo 2026.',
  },
  'integer-malformed': {
    status: 400,
    text: 'El valor «{value}» del parámetro «{parameter}» no es válido. Debe ser un número entero de {min} a {max}.',
  },
  'range-reversed': {
    status: 400,
    text: 'El parámetro «desde» ({from}) es posterior al parámetro «hasta» ({to}). Debe ser igual o anterior.',
  },
  'tickers-too-many': {
    status: 400,
    text: 'El parámetro «{parameter}» tiene {count} especies. Se admiten como máximo {max} por pedido.',
    when: 'A request has more tickers than `tickersPerRequestMax`.',
  },
  'ticker-not-single': {
    status: 400,
    text: 'El parámetro «{parameter}» tiene el valor «{value}». En {path} se admite una sola especie por pedido, sin comas.',
  },
  'subject-not-single': {
    status: 400,
    text: 'El pedido a {path} debe tener exactamente uno de los parámetros «especie» e «indice». Enviar uno de los dos.',
  },
  'parameter-of-other-form': {
    status: 400,
    text: 'El parámetro «{parameter}» no se admite con «forma={form}». Con esa forma, enviar «{instead}».',
  },
  'parameter-not-streamed': {
    status: 400,
    text: 'El parámetro «{parameter}» no se admite en /cotizaciones/stream. Pedir /cotizaciones con él, o transmitir también el dólar y convertir cada precio.',
  },
  'rows-too-many': {
    status: 400,
    text: 'El pedido tiene {count} filas. Se admiten como máximo {max} por pedido: acortar el rango de fechas o pedir menos especies.',
    when: '`/historicos` with `forma=larga`, `/cambios` or `/udf/history` with more rows than `historyRowsMax`.',
  },
  'cells-too-many': {
    status: 400,
    text: 'El pedido tiene al menos {count} valores (fechas por especies). Se admiten como máximo {max} por pedido: acortar el rango de fechas o pedir menos especies.',
    when: '`/historicos` with `forma=ancha`: dates multiplied by instruments are more than `historyRowsMax`.',
  },
  'search-empty': {
    status: 400,
    text: 'El parámetro «buscar» está vacío. Enviar una parte de la especie o del nombre, por ejemplo galicia.',
  },
  'search-too-long': {
    status: 400,
    text: 'El parámetro «buscar» tiene {count} caracteres. Se admiten como máximo {max}.',
  },
  'price-malformed': {
    status: 400,
    text: 'El valor «{value}» del parámetro «precio» no es válido. Debe ser un número mayor que cero, con punto decimal, por ejemplo 83940.5.',
  },
  'price-not-single': {
    status: 400,
    text: 'El parámetro «precio» se envió sin una sola especie. Enviarlo con exactamente una especie en «especie» y sin «panel».',
  },
  'request-malformed': {
    status: 400,
    text: 'El pedido no es un mensaje HTTP válido.',
    when: 'The bytes are no HTTP request, the target has bytes that must be percent-encoded, or `Host` is missing, not valid or repeated. The connection is closed.',
  },
  'body-unexpected': {
    status: 400,
    text: 'El pedido tiene un cuerpo. Los pedidos a este servicio no llevan cuerpo: los parámetros se envían en la URL.',
    when: 'A GET or HEAD with a body. The connection is closed.',
  },
  'key-missing': {
    status: 401,
    text: 'Falta la clave de acceso. Enviar el encabezado «Authorization: Bearer <API_KEY>».',
    when: 'There is no `Authorization` header, or it has another scheme or no token.',
  },
  'key-invalid': {
    status: 401,
    text: 'La clave de acceso no es válida. Enviar una clave vigente en el encabezado «Authorization: Bearer <API_KEY>».',
    when: 'The key is mistyped, unknown, expired, revoked, or has another scope. The response does not say which.',
  },
  'url-key-invalid': {
    status: 401,
    text: 'La clave de consulta de la URL no es válida. Usar una clave de consulta vigente, que comienza con «pzc_», y no enviar además otra clave en el encabezado «Authorization».',
    when: 'The same for the key in the path; or the header `Authorization` has a key too.',
  },
  'plain-http': {
    status: 403,
    text: 'El pedido llegó sin cifrar. Enviar los pedidos por HTTPS y reemplazar toda clave que se haya enviado sin cifrar.',
    when: 'Plain HTTP from an address that is neither loopback nor in `behindProxy`. The connection is closed.',
  },
  'path-unknown': {
    status: 404,
    text: 'La ruta «{path}» no existe en este servicio.',
    when: 'The path does not exist.',
  },
  'path-mistyped': {
    status: 404,
    text: 'La ruta «{path}» no existe en este servicio. La más parecida es «{closest}».',
    when: 'The path differs in a few characters from one that exists, which the text names.',
  },
  'method-not-allowed': {
    status: 405,
    text: 'El método {method} no se admite en esta ruta. Los métodos válidos son: {valid}.',
    when: 'The method is not in the `Allow` header.',
  },
  'coding-unacceptable': {
    status: 406,
    text: 'El encabezado «Accept-Encoding» del pedido excluye todas las codificaciones disponibles. Las codificaciones disponibles son: identity, br, gzip, zstd.',
    when: '`Accept-Encoding` excludes `identity` and every content encoding of the service.',
  },
  'request-too-slow': {
    status: 408,
    text: 'El pedido no llegó completo dentro del tiempo admitido.',
    when: 'Headers or request did not arrive in time. The connection is closed.',
  },
  'target-too-long': {
    status: 414,
    text: 'La línea del pedido es demasiado larga. Se admiten como máximo {max} bytes.',
    when: 'The request line is longer than `requestLineBytesMax`.',
  },
  'rate-exceeded': {
    status: 429,
    text: 'Se superó la cantidad de pedidos admitida. Reintentar en {seconds} s.',
    when: 'More requests than the plan of the key allows.',
  },
  'failures-exceeded': {
    status: 429,
    text: 'Se recibieron demasiados pedidos sin una clave válida desde esta dirección de red. Reintentar en {seconds} s. Los pedidos con una clave válida se siguen respondiendo.',
    when: 'Too many requests without a valid key from one address.',
  },
  'streams-per-key': {
    status: 429,
    text: 'Esta clave ya tiene {max} transmisiones abiertas, el máximo admitido. Reintentar en {seconds} s, o después de cerrar alguna.',
    when: 'The key already has `streamsPerKeyMax` open streams.',
  },
  'headers-too-large': {
    status: 431,
    text: 'Los encabezados del pedido superan el tamaño admitido.',
    when: 'Request line and headers are longer than `requestHeadBytesMax`. The connection is closed.',
  },
  failure: {
    status: 500,
    text: 'El servicio no pudo responder por una falla interna. Reintentar más tarde.',
    when: 'An internal failure. The log has its cause.',
  },
  'streams-full': {
    status: 503,
    text: 'El servicio alcanzó la cantidad máxima de transmisiones abiertas. Reintentar en {seconds} s.',
    when: 'The service already has `streamsMax` open streams.',
  },
  'store-unavailable': {
    status: 503,
    text: 'Los datos pedidos no están disponibles en este momento. Reintentar en {seconds} s.',
    when: 'The data are not in memory, and the store does not respond.',
  },
  'keys-unconfirmed': {
    status: 503,
    text: 'No es posible verificar la clave en este momento. Reintentar en {seconds} s.',
    when: 'The store has not confirmed the keys for `keysStaleMaxSeconds`.',
  },
  saturated: {
    status: 503,
    text: 'El servicio está sobrecargado. Reintentar en {seconds} s.',
    when: 'The request waited too long for the processor, or for its turn to read the store.',
  },
  draining: {
    status: 503,
    text: 'El servicio se está deteniendo. Reintentar en {seconds} s.',
    when: 'The service is stopping.',
  },
} as const satisfies Record<string, ErrorEntry>;

/** The internal name of an error of the public listener. */
export type ErrorName = keyof typeof errorCatalogue;

/** The names of the placeholders in a text. */
type Placeholder<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

type Values<Name extends ErrorName> = Readonly<
  Record<Placeholder<(typeof errorCatalogue)[Name]['text']>, Value>
>;

/**
 * A list contains the service's own texts (the valid values). Other values may be a client's text.
 */
type Value = string | number | readonly string[];

/** The response for an error of the catalogue. Values that may be a client's text are escaped. */
export function errorResponse<Name extends ErrorName>(
  name: Name,
  ...[values]: Record<string, never> extends Values<Name> ? [] : [Values<Name>]
): ErrorResponse {
  return responseOf(name, values ?? {});
}

/** A problem that has all values of its text. One that lacks a value does not compile. */
type Complete<P extends Problem> = P extends Values<P['type']> ? P : never;

/** The response for a client's mistake in a query. Its status is 400. */
export function problemResponse(problem: Complete<Problem>): ErrorResponse {
  return responseOf(problem.type, problem);
}

function responseOf(name: ErrorName, values: Readonly<Record<string, Value>>): ErrorResponse {
  const { status, text } = errorCatalogue[name];
  const error = text.replaceAll(/\{(\w+)\}/g, (_, placeholder: string) =>
    textOf(values[placeholder]),
  );
  return { status, body: JSON.stringify({ error }) };
}

function textOf(value: Value | undefined): string {
  return typeof value === 'object' ? value.join(', ') : echo(String(value));
}

/** Maximum number of characters of a client's own text that an error text repeats. */
export const echoedCharactersMax = 80;

/**
 * Makes a client's text safe to repeat in an error text. Long texts are truncated. Control, format
 * and bidirectional characters are escaped, so that no terminal or log viewer interprets them.
 */
function echo(text: string): string {
  const characters = Array.from(text);
  const shown = characters.slice(0, echoedCharactersMax).join('');
  const safe = shown.replaceAll(/[\p{C}\u2028\u2029]/gu, escapeCharacter);
  return characters.length > echoedCharactersMax ? `${safe}…` : safe;
}

function escapeCharacter(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`;
}
