import { errorResponse, type ErrorResponse } from '../../src/wire/texts/error-texts.ts';
import { udfError } from '../../src/contract/paths/udf/parts.ts';
import { instant, ref, type Schema } from './schema.ts';

/** Values, each with its name and a summary; or one without. */
export type Samples<T> = Readonly<Record<string, readonly [summary: string, value: T]>>;

/** The samples of a media type, as the document has them. One that needs no name has an empty one. */
export function examplesOf(samples: Samples<unknown>): Schema {
  const [first] = Object.entries(samples);
  if (first?.[0] === '') return { example: first[1][1] };
  const named = Object.entries(samples).map(([name, [summary, value]]) => [
    name,
    { summary, value },
  ]);
  return { examples: Object.fromEntries(named) };
}

const list = { type: 'string', pattern: '^[\\x21-\\x7e]+$' };

interface Header {
  readonly about: string;
  readonly isRequired?: true;
  readonly schema: Schema;
  readonly example?: string;
}

/** The headers of responses. */
const headers = {
  'Missing-Especies': {
    about:
      'Especies del pedido que no están en la respuesta: las desconocidas, como se escribieron, y las que no tienen cotización. Van codificadas con «%» y separadas por comas. Se nombran como máximo 50. La última entrada `…+N`, codificada como `%E2%80%A6+N`, indica cuántas más faltan.',
    schema: list,
    example: 'NOEXISTE,OTRA%20MAS',
  },
  'Suggested-Especies': {
    about:
      'Especies que se parecen a las desconocidas del pedido, por si una se escribió mal. Van codificadas como las de `Missing-Especies`. Se buscan para las primeras cinco. Ausente si ninguna se parece.',
    schema: list,
    example: 'GGAL',
  },
  'Missing-Terminos': {
    about:
      'Especies del pedido que no tienen condiciones de emisión cargadas. Van codificadas como las de `Missing-Especies`.',
    schema: list,
    example: 'PAP0,D30N6',
  },
  'Missing-Indices': {
    about:
      'Índices y días cuyos valores faltan. Van codificados como las especies de `Missing-Especies`.',
    schema: list,
    example: 'CER%202026-11-06',
  },
  'Missing-Dividendos': {
    about:
      'Fechas ex de los dividendos en efectivo posteriores a `desde` que el ajuste `total` no incluye: los que se pagan en una moneda distinta de la del instrumento, y los que no son menores que el cierre anterior; de los bonos, las de los pagos cuyo importe no se conoce o no se puede convertir. Van separadas por comas. Con `forma`, la especie y dos puntos preceden a cada fecha: `YPFD:2026-05-11`. Se nombran como máximo 50. La última entrada `…+N`, codificada como `%E2%80%A6+N`, indica cuántas más faltan. Ausente si el ajuste es completo.',
    schema: {
      type: 'string',
      pattern:
        '^([^\\s,:]+:)?\\d{4}-\\d{2}-\\d{2}(,([^\\s,:]+:)?\\d{4}-\\d{2}-\\d{2})*(,%E2%80%A6\\+\\d+)?$',
    },
    example: '2026-05-11,2026-08-10',
  },
  Cambio: {
    about: 'Dólar con el que se convirtieron los precios. Ausente en los pedidos sin `moneda`.',
    schema: { type: 'string' },
    example: 'mep',
  },
  'Missing-Cambios': {
    about:
      'Cantidad de filas que se omitieron por falta del dólar que las convierte (en `/historicos`, un cierre de ese día o de los siete anteriores; en `/cotizaciones`, una cotización de la misma rueda), o porque el instrumento no cotiza en pesos ni en dólares. Ausente si es cero.',
    schema: { type: 'string', pattern: '^[1-9]\\d*$' },
    example: '3',
  },
  'Conocido-Desde': {
    about:
      'Instante, en UTC, desde el cual se guardan los cambios de la especie. Con `forma`, el más tardío de los de las especies pedidas. En todas las respuestas a pedidos con `conocido`: si el instante pedido es anterior, la lista está vacía. Ausente en los demás pedidos.',
    schema: {
      type: 'string',
      ...instant,
      pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
    },
    example: '2026-11-02T14:31:07.512Z',
  },
  ETag: {
    about: 'Identificador de estos bytes, para `If-None-Match`.',
    isRequired: true,
    schema: { type: 'string', pattern: '^"[A-Za-z0-9_-]{22}(-(br|zstd|gzip))?"$' },
    example: '"m8v3yq0Zk1Jx5c2LwT9dAg-gzip"',
  },
  Vary: {
    about: 'Encabezados del pedido de los que depende la respuesta.',
    isRequired: true,
    schema: { type: 'string' },
    example: 'Accept, Accept-Encoding',
  },
  'Content-Encoding': {
    about: 'Codificación del cuerpo. Ausente si el cuerpo no está comprimido.',
    schema: { type: 'string', enum: ['br', 'zstd', 'gzip'] },
  },
  'Last-Modified': {
    about: 'Instante desde el cual la serie no cambió. Ausente durante el primer segundo.',
    schema: { type: 'string' },
    example: 'Fri, 20 Nov 2026 20:15:01 GMT',
  },
  'WWW-Authenticate': {
    about: 'Esquema de autenticación requerido (RFC 6750).',
    isRequired: true,
    schema: { type: 'string', pattern: '^Bearer( |$)' },
    example: 'Bearer realm="pizarra"',
  },
  Allow: {
    about: 'Métodos admitidos en la ruta.',
    isRequired: true,
    schema: { type: 'string' },
    example: 'GET, HEAD',
  },
  'RateLimit-Policy': {
    about:
      'Cantidad de pedidos admitida: `q` pedidos cada `w` segundos (draft-ietf-httpapi-ratelimit-headers-11). Un cliente que nunca envía más de `q` pedidos en `w` segundos nunca es rechazado. El nombre es el del plan de la clave, `key` si el límite es propio de la clave, o `failures` para los pedidos sin una clave válida, que se cuentan por dirección de red. Ausente si la clave no tiene límite.',
    schema: { type: 'string', pattern: '^"[a-z][a-z0-9_-]*";q=[1-9]\\d*;w=[1-9]\\d*$' },
    example: '"free";q=20;w=20',
  },
  RateLimit: {
    about:
      'Pedidos disponibles en este momento (`r`) y segundos hasta que vuelve a estar disponible la cantidad completa (`t`). Ausente si la clave no tiene límite.',
    schema: { type: 'string', pattern: '^"[a-z][a-z0-9_-]*";r=\\d+;t=\\d+$' },
    example: '"free";r=12;t=8',
  },
  'Retry-After': {
    about: 'Segundos de espera antes de reintentar.',
    isRequired: true,
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '5',
  },
} as const satisfies Readonly<Record<string, Header>>;

export type HeaderName = keyof typeof headers;

/** The headers of every response but those to requests whose key was not read. */
export const limitHeaders = ['RateLimit-Policy', 'RateLimit'] as const;

const componentName = (header: string): string => header.replaceAll('-', '');

export function headerRefs(names: readonly HeaderName[]): Schema {
  const refs = names.map((name) => [name, ref(componentName(name), 'headers')]);
  return { headers: Object.fromEntries(refs) };
}

/** The body of an error, with its samples. Below `/udf` it has two more fields. */
export function errorContent(samples: Samples<ErrorResponse>, isChart = false): Schema {
  const values = Object.entries(samples).map(([name, [summary, response]]) => {
    const { body } = isChart ? udfError(response) : response;
    return [name, [summary, JSON.parse(body)]] as const;
  });
  const schema = ref(isChart ? 'ErrorDeGrafico' : 'Error');
  return {
    content: {
      'application/json': { schema, ...examplesOf(Object.fromEntries(values)) },
    },
  };
}

const oneSample = (error: ErrorResponse): Samples<ErrorResponse> => ({ '': ['', error] });

interface SharedError {
  readonly about: string;
  /** The headers beside those of limits. Undefined: the response has none, because no key was read. */
  readonly headers?: readonly HeaderName[] | undefined;
  readonly samples: Samples<ErrorResponse>;
  readonly isChart?: boolean;
}

/** A limit of the configuration, as the document names it. Its unit comes with its value. */
const lineBytes = '{requestLineBytesMax}';
const lineTooLong = errorResponse('target-too-long', { max: lineBytes });
const missingKey = errorResponse('key-missing');
const otherMethod = errorResponse('method-not-allowed', { method: 'POST', valid: ['GET', 'HEAD'] });

/** The errors that many paths share. */
const shared = {
  BadMessage: {
    about: 'El pedido no es un mensaje HTTP válido o tiene un cuerpo.',
    samples: oneSample(errorResponse('body-unexpected')),
  },
  Unauthorized: {
    about: 'Falta el encabezado `Authorization` o la clave no es válida.',
    headers: ['WWW-Authenticate'],
    samples: {
      falta: ['Sin clave', missingKey],
      invalida: ['Clave no válida', errorResponse('key-invalid')],
    },
  },
  PlainHttp: {
    about: 'El pedido llegó sin cifrar.',
    headers: [],
    samples: oneSample(errorResponse('plain-http')),
  },
  MethodNotAllowed: {
    about: 'El método no se admite. Solo se admiten GET y HEAD.',
    headers: ['Allow'],
    samples: oneSample(otherMethod),
  },
  NotAcceptable: {
    about: 'El encabezado `Accept-Encoding` excluye todas las codificaciones, incluso `identity`.',
    headers: [],
    samples: oneSample(errorResponse('coding-unacceptable')),
  },
  RequestTimeout: {
    about: 'El pedido no llegó completo dentro del tiempo admitido.',
    samples: oneSample(errorResponse('request-too-slow')),
  },
  UriTooLong: {
    about: `La línea del pedido supera ${lineBytes}.`,
    headers: [],
    samples: oneSample({
      ...lineTooLong,
      body: lineTooLong.body.replace(`${lineBytes} bytes`, lineBytes),
    }),
  },
  TooManyRequests: {
    about: 'Se superó la cantidad de pedidos admitida.',
    headers: ['Retry-After'],
    samples: oneSample(errorResponse('rate-exceeded', { seconds: 12 })),
  },
  TooManyStreams: {
    about: 'Se superó la cantidad de pedidos o de transmisiones de la clave.',
    headers: ['Retry-After'],
    samples: oneSample(
      errorResponse('streams-per-key', { max: '{streamsPerKeyMax}', seconds: 10 }),
    ),
  },
  NoRoomForStreams: {
    about: 'El servicio se está deteniendo o no admite más transmisiones.',
    headers: ['Retry-After'],
    samples: oneSample(errorResponse('streams-full', { seconds: 10 })),
  },
  HeadersTooLarge: {
    about: 'La línea del pedido y los encabezados superan juntos {requestHeadBytesMax}.',
    samples: oneSample(errorResponse('headers-too-large')),
  },
  InternalServerError: {
    about: 'Falla interna. El texto no contiene detalles.',
    headers: [],
    samples: oneSample(errorResponse('failure')),
  },
  ServiceUnavailable: {
    about: 'El servicio se está deteniendo o está sobrecargado.',
    headers: ['Retry-After'],
    samples: oneSample(errorResponse('draining', { seconds: 5 })),
  },
  ChartError: {
    about: 'Un error bajo `/udf`, en la forma que muestra el adaptador.',
    headers: [],
    samples: oneSample(
      errorResponse('value-unknown', {
        parameter: 'resolution',
        value: '7',
        valid: ['1', '5', '15', '60', 'D', '1D'],
      }),
    ),
    isChart: true,
  },
  ChartUnauthorized: {
    about: 'Bajo `/udf`, falta el encabezado `Authorization` o la clave no es válida.',
    headers: ['WWW-Authenticate'],
    samples: oneSample(missingKey),
    isChart: true,
  },
  ChartMethodNotAllowed: {
    about: 'Bajo `/udf`, el método no se admite. Solo se admiten GET y HEAD.',
    headers: ['Allow'],
    samples: oneSample(otherMethod),
    isChart: true,
  },
  ChartRetryLater: {
    about:
      'Bajo `/udf`, se superó la cantidad de pedidos, o el servicio no puede responder por ahora.',
    headers: ['Retry-After'],
    samples: oneSample(errorResponse('rate-exceeded', { seconds: 12 })),
    isChart: true,
  },
  ChartRequestTooLong: {
    about:
      'Bajo `/udf`, el pedido es demasiado largo. Si no se pudo leer su ruta, el cuerpo es el de los demás errores.',
    headers: [],
    samples: oneSample(errorResponse('headers-too-large')),
  },
} as const satisfies Readonly<Record<string, SharedError>>;

type ErrorNames = Readonly<Record<number, keyof typeof shared>>;

const ofEvery = {
  403: 'PlainHttp',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  408: 'RequestTimeout',
  414: 'UriTooLong',
  429: 'TooManyRequests',
  431: 'HeadersTooLarge',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
} as const satisfies ErrorNames;

const { 406: _, ...unnegotiated } = ofEvery;

/** The errors by the kind of the path. A path that needs a key has a 400 of its own. */
export const errorsOf = {
  keyed: { 401: 'Unauthorized', ...ofEvery },
  open: { 400: 'BadMessage', ...ofEvery },
  untagged: { 400: 'BadMessage', ...unnegotiated },
  stream: { 401: 'Unauthorized', ...unnegotiated, 429: 'TooManyStreams', 503: 'NoRoomForStreams' },
  chart: {
    400: 'ChartError',
    401: 'ChartUnauthorized',
    403: 'ChartError',
    405: 'ChartMethodNotAllowed',
    406: 'ChartError',
    408: 'RequestTimeout',
    414: 'ChartRequestTooLong',
    429: 'ChartRetryLater',
    431: 'ChartRequestTooLong',
    500: 'ChartError',
    503: 'ChartRetryLater',
  },
} as const satisfies Readonly<Record<string, ErrorNames>>;

/** What a path says of a 400 if it has no parameters that could be wrong. */
export const badMessage = shared.BadMessage;

/** The headers of the document by their names. */
export function headerComponents(): Schema {
  const entries = Object.entries(headers as Readonly<Record<string, Header>>);
  return Object.fromEntries(
    entries.map(([name, { about, isRequired = false, schema, example }]) => [
      componentName(name),
      {
        description: about,
        required: isRequired,
        schema,
        ...(example === undefined ? {} : { example }),
      },
    ]),
  );
}

/** The shared errors of the document by their names. */
export function responseComponents(): Schema {
  const entries = Object.entries(shared as Readonly<Record<string, SharedError>>);
  return Object.fromEntries(
    entries.map(([name, { about, headers: own, samples, isChart = false }]) => [
      name,
      {
        description: about,
        ...(own === undefined ? {} : headerRefs([...limitHeaders, ...own])),
        ...errorContent(samples, isChart),
      },
    ]),
  );
}
