import type { AnyOperation } from '../../src/contract/operation.ts';
import { history } from '../../src/contract/paths/udf/history.ts';
import { marksJson, timescaleMarks } from '../../src/contract/paths/udf/marks.ts';
import { quotes, quotesJson, type RequestedSymbol } from '../../src/contract/paths/udf/quotes.ts';
import {
  config,
  configJson,
  foundSymbolsJson,
  search,
  symbols,
  time,
  typeNames,
  unknownSymbolJson,
} from '../../src/contract/paths/udf/symbols.ts';
import type { CorporateAction } from '../../src/domain/history/corporate-action.ts';
import { byma, dayOf, ggal, ggalQuote, mep } from './samples.ts';
import { type OtherPath, type Section } from './path.ts';
import {
  choices,
  constant,
  integer,
  list,
  number,
  object,
  ref,
  text,
  type Schema,
} from './schema.ts';

/** What only the charting library reads: the clients leave it out. */
const chart = { 'x-without-client': true } as const;

function chartPath(
  of: AnyOperation,
  about: Omit<OtherPath, 'of' | 'kind' | 'isWithoutClient'>,
): OtherPath {
  return { of, ...about, kind: 'chart', isWithoutClient: true };
}

function chartObject(
  description: string,
  fields: Readonly<Record<string, Schema>>,
  more: Schema = {},
): Schema {
  return object(description, fields, { ...chart, ...more });
}

const marketCode = text('Código del mercado.');
const currency = text('Moneda. Ausente si la unidad no es una moneda.');
const requested: readonly RequestedSymbol[] = [
  { name: 'BYMA:GGAL', instrument: ggal, quote: ggalQuote },
  { name: 'NOEXISTE', instrument: undefined, quote: undefined },
];
const split: CorporateAction = {
  ticker: ggal.ticker,
  exDay: dayOf('2026-11-19'),
  type: 'split',
  factor: 10,
  source: '',
};
const unknown: unknown = JSON.parse(unknownSymbolJson);

export const chartsSection: Section = {
  tag: 'Gráficos',
  description: 'Protocolo UDF de la biblioteca de gráficos de TradingView.',
  paths: [
    chartPath(config, {
      summary: 'Configuración del gráfico',
      description: [
        'Devuelve lo que el gráfico puede pedir: intervalos, mercados y tipos de instrumentos. Las rutas bajo `/udf` siguen el protocolo UDF, que la biblioteca de gráficos de TradingView habla sin programación propia.',
        'Bajo `/udf`, el cuerpo de todo error lleva además `s` y `errmsg`: el adaptador de la biblioteca no mira el estado y muestra `errmsg`.',
      ],
      ok: 'Configuración.',
      schema: ref('ConfiguracionDeGrafico'),
      samples: {
        byma: ['Un mercado', JSON.parse(configJson([byma]))],
      },
    }),
    chartPath(time, {
      summary: 'Hora del servicio',
      description: 'Devuelve la hora del servicio en segundos desde 1970, como un número entero.',
      ok: 'Segundos desde 1970.',
      schema: { type: 'integer' },
      samples: { ahora: ['Un instante', 1_795_186_800] },
    }),
    chartPath(symbols, {
      summary: 'Un instrumento, para el gráfico',
      description:
        'Devuelve el instrumento con su horario, sus feriados y sus cierres anticipados. Para una especie desconocida la respuesta es 200 con `{"s":"error","errmsg":"unknown_symbol"}`, como la espera el adaptador.',
      examples: { symbol: 'GGAL' },
      ok: 'El instrumento, o que no existe.',
      schema: { oneOf: [ref('SimboloDeGrafico'), ref('SimboloDesconocido')] },
      samples: {
        ggal: [
          'Una acción',
          {
            name: 'GGAL',
            ticker: 'GGAL',
            description: 'Grupo Financiero Galicia S.A.',
            type: 'stock',
            exchange: 'BYMA',
            listed_exchange: 'BYMA',
            timezone: 'America/Argentina/Buenos_Aires',
            session: '1030-1700:23456',
            session_holidays: '20261208,20261225,20270101',
            corrections: '1030-1500:20261224',
            format: 'price',
            minmov: 1,
            pricescale: 10_000,
            has_intraday: true,
            intraday_multipliers: ['1', '5', '15', '60'],
            has_daily: true,
            daily_multipliers: ['1'],
            has_weekly_and_monthly: true,
            weekly_multipliers: ['1'],
            monthly_multipliers: ['1'],
            visible_plots_set: 'ohlcv',
            volume_precision: 0,
            currency_code: 'ARS',
            original_currency_code: 'ARS',
            data_status: 'delayed_streaming',
            delay: 1_200,
          },
        ],
        desconocida: ['Especie desconocida', unknown],
      },
    }),
    chartPath(search, {
      summary: 'Búsqueda, para el gráfico',
      description:
        'Devuelve los instrumentos que contienen el texto, en el orden de la búsqueda de `/especies.json`. Sin texto devuelve los primeros instrumentos. Un texto de más de 100 caracteres no encuentra ninguno.',
      examples: { query: 'DOLAR' },
      ok: 'Los instrumentos. La lista puede estar vacía.',
      schema: list(undefined, ref('SimboloEncontrado')),
      samples: {
        mep: ['Un tipo de cambio', JSON.parse(foundSymbolsJson([mep]))],
      },
    }),
    chartPath(history, {
      summary: 'Barras, para el gráfico',
      description: [
        'Devuelve las barras de un instrumento en columnas: inicio, apertura, máximo, mínimo, cierre y volumen. Las barras diarias son los cierres de `/historicos` ajustados por *splits*, y la rueda de la cotización si es posterior. Las de minutos son las de `/intradiarios`.',
        'Se devuelven las barras que empiezan antes de `to`: las últimas `countback`, o las que empiezan desde `from`, y por lo menos las dos últimas. No hay valores nulos: la apertura desconocida es el cierre, y el máximo y el mínimo desconocidos son los de apertura y cierre. Si ninguna barra los tiene, faltan las tres columnas. Falta `v` si el instrumento no tiene volumen. Los pedidos con más barras que el límite de filas reciben 400.',
      ],
      examples: {
        symbol: 'GGAL',
        resolution: '1D',
        from: 1_760_000_000,
        to: 1_795_186_800,
        countback: 300,
      },
      ok: 'Las barras, o que no hay ninguna.',
      schema: {
        oneOf: [ref('BarrasDeGrafico'), ref('SinBarras'), ref('SimboloDesconocido')],
      },
      samples: {
        dias: [
          'Barras diarias',
          {
            s: 'ok',
            t: [1_794_960_000, 1_795_046_400, 1_795_132_800],
            o: [8_120, 8_210.5, 8_290],
            h: [8_260, 8_330, 8_355],
            l: [8_100, 8_190, 8_270],
            c: [8_215, 8_305, 8_340.5],
            v: [1_204_500, 998_310, 0],
          },
        ],
        cierres: [
          'Solo cierres',
          { s: 'ok', t: [1_795_046_400, 1_795_132_800], c: [1_492.31, 1_497.8] },
        ],
        ninguna: ['Sin barras', { s: 'no_data' }],
      },
    }),
    chartPath(quotes, {
      summary: 'Cotizaciones, para el gráfico',
      description:
        'Devuelve las cotizaciones en el orden del pedido. `n` repite el nombre pedido. Los campos desconocidos están ausentes. Una especie desconocida lleva `s` `error` y no afecta a las demás.',
      examples: { symbols: 'GGAL,DOLAR MEP' },
      ok: 'Las cotizaciones.',
      schema: ref('CotizacionesDeGrafico'),
      samples: {
        dos: ['Una acción y una especie desconocida', JSON.parse(quotesJson(requested))],
      },
    }),
    chartPath(timescaleMarks, {
      summary: 'Eventos, para el gráfico',
      description:
        'Devuelve los eventos corporativos de `/eventos` como marcas en la escala de tiempo, ambos instantes incluidos.',
      examples: { symbol: 'GGAL', from: 1_700_000_000, to: 1_795_186_800 },
      ok: 'Las marcas. La lista puede estar vacía.',
      schema: list(undefined, ref('MarcaDeGrafico')),
      samples: {
        split: ['Un *split*', JSON.parse(marksJson(ggal, [split]))],
      },
    }),
  ],
  schemas: {
    ErrorDeGrafico: {
      description: 'Un error bajo `/udf`. El adaptador reconoce `s` y muestra `errmsg`.',
      ...chart,
      allOf: [ref('Error')],
      type: 'object',
      required: ['error', 's', 'errmsg'],
    },
    ConfiguracionDeGrafico: chartObject('Lo que el gráfico puede pedir.', {
      supports_search: constant(true, 'Hay búsqueda.'),
      supports_group_request: constant(false, 'No hay pedidos de todo un mercado.'),
      supports_marks: constant(false, 'No hay marcas sobre las barras.'),
      supports_timescale_marks: constant(true, 'Hay marcas en la escala de tiempo.'),
      supports_time: constant(true, 'Hay hora del servicio.'),
      supported_resolutions: list('Intervalos que el gráfico puede mostrar.', text()),
      exchanges: list(
        'Los mercados con instrumentos. El primero, con valor vacío, son todos.',
        object(undefined, {
          value: marketCode,
          name: marketCode,
          desc: text('Nombre del mercado.'),
        }),
      ),
      symbols_types: list(
        'Los tipos de instrumentos. El primero, con valor vacío, son todos.',
        object(undefined, {
          value: text('Tipo en la biblioteca.'),
          name: text('Nombre del tipo.'),
        }),
      ),
    }),
    SimboloDeGrafico: chartObject('Un instrumento, como lo conoce la biblioteca de gráficos.', {
      name: text('La especie.'),
      ticker: text('La especie.'),
      description: text('Nombre del instrumento.'),
      type: ref('TipoDeGrafico'),
      exchange: marketCode,
      listed_exchange: marketCode,
      timezone: text('Zona horaria IANA del mercado.'),
      session: text('Horario y días de rueda, en hora del mercado. El domingo es 1.', {
        pattern: '^(24x7|\\d{4}-\\d{4}:[1-7]+)$',
      }),
      'session_holidays?': text('Días sin rueda. Ausente si no hay.', {
        pattern: '^\\d{8}(,\\d{8})*$',
      }),
      'corrections?': text('Horarios de los días con cierre anticipado. Ausente si no hay.', {
        pattern: '^\\d{4}-\\d{4}:\\d{8}(;\\d{4}-\\d{4}:\\d{8})*$',
      }),
      format: constant('price', 'Formato de los valores.'),
      minmov: constant(1, 'Variación mínima, en unidades de `pricescale`.'),
      pricescale: number('10 elevado a la cantidad de decimales.', { minimum: 1 }),
      has_intraday: constant(true, 'Hay barras de minutos.'),
      intraday_multipliers: list('Intervalos de las barras de minutos.', text()),
      has_daily: constant(true, 'Hay barras diarias.'),
      daily_multipliers: list('Intervalos de las barras diarias.', text()),
      has_weekly_and_monthly: constant(true, 'Hay barras semanales y mensuales.'),
      weekly_multipliers: list('Intervalos de las barras semanales.', text()),
      monthly_multipliers: list('Intervalos de las barras mensuales.', text()),
      visible_plots_set: choices(['ohlcv', 'ohlc'], 'Si hay volumen (`ohlcv`) o no (`ohlc`).'),
      'volume_precision?': integer('Decimales del volumen. Ausente si no hay volumen.'),
      'currency_code?': currency,
      'original_currency_code?': currency,
      data_status: choices(['streaming', 'delayed_streaming'], 'Si la fuente tiene demora.'),
      delay: number('Demora de la fuente, en segundos.', { minimum: 0 }),
    }),
    TipoDeGrafico: {
      ...choices(typeNames, 'Tipo de instrumento en la biblioteca de gráficos.'),
      ...chart,
    },
    SimboloDesconocido: chartObject('La especie no existe.', {
      s: constant('error', 'Que la especie no existe.'),
      errmsg: constant('unknown_symbol', 'El texto que la biblioteca conoce.'),
    }),
    SimboloEncontrado: chartObject('Un resultado de la búsqueda.', {
      symbol: text('La especie.'),
      full_name: text('Mercado y especie, separados por dos puntos.'),
      description: text('Nombre del instrumento.'),
      exchange: marketCode,
      ticker: text('La especie.'),
      type: ref('TipoDeGrafico'),
    }),
    BarrasDeGrafico: chartObject(
      'Barras en columnas de igual longitud, en orden ascendente.',
      {
        s: constant('ok', 'Que hay barras.'),
        t: list(
          'Inicio de cada barra, en segundos desde 1970. El de una diaria son las 00:00 UTC de su fecha.',
          { type: 'integer' },
          { minItems: 1 },
        ),
        'o?': list('Aperturas.', { type: 'number' }),
        'h?': list('Máximos.', { type: 'number' }),
        'l?': list('Mínimos.', { type: 'number' }),
        c: list('Cierres.', { type: 'number' }, { minItems: 1 }),
        'v?': list('Volúmenes. Cero si no se conoce.', { type: 'number' }),
      },
      { dependentRequired: { o: ['h', 'l'], h: ['o', 'l'], l: ['o', 'h'] } },
    ),
    SinBarras: chartObject('No hay barras antes del instante pedido.', {
      s: constant('no_data', 'Que no hay barras.'),
    }),
    CotizacionesDeGrafico: chartObject('Cotizaciones en el orden del pedido.', {
      s: constant('ok', 'Que la respuesta no es un error.'),
      d: list(
        'Una entrada por cada especie pedida.',
        object(undefined, {
          s: choices(['ok', 'error'], 'Si la especie existe.'),
          n: text('La especie, como se pidió.'),
          v: object('Los valores que se conocen.', {
            'lp?': number('Último precio.'),
            'ch?': number('Diferencia con el cierre anterior.'),
            'chp?': number('Variación en por ciento. Ausente si la variación es en puntos.'),
            'short_name?': text('La especie.'),
            'exchange?': marketCode,
            'description?': text('Nombre del instrumento.'),
            'open_price?': number('Apertura.'),
            'high_price?': number('Máximo.'),
            'low_price?': number('Mínimo.'),
            'prev_close_price?': number('Cierre anterior.'),
            'volume?': number('Volumen de la rueda.'),
            'bid?': number('Punta de compra.'),
            'ask?': number('Punta de venta.'),
            'spread?': number('Punta de venta menos punta de compra.'),
          }),
        }),
      ),
    }),
    MarcaDeGrafico: chartObject('Un evento corporativo en la escala de tiempo.', {
      id: text('Especie, fecha y tipo del evento.'),
      time: integer('00:00 UTC de la fecha, en segundos desde 1970.'),
      color: choices(['blue', 'green', 'yellow'], 'Color de la marca.'),
      label: choices(
        ['S', 'A', 'D', 'R', 'P', 'E', 'T'],
        'Split, dividendo en acciones, dividendo, cambio de ratio, derechos de suscripción, escisión o cambio de ticker.',
      ),
      tooltip: list('Texto de la marca.', text()),
    }),
  },
};
