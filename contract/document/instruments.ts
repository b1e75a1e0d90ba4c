import { bonos, bondTable, type ValuedBond } from '../../src/contract/paths/bonos.ts';
import { bonosHistoricos, bondHistoryTable } from '../../src/contract/paths/bonos-historicos.ts';
import { bonosFlujos, flowTable } from '../../src/contract/paths/bonos-flujos.ts';
import { dolares, dollarTable } from '../../src/contract/paths/dolares.ts';
import { especiesJson, instrumentTable } from '../../src/contract/paths/especies-json.ts';
import { marketTable, mercados } from '../../src/contract/paths/mercados.ts';
import { especiesTxt } from '../../src/contract/paths/texts.ts';
import type { PlainDate } from '../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { choiceNames } from '../../src/contract/paths/choice-names.ts';
import { only, type Section } from './path.ts';
import { byma, ggal, instrument, today, todayAt } from './samples.ts';
import { choices } from './schema.ts';

const source = { name: 'byma', delayMinutes: 20 };

/** A bond at a price. */
const al30d: ValuedBond = {
  instrument: instrument('AL30D', { kind: 'bond', currency: 'USD', pricePer: 100 }),
  date: today,
  asOf: todayAt('16:59:58'),
  figures: {
    settlement: '2026-11-24' as PlainDate,
    price: 53.97,
    currency: 'USD',
    exchangeRate: null,
    yield: 12.3456,
    nominalRate: 12.0123,
    monthlyRate: 0.9614,
    duration: 1.6211,
    modifiedDuration: 1.442_96,
    convexity: 3.5012,
    technicalValue: 56.21,
    accrued: 0.21,
    residual: 56,
    parity: 96.0149,
    maturity: '2030-07-09' as PlainDate,
    index: null,
    assumptions: [],
    state: 'ok',
  },
};

export const instrumentsSection: Section = {
  tag: 'Instrumentos',
  description: 'Instrumentos disponibles y sus mercados.',
  rows: {
    Instrumento: 'Datos de un instrumento.',
    HorarioDeMercado: 'Estado, horario y feriados de un mercado.',
    CifrasDeBono: 'Cifras de un bono a un precio, según una convención.',
    CifrasDeCierre: 'Cifras de un bono al cierre de una rueda.',
    FlujoDeBono: 'Un pago de un bono, cada 100 de valor nominal original.',
    PrecioDelDolar: 'Un precio del dólar en pesos, o el canje en por ciento, con su cálculo.',
  },
  paths: [
    {
      of: especiesTxt,
      operationId: 'getEspecies',
      summary: 'Lista de instrumentos',
      description:
        'Devuelve las especies disponibles como texto, una por línea, con un fin de línea al final. El orden es el del universo cargado. Con `panel`, devuelve las especies de ese panel, en su orden.',
      examples: { panel: 'IND' },
      ok: 'Lista de instrumentos.',
      type: 'text/plain',
      schema: { type: 'string', pattern: '^([^\\n,]+\\n)*$' },
      samples: only('AL30\nDOLAR MEP\nGGAL\n'),
      invalid: 'El panel no existe o se envió más de una vez.',
      errors: only('panel=LID&panel=GEN'),
    },
    {
      of: especiesJson,
      summary: 'Lista y búsqueda de instrumentos, con sus datos',
      description: [
        'Devuelve la lista de `/especies.txt`, en el mismo orden, con los datos de cada instrumento que no figuran en las cotizaciones: nombre, tipo, mercado, moneda, decimales, unidad de la variación, la relación y el subyacente de los certificados, y la fuente en uso con su demora. `atrasada` indica que esa fuente no envía datos. Con `especie`, `panel` o ambos, devuelve solo los instrumentos seleccionados, como `/cotizaciones`.',
        'Con `buscar`, devuelve los instrumentos cuya especie o nombre contiene todas las palabras del texto, como máximo 50. Primero, la especie igual al texto; después, las especies que comienzan con el texto; después, los instrumentos en los que cada palabra del texto comienza una palabra de la especie o del nombre, y por último los demás. En cada grupo se mantiene el orden de la lista. Si no hay ninguno, la lista está vacía y el estado es 200. Con `panel` o `especie`, busca entre esos instrumentos.',
        'Con `campos=precioPor` se agrega a cada fila la cantidad a la que corresponde un precio: 100 para bonos, letras y obligaciones negociables, que cotizan cada 100 nominales, y 1 para los demás, salvo que el operador haya configurado otra. El valor de una tenencia es cantidad × precio ÷ `precioPor`, en la moneda del instrumento.',
        'Con `campos=base,clase` se sabe qué instrumentos son clases de uno mismo: el que se negocia en pesos (`ARS`) y los que se pagan en dólares en la Argentina (`MEP`) o en el exterior (`CABLE`). La última letra de una especie no lo dice. Sin `campos`, la respuesta es la misma de siempre.',
      ],
      examples: {
        especie: ['GGAL', 'YPFD'],
        buscar: 'galicia',
        panel: 'ADRARG',
        campos: ['precioPor'],
      },
      ok: 'Lista de instrumentos.',
      headers: ['Missing-Especies', 'Suggested-Especies'],
      samples: only(
        instrumentTable.plain.of([
          { instrument: ggal, identity: {}, source, isStale: false },
          {
            instrument: instrument('AAPL', {
              name: 'CEDEAR Apple Inc.',
              kind: 'cedear',
              ratio: '20:1',
              underlying: 'AAPL_US',
            }),
            identity: {},
            source,
            isStale: false,
          },
        ]),
      ),
      invalid:
        'El panel no existe, se envió más de una vez, `especie` está vacío, u otro valor no es válido.',
      errors: {
        panelRepetido: ['Panel repetido', 'panel=LID&panel=GEN'],
        busquedaVacia: ['Búsqueda vacía', 'buscar='],
        campoDesconocido: ['Campo desconocido', 'campos=cusip'],
      },
    },
    {
      of: mercados,
      summary: 'Mercados con su estado, horario y feriados',
      description: [
        'Devuelve los mercados de los instrumentos, en el orden del universo cargado: si cada uno está abierto, su última rueda y el horario de esa rueda, el instante del próximo cambio y los feriados de un año. El campo `mercado` de `/especies.json` es el de esta tabla.',
        'La respuesta cambia cuando abre o cierra un mercado. Hasta el `cambia` más próximo es la misma.',
      ],
      examples: { anio: '2026', campos: ['horarios'] },
      ok: 'Lista de mercados.',
      samples: only(
        marketTable.plain.of([
          {
            schedule: {
              code: 'BYMA',
              name: 'Bolsas y Mercados Argentinos',
              timeZone: 'America/Argentina/Buenos_Aires',
              state: 'open',
              sessionDate: '2026-12-24' as PlainDate,
              openMinute: 10 * 60 + 30,
              closeMinute: 15 * 60,
              changesAt: Date.parse('2026-12-24T15:00:00-03:00'),
              validUntil: Date.parse('2026-12-24T15:00:00-03:00'),
              holidays: [
                { date: '2026-12-25' as PlainDate, name: 'Navidad' },
                { date: '2026-12-31' as PlainDate, name: 'Fin de año' },
              ],
              unsettled: [],
            },
            market: byma,
          },
        ]),
      ),
      invalid: 'El año u otro valor no es válido.',
      errors: only('anio=26'),
    },
    {
      of: bonos,
      summary: 'TIR, duration y paridad de bonos',
      description: [
        'Devuelve las cifras de bonos, letras y obligaciones negociables a su último precio, según una convención. Las convenciones de quienes publican cifras difieren en la base de días, la capitalización, los intereses corridos y la fecha; por eso sus cifras también difieren.',
        'Los flujos de un bono que ajusta por un índice se multiplican por el valor del índice para la liquidación dividido por el de la emisión, que se mantiene para todos: su TIR es real. Un precio en pesos de un bono en dólares se divide por un dólar, que figura en `tipoCambio`. La TIR supone que se conserva hasta el vencimiento y no valúa opciones.',
        '`Missing-Especies` nombra las especies desconocidas y las que no tienen cotización, `Missing-Terminos` las que no tienen condiciones de emisión cargadas, y `Missing-Indices` el índice y el día que faltan. Lo que falta deja en `null` solo lo que depende de ello; `estado` dice qué es.',
      ],
      examples: {
        especie: ['AL30'],
        panel: 'BONOS',
        convencion: 'pizarra',
        plazo: '24hs',
        dolar: 'mep',
        precio: 83_940,
      },
      ok: 'Lista de bonos con sus cifras.',
      headers: ['Missing-Especies', 'Suggested-Especies', 'Missing-Terminos', 'Missing-Indices'],
      samples: only(bondTable.of([al30d])),
      invalid: 'Falta la selección, o un valor no es válido.',
      errors: only('especie=AL30&convencion=mercado'),
    },
    {
      of: bonosHistoricos,
      summary: 'TIR, duration y paridad de un bono en el tiempo',
      description: [
        'Devuelve las cifras de un bono a cada precio de cierre, liquidado como una operación de esa rueda, con el índice y el dólar que corresponden a esa fecha y las condiciones de emisión vigentes hoy. Con `contra` agrega la diferencia con la TIR de otro bono, en puntos.',
        '`Missing-Especies` nombra las especies desconocidas, `Missing-Terminos` las que no tienen condiciones de emisión cargadas, y `Missing-Indices` los índices y días que faltan. Lo que falta deja en `null` solo lo que depende de ello; `estado` dice qué es.',
      ],
      examples: {
        especie: 'AL30D',
        desde: '2026-11-01',
        hasta: '2026-11-20',
        convencion: 'pizarra',
        plazo: '24hs',
        dolar: 'mep',
        intervalo: '1d',
        contra: 'GD30D',
      },
      ok: 'Lista de ruedas, en orden de fecha.',
      headers: ['Missing-Especies', 'Suggested-Especies', 'Missing-Terminos', 'Missing-Indices'],
      samples: only(
        bondHistoryTable
          .with(['contra'])
          .of([{ ...al30d, against: { ...al30d.figures, yield: 11.8 } }]),
      ),
      invalid: 'Falta la especie o una fecha, o un valor no es válido.',
      errors: only('especie=AL30D&desde=2026-11-01&hasta=2026-11-20&contra='),
    },
    {
      of: bonosFlujos,
      operationId: 'getFlujosDeBono',
      summary: 'Flujos de un bono',
      description:
        'Devuelve los pagos de un bono desde una fecha, cada 100 de valor nominal original, en orden de fecha. `ajustado` es el total multiplicado por el índice para la liquidación. El interés de un cupón cuya tasa todavía no se conoce es `null`. Una especie de cualquier clase sirve.',
      examples: { especie: 'AL30', desde: '2026-11-20', plazo: '24hs' },
      ok: 'Lista de pagos.',
      headers: ['Missing-Especies', 'Suggested-Especies', 'Missing-Terminos', 'Missing-Indices'],
      samples: only(
        flowTable.of([
          {
            flow: {
              from: '2026-07-09' as PlainDate,
              date: '2027-01-09' as PlainDate,
              paid: '2027-01-11' as PlainDate,
              rate: 0.75,
              interest: 0.24,
              amortisation: 8,
              total: 8.24,
              residualBefore: 64,
              residual: 56,
            },
            ratio: 1,
          },
        ]),
      ),
      invalid: 'Falta la especie, o un valor no es válido.',
      errors: only(''),
    },
    {
      of: dolares,
      summary: 'Precios del dólar, con su cálculo',
      description: [
        'Devuelve los precios del dólar en pesos: los publicados y los implícitos en las especies que se negocian en pesos y en dólares. El dólar MEP es el precio en pesos dividido por el de la especie D; el contado con liquidación (`ccl`), por el de la especie C. El canje es la diferencia entre ambos, en por ciento: especie D ÷ especie C − 1. Hay una fila por cada instrumento que tiene las especies.',
        '`compra` es la punta de compra del numerador dividida por la de venta del denominador, y `venta` lo contrario. Es `null` sin ambas puntas. Las cantidades no se tienen en cuenta.',
        'Con `dolar=ccl` o con `base` se agregan los CEDEARs: precio × ratio ÷ subyacente, de la última fecha, solo si ambos mercados estaban abiertos en los instantes de los dos precios. La fila `CEDEARS` es la mediana de los que operaron, si al menos tres coinciden con ella. Los que se apartan de ella más de 10 % no se incluyen.',
        'Los precios de un dólar se comparan entre sí. El que los demás contradicen tiene `precio-dudoso` en `estado`, y no tiene precios.',
        'Si las cotizaciones que forman un precio son de ruedas distintas, no hay fila.',
      ],
      examples: { dolar: 'mep', base: 'AL30' },
      ok: 'Lista de precios del dólar.',
      headers: ['Missing-Especies', 'Suggested-Especies'],
      samples: only(
        dollarTable.of([
          {
            dollar: 'mep',
            base: 'AL30',
            bid: 1_554.0115,
            ask: 1_555.3085,
            last: 1_555.3085,
            gapPct: 2.0209,
            sessionDate: today,
            asOf: todayAt('16:59:58'),
            method: 'implied',
            numerator: 'AL30' as Ticker,
            denominator: 'AL30D' as Ticker,
            state: 'ok',
          },
          {
            dollar: 'cable',
            base: 'CEDEARS',
            bid: null,
            ask: null,
            last: 1_618.4,
            gapPct: 6.1594,
            sessionDate: today,
            asOf: todayAt('16:59:59'),
            method: 'median',
            state: 'ok',
          },
        ]),
      ),
      invalid: 'El dólar u otro valor no es válido.',
      errors: only('dolar=euro'),
    },
  ],
  schemas: {
    CampoDeInstrumento: choices(
      instrumentTable.onRequest,
      'Campo que un instrumento tiene solo si se pidió en `campos`.',
    ),
    CampoDeMercado: choices(
      marketTable.onRequest,
      'Campo que un mercado tiene solo si se pidió en `campos`. `liquidacion` agrega `sinLiquidacion`.',
    ),
    Plazo: choices(
      { '24hs': 'El siguiente día en que se liquida', ci: 'Contado inmediato' },
      'Plazo de liquidación.',
    ),
    Convencion: choices(
      choiceNames.Convencion,
      'Convención con la que se cuentan la TIR y las demás cifras. Lleva el nombre de quien publica cifras contadas de ese modo.',
    ),
    Dolar: choices(choiceNames.Dolar, 'Un dólar, por dónde y cómo se compra.'),
  },
};
