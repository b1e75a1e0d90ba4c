import { openapiJson } from '../../src/contract/paths/texts.ts';
import type { PlainDate } from '../../src/domain/calendar/plain-date.ts';
import { healthJson, type Health } from '../../src/wire/bodies/health-body.ts';
import { only, type Section } from './path.ts';
import { headerRefs } from './responses.ts';
import { choices, constant, date, instant, integer, list, object, ref, text } from './schema.ts';

const health: Health = {
  instance: '9Vn2kFqXw0aB',
  now: Date.parse('2026-11-20T19:59:59Z'),
  isSimulated: false,
  markets: [
    {
      code: 'BYMA',
      name: 'Bolsas y Mercados Argentinos',
      state: 'open',
      sessionDate: '2026-11-20' as PlainDate,
      changesAt: Date.parse('2026-11-20T20:00:00Z'),
    },
  ],
};

export const serviceSection: Section = {
  tag: 'Servicio',
  description: 'Descripción y estado del servicio. No requieren clave.',
  paths: [
    {
      of: openapiJson,
      operationId: 'getOpenapi',
      kind: 'open',
      summary: 'Descripción del servicio',
      description: 'Devuelve este documento, en OpenAPI 3.1.0. No requiere clave.',
      ok: 'Descripción del servicio.',
      schema: {
        type: 'object',
        required: ['openapi', 'info', 'paths'],
        properties: {
          openapi: { type: 'string', const: '3.1.0' },
          info: { type: 'object' },
          paths: { type: 'object' },
        },
      },
    },
    {
      of: { path: '/healthz', clause: '4.4', inputs: {}, tables: {} },
      kind: 'untagged',
      summary: 'Control de estado',
      description: [
        'Responde mientras el proceso está activo, con el estado de cada mercado. No requiere clave.',
        'En un servicio de varios nodos, la respuesta es 503 con `estado` `atrasado` si el nodo no pudo leer la base de datos durante diez segundos y otro nodo sí: un balanceador debe enviar los pedidos a los otros nodos.',
      ],
      ok: 'El proceso está activo.',
      schema: ref('Estado'),
      samples: only(JSON.parse(healthJson(health))),
      responses: {
        503: {
          description:
            'El nodo está atrasado respecto de los otros, o el servicio se está deteniendo o está saturado.',
          ...headerRefs(['Retry-After']),
          content: {
            'application/json': {
              schema: { anyOf: [ref('Estado'), ref('Error')] },
              example: JSON.parse(healthJson({ ...health, isBehind: true, dataAgeMs: 14_210 })),
            },
          },
        },
      },
    },
  ],
  schemas: {
    Error: object(
      'Motivo por el que no se pudo responder el pedido. Solo bajo `/udf` tiene también `s` y `errmsg`.',
      {
        error: text('Texto para personas.', { minLength: 1 }),
        's?': {
          type: 'string',
          ...constant('error', 'Que la respuesta es un error, para la biblioteca de gráficos.'),
        },
        'errmsg?': text('El mismo texto que `error`.', { minLength: 1 }),
      },
      { dependentRequired: { s: ['errmsg'], errmsg: ['s'] } },
    ),
    Estado: object('Estado del proceso y de los mercados.', {
      estado: choices(
        ['ok', 'atrasado'],
        '`atrasado`, con el código 503, si este nodo no puede leer la base de datos y otro nodo sí.',
      ),
      instancia: text(
        'Identificador del servicio en ejecución. Es un valor aleatorio, distinto en cada inicio e igual en todos sus procesos.',
        { minLength: 1 },
      ),
      datos: choices(
        ['reales', 'simulados'],
        'Indica si los precios son reales o de una demostración. En una demostración, todas las respuestas llevan además el encabezado `Data-Source: simulated`, y todos los mercados están abiertos todos los días, de 00:00 a 24:00 de Buenos Aires.',
      ),
      ahora: text(
        'Hora del servicio. Durante la reproducción de una grabación, hora de la grabación.',
        instant,
      ),
      'edadMs?': integer(
        'Milisegundos desde la última confirmación de las cotizaciones por la base de datos. Solo en un servicio de varios nodos. Crece mientras la base de datos no responde.',
        { minimum: 0 },
      ),
      'sinFuentes?': choices(
        [
          'nombre',
          'conexion',
          'demora',
          'certificado',
          'rechazo',
          'limite',
          'pedido',
          'servidor',
          'formato',
          'programa',
        ],
        'Presente si ninguna de las fuentes de precios configuradas responde. Es el motivo más frecuente: no se encuentra su nombre en la red, no hay conexión, no responden a tiempo, su certificado no es válido, rechazan el acceso, limitan los pedidos, no aceptan el pedido, tienen una falla propia, su formato no es el conocido, o hay un defecto del programa. Solo lo indica el nodo que lee las fuentes.',
      ),
      'fuentesAtrasadas?': list(
        'Las fuentes configuradas que no envían datos desde hace más tiempo que su límite mientras uno de sus mercados está abierto, también las que envían sus precios por sí mismas. Ausente si no hay ninguna. `/especies.json` indica sus instrumentos con `atrasada`. Solo lo indica el nodo que lee las fuentes.',
        ref('FuenteAtrasada'),
        { minItems: 1 },
      ),
      mercados: list(undefined, ref('Mercado')),
    }),
    FuenteAtrasada: object(
      'Una fuente que no envía datos mientras uno de sus mercados está abierto.',
      {
        fuente: text('Nombre de la fuente, como en `/especies.json`.', { minLength: 1 }),
        mercados: list('Códigos de sus mercados que están abiertos.', text(), { minItems: 1 }),
        desde: {
          type: ['string', 'null'],
          ...instant,
          description: 'Instante de su último precio. Null si no dio ninguno.',
        },
      },
    ),
    Mercado: object('Estado de la rueda de un mercado.', {
      codigo: text(undefined, { minLength: 1 }),
      nombre: text(),
      estado: { type: 'string', enum: ['abierto', 'cerrado'] },
      rueda: text(
        'Fecha de la rueda en curso o, con el mercado cerrado, de la última rueda.',
        date,
      ),
      cambia: text(
        'Instante del cierre o, con el mercado cerrado, de la próxima apertura.',
        instant,
      ),
    }),
  },
};
