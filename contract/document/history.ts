import { cambios, changeTable, indexChangeTable } from '../../src/contract/paths/cambios.ts';
import { eventos, eventTable } from '../../src/contract/paths/eventos.ts';
import {
  adjustments,
  cells,
  historicos,
  historyRows,
  historyTable,
  wideRowOf,
  wideTable,
  type HistoryField,
  type ShownSeries,
} from '../../src/contract/paths/historicos.ts';
import { intradiarios } from '../../src/contract/paths/intradiarios.ts';
import { recorridos } from '../../src/contract/paths/recorridos.ts';
import { choiceNames } from '../../src/contract/paths/choice-names.ts';
import { barTable, type BarState } from '../../src/contract/rows/bar.ts';
import { msPerMinute } from '../../src/domain/quotes/minute-bar.ts';
import { indexList, indexValues, indices } from '../../src/contract/paths/indices.ts';
import type { TableRows } from '../../src/contract/table.ts';
import type { Instrument } from '../../src/domain/instruments/instrument.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { indexNames } from '../../src/domain/indices/index-name.ts';
import { errorResponse } from '../../src/wire/texts/error-texts.ts';
import { only, type Section } from './path.ts';
import { dayOf, ggal, instrument, today, todayAt } from './samples.ts';
import { choices, date, integer, list, object, text } from './schema.ts';

/** Closes of an instrument: the date, the close, the volume, and the open, high and low. */
function closes(
  name: string,
  rows: readonly (readonly [
    date: string,
    close: number,
    volume: number | null,
    ...range: number[],
  ])[],
): { readonly instrument: Instrument; readonly series: ShownSeries } {
  const column = (at: number): Float64Array =>
    Float64Array.from(rows, (row) => (row[at] as number | null | undefined) ?? Number.NaN);
  const days = Int32Array.from(rows, ([on]) => dayOf(on));
  const [closeOf, volumes, opens, highs, lows] = [1, 2, 3, 4, 5].map(column) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  return {
    instrument: instrument(name),
    series: { days, closes: closeOf, volumes, opens, highs, lows },
  };
}

const al30Closes = closes('AL30', [
  ['2026-11-18', 91_020.5, 87_120_450],
  ['2026-11-19', 91_480, 90_311_200],
]);
const mepCloses = closes('DOLAR MEP', [
  ['2026-11-18', 1_412.3, null],
  ['2026-11-19', 1_415.1, null],
]);

/** On the second day the first instrument has no close. */
const wideRow = wideRowOf(
  [closes('AL30', [['2026-11-18', 91_020.5, 87_120_450]]), mepCloses],
  'closes',
);

function rowsOf(
  { instrument: of, series }: ReturnType<typeof closes>,
  fields: readonly HistoryField[] = [],
): TableRows {
  return historyTable()
    .with(fields)
    .of([...historyRows(of, series)]);
}

function barAt(
  time: string,
  [open, high, low, last]: readonly [number, number, number, number],
  volume: number,
): BarState {
  const minute = Math.floor(todayAt(time) / msPerMinute);
  return { instrument: ggal, bar: { day: dayOf(today), minute, open, high, low, last, volume } };
}

const range = { desde: '2026-11-02', hasta: '2026-11-20' };
const aSeries = `especie=AL30&${new URLSearchParams(range).toString()}`;

export const historySection: Section = {
  tag: 'Históricos',
  description: 'Series de precios de cierre y eventos corporativos.',
  rows: {
    PrecioHistorico: 'Precio de cierre de una rueda.',
    FilaAncha:
      'Fila de una tabla ancha: la fecha y un valor por especie, en el orden del pedido. El nombre de cada valor es la especie. Es `null` si la especie no tiene ese valor en esa fecha.',
    Evento: 'Evento corporativo. `tipo` indica los demás campos.',
    CambioDeUnidades:
      'Evento que cambia la cantidad de unidades. `split`: división o agrupación. `dividendo-acciones`: dividendo en acciones. `ratio`: cambio de ratio de un CEDEAR.',
    CambioDeValor:
      'Evento que cambia el valor de una unidad y no su cantidad. `suscripcion`: derechos de suscripción. `escision`: escisión de otra empresa. El factor es el último precio anterior dividido por el teórico posterior.',
    DividendoEnEfectivo: 'Dividendo en efectivo.',
    CambioDeTicker: 'Cambio de especie.',
    Cambio: 'Cambio de un valor guardado de un instrumento.',
    CambioDeIndice: 'Cambio de un valor guardado de un índice.',
    Indice: 'Índice con su primer y su último día.',
    ValorDeIndice: 'Valor de un índice en un día, que puede estar por venir.',
    Barra:
      'Precios de un instrumento durante un intervalo. La barra figura solo si hubo un precio.',
  },
  paths: [
    {
      of: historicos,
      summary: 'Serie histórica de precios de cierre',
      description: [
        'Devuelve los precios de cierre de un instrumento entre dos fechas, ambas incluidas, en orden ascendente de fecha. Los precios son los operados cada día, sin ajustes por dividendos ni por divisiones (*splits*), salvo que el pedido incluya `ajuste`. No hay un rango máximo: la serie completa se devuelve en una respuesta.',
        'Una rueda se incorpora a la serie cuando termina, nunca mientras está abierta. Para una especie desconocida o un rango sin datos, la respuesta es 200 con una lista vacía. El encabezado `Missing-Especies` nombra la especie desconocida.',
        '**Ajuste.** Con `ajuste=splits`, los precios anteriores a la fecha ex de un *split*, un dividendo en acciones, un cambio de ratio, un derecho de suscripción o una escisión se dividen por su factor, y los volúmenes de los tres primeros se multiplican por él: antes de un *split* de 10 por 1, un cierre de 83.050 se muestra como 8.305, y un volumen de 1.000 como 10.000. Con `ajuste=total`, los precios anteriores a la fecha ex de un dividendo en efectivo se multiplican además por 1 − dividendo ÷ cierre anterior, y los de un bono, también por cada cupón y amortización, convertidos con el MEP si el bono cotiza en otra moneda. Los valores ajustados tienen como máximo 8 decimales. La base es la de la rueda de la última cotización de la especie o, si es posterior, la del último cierre: un evento con fecha ex posterior todavía no ajusta. `/eventos` devuelve los eventos.',
        '**Varias especies.** Con `forma`, un solo pedido devuelve las series de varias especies, de un panel o de ambos, elegidos como en `/cotizaciones`. `forma=larga` devuelve las filas de cada especie, una después de la otra. `forma=ancha` devuelve una fila por fecha con una columna por especie, como una planilla: `campo` elige el valor. Se admiten como máximo {historyRowsMax} filas por pedido o, con `ancha`, fechas por especies: si hay más, la respuesta es 400 e indica cuántas son. Nunca se recorta.',
        '**Semanas y meses.** Con `intervalo=1sem` o `intervalo=1mes`, cada fila es una semana o un mes calendario de las ruedas del rango: la fecha y el cierre son los de su última rueda, la apertura es la de la primera, el máximo y el mínimo son los del período, y el volumen es la suma. La última fila puede ser un período que todavía no terminó.',
        '**Otra moneda.** Con `moneda`, cada precio se divide o se multiplica por el cierre de un dólar de ese día o, si no hay, por el último de los siete días anteriores. Las ruedas sin ese dólar, y las de instrumentos que no cotizan en pesos ni en dólares, se omiten, y `Missing-Cambios` las cuenta. El volumen no cambia.',
        '**Lo conocido en un instante.** Los cierres y los eventos se corrigen, y el servicio guarda lo que cada corrección reemplaza. Con `conocido`, la respuesta es la que habría dado en ese instante, también con `ajuste`, que usa los eventos conocidos entonces: así una prueba sobre datos históricos no usa correcciones posteriores. La base del ajuste es la del último cierre conocido entonces. `Conocido-Desde` indica desde cuándo se guardan los cambios: para un instante anterior, la respuesta es 200 con una lista vacía. Los decimales y la moneda del instrumento son siempre los actuales. `/cambios` devuelve los cambios.',
      ],
      examples: {
        especie: 'AL30',
        ...range,
        ajuste: 'splits',
        campos: ['apertura', 'maximo', 'minimo'],
        intervalo: '1sem',
        moneda: 'USD',
        dolar: 'mep',
        forma: 'larga',
        panel: 'LID',
        campo: 'ultimo',
        conocido: '2026-11-19T18:30:00-03:00',
      },
      ok: 'Serie en orden ascendente de fecha. Puede estar vacía. Solo las filas de `forma=ancha` son `FilaAncha`.',
      headers: [
        'Missing-Especies',
        'Suggested-Especies',
        'Conocido-Desde',
        'Missing-Dividendos',
        'Missing-Terminos',
        'Cambio',
        'Missing-Cambios',
        'Last-Modified',
      ],
      samples: {
        bono: ['Un bono', rowsOf(al30Closes)],
        indice: [
          'Un índice, sin volumen',
          rowsOf(closes('RIESGO PAIS', [['2026-11-19', 573, null]])),
        ],
        velas: [
          'Una acción ajustada por splits, con apertura, máximo y mínimo',
          rowsOf(closes('YPFD', [['2026-08-07', 8_122.5, 3_108_690, 8_050, 8_190, 8_010.5]]), [
            'apertura',
            'maximo',
            'minimo',
          ]),
        ],
        ancha: [
          'Varias especies con `forma=ancha`',
          wideTable([al30Closes.instrument, mepCloses.instrument]).of(
            ['2026-11-18', '2026-11-19'].map((on) => wideRow(dayOf(on))),
          ),
        ],
      },
      invalid: 'Falta un parámetro, o una fecha u otro valor no es válido.',
      errors: {
        falta: ['Falta un parámetro', 'especie=AL30&desde=2026-11-02'],
        fecha: ['Fecha inexistente', 'especie=AL30&desde=2026-02-30&hasta=2026-11-20'],
        ajuste: ['Ajuste inexistente', `${aSeries}&ajuste=dividendos`],
        conocido: [
          'Instante con un «+» sin codificar',
          `${aSeries}&conocido=2026-11-19T21:30:00+00:00`,
        ],
        filas: [
          'Demasiadas filas con `forma`',
          errorResponse('rows-too-many', { count: 412_087, max: '{historyRowsMax}' }),
        ],
      },
    },
    {
      of: eventos,
      summary: 'Eventos corporativos',
      description: [
        'Devuelve los eventos corporativos de un instrumento cuya fecha ex está entre dos fechas, ambas incluidas, en orden ascendente de fecha: divisiones (*splits*), dividendos en acciones, dividendos en efectivo, cambios de ratio de CEDEARs, derechos de suscripción, escisiones y cambios de especie. Incluye los anunciados con fecha futura. Son los eventos con los que se ajustan las series de `/historicos`.',
        'Para una especie desconocida o un rango sin eventos, la respuesta es 200 con una lista vacía. El encabezado `Missing-Especies` nombra la especie desconocida.',
        'Con `conocido`, devuelve los eventos que el servicio conocía en un instante, como `/historicos`.',
      ],
      examples: {
        especie: 'YPFD',
        desde: '2026-01-01',
        hasta: '2026-12-31',
        forma: 'larga',
        conocido: '2026-11-19T18:30:00-03:00',
      },
      ok: 'Eventos en orden ascendente de fecha. Puede estar vacía.',
      headers: ['Missing-Especies', 'Suggested-Especies', 'Conocido-Desde'],
      samples: {
        accion: [
          'Una acción que dividió 10 por 1 y pagó un dividendo',
          eventTable.of([
            { ticker: 'YPFD' as Ticker, exDay: dayOf('2026-08-10'), type: 'split', factor: 10 },
            {
              ticker: 'YPFD' as Ticker,
              exDay: dayOf('2026-09-15'),
              type: 'cash-dividend',
              amount: 12.5,
              currency: 'ARS',
            },
          ]),
        ],
        cedear: [
          'Un CEDEAR que cambió de ratio y de especie',
          eventTable.of([
            { ticker: 'FB' as Ticker, exDay: dayOf('2022-04-20'), type: 'ratio-change', factor: 3 },
            {
              ticker: 'FB' as Ticker,
              exDay: dayOf('2022-06-09'),
              type: 'ticker-change',
              newTicker: 'META' as Ticker,
            },
          ]),
        ],
      },
      invalid: 'Falta un parámetro o una fecha no es válida.',
      errors: only('especie=YPFD&desde=2026-01-01'),
    },
    {
      of: cambios,
      summary: 'Cambios de los valores guardados',
      description: [
        'Devuelve los cambios de los cierres, de los eventos y de las condiciones de emisión de un instrumento, o de los valores de un índice, de los días entre dos fechas, ambas incluidas y ambas opcionales. El más reciente va primero. Responde por qué un valor no es el que era: qué decía antes, qué dice ahora, de dónde viene y quién lo cambió. Todo pedido lleva `especie` o `indice`, y no ambos.',
        'Hay una fila por cada campo que cambió. El primer valor de un día no es un cambio. La incorporación de un evento sí lo es, porque cambia las series ajustadas, y también la de las condiciones de un bono, porque le da cifras. Los números llevan todos los decimales guardados. Se admiten como máximo {historyRowsMax} filas por pedido: si hay más, la respuesta es 400 e indica cuántas son.',
        '`Conocido-Desde` indica desde cuándo se guardan los cambios de la especie. Para una especie desconocida o un rango sin cambios, la respuesta es 200 con una lista vacía. El encabezado `Missing-Especies` nombra la especie desconocida.',
      ],
      examples: { especie: 'YPFD', indice: 'CER', desde: '2026-11-01', hasta: '2026-11-30' },
      ok: 'Cambios, el más reciente primero. Puede estar vacía.',
      headers: ['Missing-Especies', 'Suggested-Especies', 'Conocido-Desde'],
      samples: {
        cierre: [
          'Un cierre corregido por un archivo, y un split incorporado después',
          changeTable.of([
            {
              ticker: 'YPFD' as Ticker,
              by: { at: Date.parse('2026-11-20T13:05:12.480Z'), origin: 'import' },
              day: dayOf('2026-11-19'),
              field: 'close',
              before: 41_205.5,
              after: 41_250,
              source: 'import:cierres.csv',
            },
            {
              ticker: 'YPFD' as Ticker,
              by: { at: Date.parse('2026-08-12T12:00:03.115Z'), origin: 'import' },
              day: dayOf('2026-08-10'),
              field: 'split',
              before: null,
              after: 10,
              source: 'eventos.csv',
            },
          ]),
        ],
        indice: [
          'Un valor corregido de un índice',
          indexChangeTable.of([
            {
              index: 'CER',
              by: { at: Date.parse('2026-11-20T15:00:08.902Z'), origin: 'fetch' },
              day: dayOf('2026-11-26'),
              field: 'value',
              before: 758.1234,
              after: 758.1243,
              source: 'bcra',
            },
          ]),
        ],
      },
      invalid: 'No hay exactamente una especie o un índice, o una fecha u otro valor no es válido.',
      errors: only(''),
    },
    {
      of: indices,
      summary: 'Índices y tasas de referencia',
      description: [
        'Sin `indice`, devuelve los índices con su primer y su último día. Con `indice`, devuelve sus valores diarios entre dos fechas, ambas incluidas y ambas opcionales, en orden ascendente de fecha.',
        'Incluye los días por venir: el CER, la UVA y el ICL se publican con hasta un mes de anticipación. El CER, la UVA y el ICL tienen un valor para cada día del calendario; el IPC, uno para cada mes, con la fecha de su último día: la inflación de varios meses es el producto de 1 + valor ÷ 100 de cada uno, menos 1; los demás, para cada día hábil. Un día sin fila no tiene un valor conocido: no se repite el anterior ni se calcula ninguno.',
      ],
      examples: { indice: 'CER', desde: '2026-11-01', hasta: '2026-12-15' },
      ok: 'Índices o valores de un índice. Los valores pueden estar vacíos.',
      samples: {
        valores: [
          'Los valores de un índice',
          indexValues.of([
            { index: 'CER', day: dayOf('2026-11-26'), value: 758.1234 },
            { index: 'CER', day: dayOf('2026-11-27'), value: 758.6512 },
          ]),
        ],
        lista: [
          'La lista de índices, uno de ellos sin valores',
          indexList.of([
            { index: 'CER', extent: { from: dayOf('2002-02-02'), to: dayOf('2026-12-15') } },
            { index: 'TAMAR', extent: undefined },
          ]),
        ],
      },
      invalid: 'El índice no existe o una fecha no es válida.',
      errors: only('indice=IPIM'),
    },
    {
      of: intradiarios,
      summary: 'Barras de minutos de las últimas ruedas',
      description: [
        'Devuelve las barras de un instrumento entre dos fechas, ambas incluidas, en orden ascendente. Una barra resume los precios de 1, 5, 15 o 60 minutos: el primero, el mayor, el menor y el último, y el volumen operado. Sin fechas, devuelve las de la última rueda del instrumento.',
        'Las barras se forman con los precios que el servicio recibe y se conservan durante al menos {intradaySessions} ruedas. Solo figuran las barras en las que hubo un precio. La última es la barra en curso: sus valores cambian hasta que termina. Las anteriores no cambian.',
        'Para una especie desconocida o un rango sin barras, la respuesta es 200 con una lista vacía. El encabezado `Missing-Especies` nombra la especie desconocida.',
        '`/cotizaciones/stream` transmite las mismas barras con el parámetro `barras`.',
      ],
      examples: {
        especie: 'GGAL',
        desde: '2026-11-20',
        hasta: '2026-11-20',
        intervalo: '5m',
        campos: ['instante'],
      },
      ok: 'Barras en orden ascendente. Puede estar vacía.',
      headers: ['Missing-Especies', 'Suggested-Especies'],
      samples: only(
        barTable().plain.of([
          barAt('16:50:00', [7_400, 7_415, 7_395, 7_405], 18_230),
          barAt('16:55:00', [7_405, 7_420, 7_405, 7_410.5], 25_114),
        ]),
      ),
      invalid: 'Falta la especie, o un parámetro no es válido.',
      errors: only(
        errorResponse('value-unknown', {
          parameter: 'intervalo',
          value: '2m',
          valid: ['1m', '5m', '15m', '60m'],
        }),
      ),
    },
    {
      of: recorridos,
      summary: 'Recorridos de la rueda',
      description: [
        'Devuelve, para cada instrumento de la selección, el recorrido de su precio en la rueda de su cotización: la que está en curso o la última. La rueda se divide en pasos iguales desde su apertura, 100 como máximo, y cada valor es el último precio de un paso. Un solo pedido basta para dibujar los recorridos de un tablero.',
        'La selección es la de `/cotizaciones`, con el mismo orden. La lista no incluye las especies que no tienen cotización: el encabezado `Missing-Especies` las nombra. Los recorridos se forman con las barras de `/intradiarios`: sin barras de la rueda, `valores` está vacío.',
        'La respuesta es siempre JSON. El último valor cambia hasta que termina su paso.',
      ],
      examples: { especie: ['GGAL', 'AL30'], panel: 'LID' },
      ok: 'Un recorrido por instrumento. Puede estar vacía.',
      headers: ['Missing-Especies', 'Suggested-Especies'],
      schema: list(undefined, { $ref: '#/components/schemas/Recorrido' }),
      samples: only([
        {
          especie: 'GGAL',
          fecha: '2026-11-20',
          desde: '10:30:00',
          pasoMinutos: 5,
          valores: [7330, 7345, null, 7360.5],
        },
      ]),
      invalid: 'Falta la selección, o un parámetro no es válido.',
      errors: only(''),
    },
  ],
  schemas: {
    CampoDeHistorico: choices(
      historyTable().onRequest,
      'Campo que un precio histórico tiene solo si se pidió en `campos`.',
    ),
    CampoDeBarra: choices(
      barTable().onRequest,
      'Campo que una barra tiene solo si se pidió en `campos`.',
    ),
    CampoDeCelda: choices(Object.keys(cells), 'Valor que muestran las celdas de una tabla ancha.'),
    Forma: choices(
      {
        larga: 'Larga, una fila por especie y fecha',
        ancha: 'Ancha, una columna por especie',
      },
      'Forma de la tabla de varias series: una fila por especie y fecha, o una fila por fecha con una columna por especie.',
    ),
    Ajuste: choices(
      Object.keys(adjustments),
      'Ajuste de una serie histórica: ninguno, por *splits*, o total (*splits*, dividendos en efectivo y pagos de bonos).',
    ),
    CodigoDeIndice: choices(
      indexNames,
      '`CER`: Coeficiente de Estabilización de Referencia. `UVA`: Unidad de Valor Adquisitivo, en pesos. `A3500`: tipo de cambio de referencia de la Comunicación A 3500, en pesos por dólar. `TAMAR` y `BADLAR`: tasas de depósitos mayoristas en pesos de bancos privados, en % nominal anual. `ICL`: Índice para Contratos de Locación. `IPC`: inflación de cada mes según el Índice de Precios al Consumidor, en %.',
    ),
    OrigenDeCambio: choices(
      {
        importacion: 'Un archivo importado por el operador',
        descarga: 'Una consulta a una fuente',
        rueda: 'El cierre de una rueda registrada por el servicio',
        confirmacion: 'El operador confirmó el valor',
        reversion: 'El operador volvió a un valor anterior',
        eliminacion: 'El operador eliminó el valor',
        universo: 'Los archivos del universo, leídos al iniciar o al recargar el servicio',
        demostracion: 'El mercado simulado de la demostración',
        desconocido: 'Un programa anterior a la memoria de cambios',
      },
      'Qué cambió el valor.',
    ),
    IntervaloDeHistorico: choices(
      choiceNames.IntervaloDeHistorico,
      'Período de una fila de `/historicos`: `1d` es una rueda, `1sem` una semana de lunes a domingo y `1mes` un mes calendario.',
    ),
    MonedaDePrecios: choices(
      choiceNames.MonedaDePrecios,
      'Moneda a la que se convierten los precios.',
    ),
    DolarDeConversion: choices(
      choiceNames.DolarDeConversion,
      'Dólar con el que se convierten los precios: el de `DOLAR MEP`, `DOLAR CCL`, `DOLAR OFICIAL`, `DOLAR MAYORISTA` o `DOLAR BLUE`.',
    ),
    Intervalo: choices(
      Object.keys(choiceNames.Intervalo),
      'Duración de una barra, en minutos. Las barras se alinean con la hora del mercado: las de 60 minutos comienzan a la hora en punto.',
    ),
    Recorrido: object(
      'Recorrido del precio de un instrumento en una rueda, en pasos iguales desde la apertura.',
      {
        especie: text('Especie del instrumento.', { minLength: 1 }),
        fecha: text(
          'Fecha de la rueda, en la zona horaria del mercado. Es la de la cotización.',
          date,
        ),
        desde: text(
          'Apertura de la rueda, hora de Buenos Aires. El primer paso comienza en ella.',
          { pattern: '^([01]\\d|2[0-3]):[0-5]\\d:00$' },
        ),
        pasoMinutos: integer(
          'Duración de un paso, en minutos: 1, 5, 15 o 60. Es la más corta con la que la rueda tiene 100 pasos o menos.',
          { minimum: 1 },
        ),
        valores: list(
          'Último precio de cada paso, en orden; `null` si no hubo ninguno. El último valor es el del último paso con un precio. Un precio posterior al cierre está en el último paso de la rueda.',
          { type: ['number', 'null'] },
          { maxItems: 100 },
        ),
      },
    ),
  },
};
