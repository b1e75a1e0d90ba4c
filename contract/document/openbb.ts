import { appsJson, tickerOptions, widgetsJson } from '../../src/contract/paths/texts.ts';
import { only, type Section } from './path.ts';
import { choices, constant, integer, list, object, ref, text, type Schema } from './schema.ts';

/** What only OpenBB Workspace reads: the clients leave it out. */
const openbb = { 'x-without-client': true } as const;

function openbbObject(description: string, fields: Readonly<Record<string, Schema>>): Schema {
  return object(description, fields, openbb);
}

const name = text('Nombre para personas.');
const whatItShows = text('Qué muestra.');
const noImage = text('Sin imagen.');
const between = (minimum: number, maximum?: number): Schema =>
  maximum === undefined ? { minimum } : { minimum, maximum };

/** The fields that a table and a chart have. */
const widget = {
  name,
  description: whatItShows,
  category: text('Grupo en el menú de widgets.'),
  source: list('Origen de los datos.', text()),
  gridData: ref('LugarDeOpenbb'),
};

export const openbbSection: Section = {
  tag: 'OpenBB',
  description: 'Configuración de OpenBB Workspace.',
  paths: [
    {
      of: widgetsJson,
      operationId: 'getWidgets',
      isWithoutClient: true,
      summary: 'Widgets de OpenBB Workspace',
      description:
        'Devuelve las tablas y el gráfico que OpenBB Workspace puede mostrar, por su identificador: paneles, ranking, cierres, barras, eventos, dólares, bonos e índices. Cada uno nombra la ruta que pide y los valores de sus parámetros, que son los del universo cargado.',
      ok: 'Widgets por su identificador. Cada uno es un `WidgetDeOpenbb`.',
      schema: { type: 'object', additionalProperties: ref('WidgetDeOpenbb') },
      samples: {
        cierres: [
          'Un widget',
          {
            pizarra_historico: {
              name: 'Cierres',
              description: 'Cierres diarios de una especie, como gráfico o como tabla',
              category: 'Pizarra',
              source: ['Pizarra'],
              gridData: { w: 20, h: 12 },
              type: 'table',
              endpoint: 'historicos',
              params: [
                {
                  paramName: 'especie',
                  type: 'endpoint',
                  value: 'GGAL',
                  label: 'Especie',
                  description: 'Especie cuyos datos se muestran',
                  optionsEndpoint: 'widgets/especies.json',
                },
                {
                  paramName: 'desde',
                  type: 'date',
                  value: '$currentDate-1y',
                  label: 'Desde',
                  description: 'Primera fecha, incluida',
                },
              ],
              data: {
                table: {
                  showAll: true,
                  columnsDefs: [
                    { field: 'fecha', headerName: 'Fecha', cellDataType: 'dateString' },
                    {
                      field: 'ultimo',
                      headerName: 'Cierre',
                      cellDataType: 'number',
                      formatterFn: 'none',
                    },
                  ],
                },
              },
            },
          },
        ],
      },
    },
    {
      of: appsJson,
      operationId: 'getApps',
      isWithoutClient: true,
      summary: 'Aplicación de OpenBB Workspace',
      description:
        'Devuelve una aplicación de OpenBB Workspace, con los widgets de `/widgets.json` en pestañas.',
      ok: 'Una lista con una aplicación.',
      schema: list(undefined, ref('AplicacionDeOpenbb')),
      samples: {
        una: [
          'Una pestaña',
          [
            {
              name: 'Pizarra',
              img: '',
              img_dark: '',
              img_light: '',
              description: 'Cotizaciones, cierres, dólares, bonos y gráficos del mercado argentino',
              allowCustomization: true,
              tabs: {
                mercado: {
                  id: 'mercado',
                  name: 'Mercado',
                  layout: [
                    { i: 'pizarra_historico', x: 0, y: 0, w: 20, h: 14, groups: ['Especie'] },
                  ],
                },
              },
              groups: [
                {
                  name: 'Especie',
                  type: 'endpointParam',
                  paramName: 'especie',
                  defaultValue: 'GGAL',
                  widgetIds: ['pizarra_historico'],
                },
              ],
              prompts: [],
            },
          ],
        ],
      },
    },
    {
      of: tickerOptions,
      operationId: 'getWidgetsEspecies',
      isWithoutClient: true,
      summary: 'Especies que un widget de OpenBB Workspace puede mostrar',
      description:
        'Devuelve las especies disponibles como opciones de un parámetro, en el orden del universo cargado. Con `panel`, devuelve las de ese panel, en su orden.',
      examples: { panel: 'LID' },
      ok: 'Opciones.',
      schema: list(undefined, ref('OpcionDeOpenbb')),
      samples: only([
        { label: 'GGAL · Grupo Financiero Galicia S.A.', value: 'GGAL' },
        { label: 'AL30 · Bono Rep. Argentina USD Step Up 2030', value: 'AL30' },
      ]),
      invalid: 'El panel no existe o se envió más de una vez.',
      errors: only('panel=LID&panel=GEN'),
    },
  ],
  schemas: {
    WidgetDeOpenbb: {
      description: 'Una tabla o un gráfico que OpenBB Workspace puede mostrar.',
      ...openbb,
      oneOf: [ref('TablaDeOpenbb'), ref('GraficoDeOpenbb')],
    },
    TablaDeOpenbb: openbbObject('Las filas de una ruta como tabla.', {
      ...widget,
      type: constant('table', 'Una tabla.'),
      endpoint: text('Ruta de las filas, relativa a la dirección del servicio.'),
      params: list('Parámetros de la ruta.', ref('ParametroDeOpenbb')),
      'refetchInterval?': integer(
        'Cada cuánto se piden las filas, en milisegundos. Sin este campo, cada 15 minutos.',
        between(1_000),
      ),
      'staleTime?': integer(
        'Edad a partir de la que las filas se vuelven a pedir, en milisegundos.',
        between(0),
      ),
      data: object('La tabla.', {
        table: object('Las columnas, y si se muestran como gráfico.', {
          showAll: constant(true, 'Se muestran todas las filas.'),
          columnsDefs: list('Las columnas, en orden.', ref('ColumnaDeOpenbb')),
          'enableCharts?': constant(true, 'La tabla puede verse como gráfico.'),
          'chartView?': object('El gráfico que se muestra al principio.', {
            enabled: constant(true, 'Se muestra como gráfico.'),
            chartType: constant('line', 'Una línea.'),
          }),
        }),
      }),
    }),
    GraficoDeOpenbb: openbbObject('Un gráfico de TradingView sobre las rutas bajo `/udf`.', {
      ...widget,
      type: constant('advanced_charting', 'Un gráfico de TradingView.'),
      endpoint: constant('/udf', 'Ruta de los datos del gráfico.'),
      data: object('El comienzo del gráfico.', {
        defaultSymbol: text('La especie que se muestra al principio.'),
        updateFrequency: integer('Cada cuánto se piden datos, en milisegundos.', between(1_000)),
      }),
    }),
    LugarDeOpenbb: openbbObject('Tamaño de un widget en la grilla de 40 columnas.', {
      w: integer('Ancho.', between(10, 40)),
      h: integer('Alto.', between(4, 100)),
    }),
    ParametroDeOpenbb: openbbObject('Un parámetro de la ruta de un widget.', {
      paramName: text('Nombre en la URL.'),
      type: choices(
        ['text', 'date', 'endpoint'],
        'Un texto, una fecha, o un texto cuyas opciones tienen una ruta propia.',
      ),
      value: text('Valor inicial. `$currentDate` es la fecha en que se muestra.'),
      label: name,
      description: text('Qué elige.'),
      'options?': list('Los valores posibles.', ref('OpcionDeOpenbb')),
      'optionsEndpoint?': text(
        'Ruta de los valores posibles, relativa a la dirección del servicio.',
      ),
      'show?': constant(
        false,
        'El parámetro se envía siempre con su valor inicial y no se muestra.',
      ),
      'style?': object('Cómo se muestra.', {
        popupWidth: integer('Ancho de la lista de valores, en píxeles.', between(200, 1_000)),
      }),
    }),
    OpcionDeOpenbb: openbbObject('Un valor de un parámetro.', {
      label: name,
      value: text('El valor.'),
    }),
    ColumnaDeOpenbb: openbbObject('Una columna de una tabla.', {
      field: text('Campo de la fila.'),
      headerName: text('Encabezado.'),
      cellDataType: choices(['text', 'number', 'dateString'], 'Tipo de los valores.'),
      'formatterFn?': choices(
        ['none', 'percent'],
        'Si el número lleva el signo de por ciento. No se multiplica.',
      ),
      'renderFn?': choices(
        ['greenRed', 'cellOnClick'],
        'Verde y rojo según el signo, o una acción al hacer clic.',
      ),
      'renderFnParams?': object('La acción.', {
        actionType: constant('groupBy', 'Cambia un parámetro en los widgets del mismo grupo.'),
        groupBy: object('El parámetro.', { paramName: text('Nombre del parámetro.') }),
      }),
      'pinned?': constant('left', 'La columna queda a la izquierda.'),
      'chartDataType?': choices(
        ['time', 'series', 'excluded'],
        'Eje de tiempo, línea, o fuera del gráfico.',
      ),
    }),
    AplicacionDeOpenbb: openbbObject('Widgets en pestañas.', {
      name,
      img: noImage,
      img_dark: noImage,
      img_light: noImage,
      description: whatItShows,
      allowCustomization: constant(true, 'El usuario puede cambiarla.'),
      tabs: {
        type: 'object',
        description: 'Las pestañas por su identificador.',
        additionalProperties: object(undefined, {
          id: text('Identificador.'),
          name,
          layout: list(
            'Los widgets con su lugar.',
            object(undefined, {
              i: text('Identificador del widget.'),
              x: integer('Columna.', between(0)),
              y: integer('Fila.', between(0)),
              w: integer('Ancho.', between(1, 40)),
              h: integer('Alto.', between(1, 100)),
              groups: list('Los grupos del widget.', text()),
            }),
          ),
        }),
      },
      groups: list(
        'Grupos de widgets que comparten el valor de un parámetro.',
        object(undefined, {
          name,
          type: choices(
            ['param', 'endpointParam'],
            'Si las opciones del parámetro tienen una ruta propia.',
          ),
          paramName: text('Nombre del parámetro.'),
          defaultValue: text('Valor inicial.'),
          widgetIds: list('Identificadores de los widgets.', text()),
        }),
      ),
      prompts: list('Sin preguntas sugeridas.', text()),
    }),
  },
};
