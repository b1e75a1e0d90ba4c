import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  charted,
  dateCells,
  numberCells,
  percentCells,
  signed,
  textCells,
  tickerColumn,
} from './widget-columns.ts';

test('a click on a ticker sets the parameter especie in the widgets of the group', () => {
  assert.deepEqual(tickerColumn('especie', 'Especie'), {
    field: 'especie',
    headerName: 'Especie',
    cellDataType: 'text',
    pinned: 'left',
    renderFn: 'cellOnClick',
    renderFnParams: { actionType: 'groupBy', groupBy: { paramName: 'especie' } },
  });
});

test('each kind of cells has the type and the format of its values', () => {
  const head = { field: 'a', headerName: 'A' };
  assert.deepEqual(textCells('a', 'A'), { ...head, cellDataType: 'text' });
  assert.deepEqual(dateCells('a', 'A'), { ...head, cellDataType: 'dateString' });
  const number = { ...head, cellDataType: 'number' };
  assert.deepEqual(numberCells('a', 'A'), { ...number, formatterFn: 'none' });
  assert.deepEqual(percentCells('a', 'A'), { ...number, formatterFn: 'percent' });
});

test('a column may be coloured by its sign, and have a part in a chart', () => {
  const column = numberCells('a', 'A');
  assert.deepEqual(signed(column), { ...column, renderFn: 'greenRed' });
  assert.deepEqual(charted(column, 'series'), { ...column, chartDataType: 'series' });
});
