import { cotizaciones, cotizacionesStream } from '../../src/contract/paths/cotizaciones.ts';
import { ranking } from '../../src/contract/paths/ranking.ts';
import { quoteEvent, retryField } from '../../src/contract/rows/quote-event.ts';
import { quoteTable } from '../../src/contract/rows/quote.ts';
import { choiceNames } from '../../src/contract/paths/choice-names.ts';
import { extraNames } from '../../src/wire/texts/quote-names.ts';
import { only, type Section } from './path.ts';
import { al30Quote, ggalQuote, mepQuote } from './samples.ts';
import { choices, object, ref, text } from './schema.ts';

const quotes = quoteTable();
const campos = {
  puntas: ['Puntas', ['compra', 'venta']],
  todos: ['Todos los campos', Object.values(extraNames)],
} as const;

export const quotesSection: Section = {
  tag: 'Cotizaciones',
  description: 'Última cotización de cada instrumento.',
  rows: { Cotizacion: 'Última cotización de un instrumento.' },
  paths: [
    {
      of: cotizaciones,
      summary: 'Últimas cotizaciones',
      description: [
        'Devuelve la última cotización de los instrumentos seleccionados por especie, por panel o por ambos. Es obligatorio al menos uno de los dos parámetros. Si se envían los dos, la respuesta es la unión: primero las especies, en el orden del pedido, y después los integrantes del panel, en el orden del panel. Cada instrumento figura una sola vez.',
        'La lista no incluye las especies desconocidas ni las que todavía no tienen cotización. El encabezado `Missing-Especies` las nombra. Las demás especies se responden normalmente. Si no hay ninguna, la lista está vacía y el estado es 200.',
        'Al terminar una rueda, la cotización se mantiene sin cambios, con su propia fecha, hasta la primera cotización de la rueda siguiente.',
        'Con `campos` se agregan a cada cotización las puntas de compra y de venta con sus cantidades, el monto y la cantidad de operaciones de la rueda, la fuente, y el instante de `hora`. Un campo que no se conoce está ausente.',
        '**Otra moneda.** Con `moneda`, los precios se dividen o se multiplican por la última cotización de un dólar, si es de la misma rueda, y los cierres anteriores por el cierre del dólar de su día, como en `/historicos`. Las cotizaciones sin ese dólar, y las de instrumentos que no cotizan en pesos ni en dólares, se omiten, y `Missing-Cambios` las cuenta. El volumen y el monto no cambian.',
      ],
      examples: {
        especie: {
          una: ['Una especie', ['GGAL']],
          varias: ['Varias especies', ['GGAL', 'AL30', 'DOLAR MEP']],
        },
        panel: { lider: ['Panel líder', 'LID'] },
        campos,
        moneda: 'USD',
        dolar: 'mep',
      },
      ok: 'Lista de cotizaciones. Puede estar vacía.',
      headers: ['Missing-Especies', 'Suggested-Especies', 'Cambio', 'Missing-Cambios'],
      samples: {
        varias: [
          'Una acción, un bono y un tipo de cambio',
          quotes.plain.of([ggalQuote, al30Quote, mepQuote]),
        ],
        puntas: [
          'Un bono con sus puntas, monto, operaciones y fuente',
          quotes
            .with(['bid', 'ask', 'bidSize', 'askSize', 'amount', 'trades', 'source'])
            .of([al30Quote]),
        ],
        vacia: ['Lista vacía', quotes.plain.of([])],
      },
      invalid: 'Falta la selección, el panel o un campo no existe, o un parámetro no es válido.',
      errors: {
        sinSeleccion: ['Sin especie ni panel', ''],
        panelDesconocido: ['Panel inexistente', 'panel=GLOBAL'],
        campoDesconocido: ['Campo inexistente', 'panel=LID&campos=bid'],
        formatoDesconocido: ['Formato inexistente', 'formato=xml'],
      },
    },
    {
      of: ranking,
      summary: 'Las mayores y menores variaciones de un panel',
      description:
        'Devuelve las primeras cotizaciones de un panel, ordenadas por uno de sus valores. No incluye las que no tienen el valor, ni las que no son de la rueda de su mercado (`rueda` de `/mercados`). Por `variacion` no incluye los instrumentos cuya variación es en puntos. Las iguales quedan en el orden del panel.',
      examples: { panel: 'LID', por: 'variacion', orden: 'desc', limite: 10, campos },
      ok: 'Las primeras cotizaciones. La lista puede estar vacía.',
      samples: only(quotes.plain.of([ggalQuote])),
      more: { maxItems: 50 },
      invalid: 'Falta el panel, o un valor no es válido.',
      errors: {
        sinPanel: ['Sin panel', ''],
        limite: ['Límite no válido', 'panel=LID&limite=51'],
      },
    },
    {
      of: cotizacionesStream,
      operationId: 'streamCotizaciones',
      kind: 'stream',
      summary: 'Cotizaciones en tiempo real',
      description: [
        'Transmite las cotizaciones de una selección como eventos enviados por el servidor (*server-sent events*): primero las actuales y después cada cambio, hasta que el cliente se desconecta. Los parámetros, la clave y el encabezado `Missing-Especies` son los de `/cotizaciones`. Una especie sin cotización se transmite a partir de su primera cotización.',
        'Solo se transmiten los cambios que el cliente puede ver: sin `campos`, un cambio de las puntas no produce ningún evento.',
        'Cada evento `cotizacion` contiene una cotización completa, nunca una diferencia. `data` es un objeto `Cotizacion` en una línea, e `id` es la versión de la cotización. Las versiones de una transmisión son crecientes. Un cliente que se reconecta y envía el último `id` recibido en el encabezado `Last-Event-ID` recibe solo lo posterior. Un valor que no corresponde a este servicio se ignora.',
        'Con `barras`, transmite además las barras de ese intervalo como eventos `barra`, cuyo `data` es un objeto `Barra` en una línea, sin `id`: primero las que están en curso y después cada cambio. Una barra con la misma especie, fecha y hora reemplaza a la anterior. El último estado de cada barra se transmite siempre, salvo que un cliente lento tenga pendientes más de 60 barras de un instrumento. Al reconectarse se transmiten otra vez las barras en curso; las que terminaron mientras tanto están en `/intradiarios`.',
        'A un cliente lento se le envía, de cada instrumento, solo la última cotización: saltea estados intermedios y no demora a los demás clientes. Si no hay cambios, un comentario cada {streamHeartbeatMs}, o cada `latido` si es menos, mantiene abierta la conexión.',
        'El servicio termina una transmisión con un evento `cierre`, cuyo `data` es un objeto `CierreDeTransmision`, y un `retry` con la espera antes de reconectarse. Termina una transmisión cuando la clave deja de ser válida (en menos de 2 s), cuando el cliente no lee durante {streamStallMs}, cuando cambian los instrumentos de la selección, o cuando el servicio se detiene.',
        'Cada clave admite como máximo {streamsPerKeyMax} transmisiones simultáneas (429).',
      ],
      examples: {
        especie: ['GGAL', 'AL30', 'DOLAR MEP'],
        panel: 'LID',
        campos: ['compra', 'venta'],
        barras: '5m',
        latido: '2s',
      },
      requestHeader: {
        name: 'Last-Event-ID',
        in: 'header',
        required: false,
        description:
          'Último `id` recibido, con los mismos parámetros que antes. Un cliente basado en `fetch` debe enviarlo al reconectarse: el `EventSource` de los navegadores, que lo envía por sí mismo, no puede enviar la clave.',
        schema: { type: 'string' },
        example: '48213',
      },
      ok: 'Transmisión de eventos. Permanece abierta.',
      headers: ['Missing-Especies', 'Suggested-Especies'],
      type: 'text/event-stream',
      schema: {
        type: 'string',
        $defs: {
          cotizacion: ref('Cotizacion'),
          barra: ref('Barra'),
          cierre: ref('CierreDeTransmision'),
        },
      },
      samples: only(retryField(2_000) + quoteEvent({ ...ggalQuote, version: 48_213 })),
      invalid: 'Falta la selección, el panel o un campo no existe, o un parámetro no es válido.',
      errors: only(''),
    },
  ],
  schemas: {
    Panel: {
      ...choices(choiceNames.Panel, [
        'Grupo predefinido de instrumentos:',
        [
          '| código | grupo |',
          '|---|---|',
          '| LID | acciones del panel líder |',
          '| GEN | acciones del panel general |',
          '| LIDGEN | acciones de los paneles líder y general |',
          '| BONOS | bonos argentinos: soberanos, provinciales y obligaciones negociables |',
          '| BON | alias de BONOS, por compatibilidad con versiones anteriores |',
          '| ETF | ETFs internacionales |',
          '| ADR | certificados de depósito internacionales |',
          '| ADRARG | certificados de depósito de empresas argentinas que cotizan en Estados Unidos |',
          '| VARIAS | acciones internacionales varias |',
          '| CED | todos los CEDEARs |',
          '| IND | índices, tipos de cambio, materias primas y tasas |',
        ].join('\n'),
      ]),
      example: 'LID',
    },
    CampoDeCotizacion: choices(
      Object.values(extraNames),
      'Campo que una cotización tiene solo si se pidió en `campos`.',
    ),
    CriterioDeRanking: choices(
      choiceNames.CriterioDeRanking,
      'Valor por el que se ordenan las cotizaciones de un panel.',
    ),
    OrdenDeRanking: choices(choiceNames.OrdenDeRanking, 'De mayor a menor, o de menor a mayor.'),
    Latido: choices(
      ['2s', '5s', '10s'],
      'Tiempo máximo sin datos de una transmisión, en segundos.',
    ),
    CierreDeTransmision: object('Motivo por el que el servicio termina una transmisión.', {
      motivo: text(undefined, { enum: ['clave', 'lentitud', 'seleccion', 'detencion'] }),
      detalle: text(),
    }),
  },
};
