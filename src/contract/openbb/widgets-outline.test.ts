import assert from 'node:assert/strict';
import { test } from 'node:test';

import { al30 } from '../../../test/support/market/bond-samples.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { param, type Widget, type WidgetColumn, type WidgetParam } from './widget.ts';
import { widgetsOf } from './widgets.ts';

/** A widget as lines for a reader: what it shows, its parameters and its columns. */
function outlineOf(id: string, widget: Widget): readonly string[] {
  const head = `${id}: ${widget.name} (/${widget.endpoint.replace(/^\//, '')})`;
  if (widget.type !== 'table') return [head, `  ${widget.description}`];
  const { table } = widget.data;
  return [
    `${head}${widget.refetchInterval === undefined ? '' : ', live'}${table.chartView === undefined ? '' : ', line'}`,
    `  ${widget.description}`,
    ...widget.params.map((one) => `  ? ${outlineOfParam(one)}`),
    ...table.columnsDefs.map((column) => `  | ${outlineOfColumn(column)}`),
  ];
}

function outlineOfParam(shown: WidgetParam): string {
  const { paramName, type, value, label, description, options = [], show } = shown;
  const listed = options.map((one) => `${one.value} ${one.label}`).join(', ');
  const hidden = show === false ? ' hidden' : '';
  return `${paramName} ${label}: ${type}${hidden} ${value}, ${description} [${listed}]`;
}

function outlineOfColumn({ field, headerName, cellDataType, ...more }: WidgetColumn): string {
  const { formatterFn, renderFn, chartDataType } = more;
  const marks = [formatterFn, renderFn, chartDataType].filter((one) => one !== undefined);
  return [field, headerName, cellDataType, ...marks].join(' ');
}

const outline = `pizarra_panel: Panel (/cotizaciones), live
  Últimas cotizaciones de un panel: acciones, bonos, CEDEARs, ADRs o ETFs
  ? panel Panel: text LID, Código de un grupo predefinido de instrumentos. [LID Panel líder, BONOS Bonos]
  | especie Especie text cellOnClick
  | ultimo Último number none
  | variacion Variación number percent greenRed
  | anterior Anterior number none
  | apertura Apertura number none
  | minimo Mínimo number none
  | maximo Máximo number none
  | varMTD Variación del mes number percent greenRed
  | varYTD Variación del año number percent greenRed
  | volumen Volumen number none
  | fecha Fecha dateString
  | hora Hora text
pizarra_ranking: Ranking (/ranking), live
  Especies de un panel que más subieron, bajaron u operaron en la rueda
  ? panel Panel: text LID, Código de un grupo predefinido de instrumentos. [LID Panel líder, BONOS Bonos]
  ? por Ordenar por: text variacion, El valor por el que se ordena. [variacion Variación, varMTD Variación del mes, varYTD Variación del año, volumen Volumen, monto Monto]
  ? orden Orden: text desc, De mayor a menor (desc, el predeterminado) o de menor a mayor (asc). [desc De mayor a menor, asc De menor a mayor]
  ? limite Cantidad: text 10, Cantidad máxima de cotizaciones. [10 10, 20 20, 50 50]
  ? campos Campos: text hidden monto, Se envía siempre con este valor []
  | especie Especie text cellOnClick
  | ultimo Último number none
  | variacion Variación number percent greenRed
  | anterior Anterior number none
  | apertura Apertura number none
  | minimo Mínimo number none
  | maximo Máximo number none
  | varMTD Variación del mes number percent greenRed
  | varYTD Variación del año number percent greenRed
  | volumen Volumen number none
  | fecha Fecha dateString
  | hora Hora text
  | monto Monto number none
pizarra_historico_moneda: Cierres en otra moneda (/historicos), line
  Los mismos cierres, convertidos a dólares o a pesos con el dólar que se elige
  ? especie Especie: endpoint GGAL, Especie del instrumento. []
  ? desde Desde: date $currentDate-1y, Fecha inicial, incluida, con el formato AAAA-MM-DD. []
  ? hasta Hasta: date $currentDate, Fecha final, incluida, con el formato AAAA-MM-DD. []
  ? intervalo Intervalo: text 1d, Período de cada fila: un día, una semana calendario (1sem) o un mes calendario (1mes). [1d Una rueda, 1sem Una semana, 1mes Un mes]
  ? ajuste Ajuste: text splits, Ajuste de precios y volúmenes. [ninguno Sin ajustar, splits Por splits, total Por splits y dividendos]
  ? moneda Moneda: text USD, Moneda de los precios: cada uno se convierte con el dólar de dolar. [ARS Pesos, USD Dólares]
  ? dolar Dólar: text mep, Dólar con el que se convierte. [mep Dólar MEP, ccl Contado con liquidación, oficial Dólar oficial minorista, mayorista Dólar mayorista, blue Dólar blue]
  ? campos Campos: text hidden apertura,maximo,minimo, Se envía siempre con este valor []
  | fecha Fecha dateString time
  | ultimo Cierre number none series
  | apertura Apertura number none excluded
  | maximo Máximo number none excluded
  | minimo Mínimo number none excluded
  | volumen Volumen number none excluded
pizarra_grafico: Gráfico (/udf)
  Gráfico de TradingView de cualquier especie, de minutos a meses
pizarra_historia_bono: TIR de un bono en el tiempo (/bonos/historicos), line
  TIR de un bono a cada cierre y su diferencia con la de otro, como gráfico o como tabla
  ? especie Bono: text AL30, Bono o letra cuyas condiciones se conocen [AL30 AL30 · Bonar 2030]
  ? contra Comparado con: text AL30, Otra especie, cuya TIR se resta: agrega diferencia a cada fila. [AL30 AL30 · Bonar 2030]
  ? desde Desde: date $currentDate-1y, Fecha inicial, incluida, con el formato AAAA-MM-DD. []
  ? hasta Hasta: date $currentDate, Fecha final, incluida, con el formato AAAA-MM-DD. []
  ? convencion Convención: text pizarra, Convención de las cifras. [pizarra Pizarra, screenermatic Screenermatic, ecovalores Ecovalores, bonarg Bonarg, bloomberg Bloomberg, tablero Tablero de LECAP, bonistas Bonistas]
  ? dolar Dólar: text mep, Dólar con el que se convierten los precios en otra moneda que la de los flujos: mep (el valor predeterminado) y ccl de AL30, sin redondear y de la misma rueda, a3500 o mayorista. [mep Dólar MEP, ccl Contado con liquidación, a3500 Dólar de referencia Com. A 3500, mayorista Dólar mayorista]
  | fecha Fecha dateString time
  | tir TIR number percent series
  | diferencia Diferencia number none excluded
  | tna TNA number percent excluded
  | tem TEM number percent excluded
  | durationModificada Duration modificada number none excluded
  | precio Precio number none excluded
  | paridad Paridad number percent excluded
  | valorTecnico Valor técnico number none excluded
  | estado Estado text excluded
`;

const universe = makeUniverse(
  [
    { ticker: 'GGAL', panels: ['LID'] },
    { ticker: 'AL30', name: 'Bonar 2030', kind: 'bond', panels: ['BONOS', 'BON'] },
    { ticker: 'MEP-CCL', kind: 'spread', panels: ['IND'] },
  ],
  [al30],
);
const widgets = widgetsOf(universe);

test('a widget shows the path, the parameters and the columns of its endpoint, in the words of the contract', () => {
  const lines = Object.entries(widgets)
    .filter(([id]) => outline.includes(`${id}:`))
    .flatMap(([id, one]) => outlineOf(id, one));
  assert.equal(`${lines.join('\n')}\n`, outline);
});

/** A widget of a table, its columns apart. */
function tableOf(id: string) {
  const widget = widgets[id];
  assert.equal(widget?.type, 'table', id);
  const { name: _, description: __, params, endpoint: ___, data, ...head } = widget;
  const { columnsDefs, ...table } = data.table;
  return { head, params, table, columns: columnsDefs };
}

const common = { category: 'Pizarra', source: ['Pizarra'] };

test('a table has the usual size, all its rows, and the times of Workspace unless its values change during a session', () => {
  const head = { ...common, gridData: { w: 20, h: 12 }, type: 'table' };
  const eventos = tableOf('pizarra_eventos');
  assert.deepEqual([eventos.head, eventos.table], [head, { showAll: true }]);
  const panel = tableOf('pizarra_panel');
  assert.deepEqual(panel.head, { ...head, refetchInterval: 60_000, staleTime: 30_000 });
  assert.deepEqual(tableOf('pizarra_indices').table, {
    showAll: true,
    enableCharts: true,
    chartView: { enabled: true, chartType: 'line' },
  });
});

test('a chart begins with an instrument and requests the paths of UDF every minute', () => {
  assert.deepEqual(widgets['pizarra_grafico'], {
    ...common,
    name: 'Gráfico',
    description: 'Gráfico de TradingView de cualquier especie, de minutos a meses',
    gridData: { w: 20, h: 20 },
    type: 'advanced_charting',
    endpoint: '/udf',
    data: { defaultSymbol: 'GGAL', updateFrequency: 60_000 },
  });
});

test('a click on a ticker sets the parameter, which is chosen from a list of all of them', () => {
  assert.deepEqual(tableOf('pizarra_panel').columns[0], {
    field: 'especie',
    headerName: 'Especie',
    cellDataType: 'text',
    pinned: 'left',
    renderFn: 'cellOnClick',
    renderFnParams: { actionType: 'groupBy', groupBy: { paramName: 'especie' } },
  });
  const [ticker] = tableOf('pizarra_eventos').params;
  assert.equal(ticker?.optionsEndpoint, 'widgets/especies.json');
  assert.deepEqual(ticker?.style, { popupWidth: 450 });
  assert.throws(() => param({ inputs: {} }, 'hasta', ''), /no parameter hasta/);
});
