import assert from 'node:assert/strict';
import { test } from 'node:test';

import { numberCells } from './widget-columns.ts';
import { chartWidget, tableWidget } from './widget.ts';

const plain = { name: 'Panel', description: 'Un panel', endpoint: 'cotizaciones', params: [] };
const columns = [numberCells('ultimo', 'Último')];

test('a table has the usual size, all its rows, and the times of Workspace unless its values change during a session', () => {
  const table = tableWidget({ ...plain, columns });
  assert.deepEqual(table, {
    ...plain,
    category: 'Pizarra',
    source: ['Pizarra'],
    gridData: { w: 20, h: 12 },
    type: 'table',
    data: { table: { showAll: true, columnsDefs: columns } },
  });
  assert.deepEqual(tableWidget({ ...plain, columns, isLive: true }), {
    ...table,
    refetchInterval: 60_000,
    staleTime: 30_000,
  });
});

test('a table with a chart is shown as a line at first', () => {
  const { data } = tableWidget({ ...plain, columns, hasChart: true });
  assert.deepEqual(data.table, {
    showAll: true,
    columnsDefs: columns,
    enableCharts: true,
    chartView: { enabled: true, chartType: 'line' },
  });
});

test('a chart begins with an instrument and requests the paths of UDF every minute', () => {
  const chart = chartWidget({ name: 'Gráfico', description: 'Un gráfico', symbol: 'DOLAR MEP' });
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
