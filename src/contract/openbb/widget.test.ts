import assert from 'node:assert/strict';
import { test } from 'node:test';

import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import {
  anyTicker,
  chartWidget,
  columnsOf,
  hidden,
  param,
  tableWidget,
  tickerOptions,
} from './widget.ts';

const fields = {
  especie: { about: { schema: { type: 'string' } } },
  fecha: { about: { schema: { type: 'string', format: 'date' } } },
  dolar: { about: { schema: 'Dolar' } },
  valorTecnico: { about: { schema: { type: 'number' } } },
  tir: { about: { schema: { type: 'number' }, without: 'null', unit: '%' } },
} as const;
const columns = columnsOf({ fields }, { except: ['especie'] });
const plain = { name: 'Panel', description: 'Un panel', params: [] };
const path = { path: '/bonos/flujos' };

test('a table has the usual size, all its rows, and the times of Workspace unless its values change during a session', () => {
  const table = tableWidget(path, { ...plain, columns });
  assert.deepEqual(table, {
    ...plain,
    endpoint: 'bonos/flujos',
    category: 'Pizarra',
    source: ['Pizarra'],
    gridData: { w: 20, h: 12 },
    type: 'table',
    data: { table: { showAll: true, columnsDefs: columns } },
  });
  assert.deepEqual(tableWidget(path, { ...plain, columns, isLive: true }), {
    ...table,
    refetchInterval: 60_000,
    staleTime: 30_000,
  });
});

test('a table with a chart is shown at first as a line of its first number over its date', () => {
  const { data } = tableWidget(path, { ...plain, columns, hasChart: true });
  const { columnsDefs, ...table } = data.table;
  assert.deepEqual(table, {
    showAll: true,
    enableCharts: true,
    chartView: { enabled: true, chartType: 'line' },
  });
  assert.deepEqual(
    columnsDefs.map(({ chartDataType, ...column }) => [chartDataType, column]),
    ['time', 'excluded', 'series', 'excluded'].map((type, at) => [type, columns[at]]),
  );
});

test('a chart begins with an instrument and requests the paths of UDF every minute', () => {
  const chart = chartWidget('DOLAR MEP', { name: 'Gráfico', description: 'Un gráfico' });
  assert.deepEqual(chart, {
    name: 'Gráfico',
    description: 'Un gráfico',
    category: 'Pizarra',
    source: ['Pizarra'],
    gridData: { w: 20, h: 20 },
    type: 'advanced_charting',
    endpoint: '/udf',
    data: { defaultSymbol: 'DOLAR MEP', updateFrequency: 60_000 },
  });
});

test('columns have the titles, types and units of their fields, and a click on a ticker sets the parameter', () => {
  assert.deepEqual(columnsOf({ fields }), [
    {
      field: 'especie',
      headerName: 'Especie',
      cellDataType: 'text',
      pinned: 'left',
      renderFn: 'cellOnClick',
      renderFnParams: { actionType: 'groupBy', groupBy: { paramName: 'especie' } },
    },
    { field: 'fecha', headerName: 'Fecha', cellDataType: 'dateString' },
    { field: 'dolar', headerName: 'Dólar', cellDataType: 'text' },
    {
      field: 'valorTecnico',
      headerName: 'Valor técnico',
      cellDataType: 'number',
      formatterFn: 'none',
    },
    { field: 'tir', headerName: 'TIR', cellDataType: 'number', formatterFn: 'percent' },
  ]);
});

test('columns may be left out, come last, and have more than follows from their fields', () => {
  const more = { tir: { renderFn: 'greenRed', headerName: 'Tasa' } } as const;
  const shown = columnsOf({ fields }, { except: ['especie', 'dolar'], last: ['fecha'], more });
  assert.deepEqual(
    shown.map(({ field }) => field),
    ['valorTecnico', 'tir', 'fecha'],
  );
  assert.deepEqual(shown[1], { ...columns[3], ...more.tir });
});

test('a parameter has its title, the first sentence of its text, and the names of its values', () => {
  const schema = { type: 'string', enum: ['a'], 'x-enum-names': { a: 'Letra A' } };
  const inputs = {
    especie: { schema: { type: 'string' }, es: 'Una especie. Obligatoria.' },
    desde: { schema: { type: 'string', format: 'date' }, es: 'El primer día, `incluido`. Otro.' },
    orden: { schema: 'OrdenDeRanking' },
    indice: { schema, es: 'Un índice.' },
  };
  assert.deepEqual(param({ inputs }, 'especie', 'GGAL', anyTicker), {
    paramName: 'especie',
    type: 'endpoint',
    value: 'GGAL',
    label: 'Especie',
    description: 'Una especie.',
    optionsEndpoint: 'widgets/especies.json',
    style: { popupWidth: 450 },
  });
  assert.deepEqual(param({ inputs }, 'desde', '$currentDate-1y'), {
    paramName: 'desde',
    type: 'date',
    value: '$currentDate-1y',
    label: 'Desde',
    description: 'El primer día, incluido.',
  });
  assert.deepEqual(param({ inputs }, 'orden', 'desc').options, [
    { label: 'De mayor a menor', value: 'desc' },
    { label: 'De menor a mayor', value: 'asc' },
  ]);
  assert.deepEqual(param({ inputs }, 'indice', 'a', hidden), {
    paramName: 'indice',
    type: 'text',
    value: 'a',
    label: 'Índice',
    description: 'Se envía siempre con este valor',
    options: [{ label: 'Letra A', value: 'a' }],
    show: false,
  });
  assert.throws(() => param({ inputs }, 'hasta', ''), /no parameter hasta/);
});

test('an instrument is shown by its ticker and its name, once if they are equal', () => {
  const universe = makeUniverse([
    { ticker: 'AL30', name: 'Bonar 2030', kind: 'bond' },
    { ticker: 'GGAL' },
  ]);
  assert.deepEqual(tickerOptions(universe.instruments), [
    { label: 'AL30 · Bonar 2030', value: 'AL30' },
    { label: 'GGAL', value: 'GGAL' },
  ]);
});
