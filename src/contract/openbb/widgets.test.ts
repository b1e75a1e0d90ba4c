import assert from 'node:assert/strict';
import { test } from 'node:test';

import { al30, lecap } from '../../../test/support/market/bond-samples.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { sampleUniverse } from '../../../test/support/market/sample-market.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { WidgetParam } from './widget.ts';
import { widgetsOf } from './widgets.ts';

function paramOf(universe: Universe, id: string, name: string): WidgetParam {
  const widget = widgetsOf(universe)[id];
  assert.equal(widget?.type, 'table', id);
  const param = widget.params.find(({ paramName }) => paramName === name);
  return param ?? assert.fail(`${id} has no ${name}`);
}

function formatOf(universe: Universe, id: string): string | undefined {
  const widget = widgetsOf(universe)[id];
  assert.equal(widget?.type, 'table', id);
  return widget.data.table.columnsDefs.find(({ field }) => field === 'variacion')?.formatterFn;
}

/** The widgets that need nothing of the universe. */
const always = ['pizarra_dolares', 'pizarra_dolar', 'pizarra_indices'];
const ofInstrument = [
  'pizarra_historico',
  'pizarra_historico_moneda',
  'pizarra_intradia',
  'pizarra_eventos',
  'pizarra_grafico',
];

test('a widget without anything to choose is left out', () => {
  assert.deepEqual(Object.keys(widgetsOf(makeUniverse([]))), always);
  const loose = makeUniverse([{ ticker: 'BTC', kind: 'crypto' }]);
  assert.deepEqual(Object.keys(widgetsOf(loose)), [...ofInstrument, ...always]);
  const indicators = makeUniverse([
    { ticker: 'MERVAL', kind: 'index', panels: ['IND'] },
    { ticker: 'BTC', kind: 'crypto' },
  ]);
  assert.deepEqual(Object.keys(widgetsOf(indicators)), [
    'pizarra_indicadores',
    ...ofInstrument,
    ...always,
  ]);
  const withTerms = makeUniverse([{ ticker: 'AL30', kind: 'bond' }], [al30]);
  assert.deepEqual(Object.keys(widgetsOf(withTerms)), [
    ...ofInstrument,
    ...always.slice(0, 2),
    'pizarra_historia_bono',
    'pizarra_flujos',
    'pizarra_indices',
  ]);
  assert.ok(!('pizarra_bonos' in widgetsOf(sampleUniverse)), 'no bond has terms');
});

test('the default is the instrument, panel and bond that most users want, where the universe has them', () => {
  assert.equal(paramOf(sampleUniverse, 'pizarra_historico', 'especie').value, 'GGAL');
  assert.equal(paramOf(sampleUniverse, 'pizarra_panel', 'panel').value, 'LID');
  const other = makeUniverse(
    [
      { ticker: 'S30N6', kind: 'bill', panels: ['GEN', 'BONOS'] },
      { ticker: 'AL30', kind: 'bond', panels: ['GEN'] },
    ],
    [lecap, al30],
  );
  for (const id of ofInstrument.slice(0, -1))
    assert.equal(paramOf(other, id, 'especie').value, 'S30N6');
  const chart = widgetsOf(other)['pizarra_grafico'];
  assert.equal(chart?.type === 'advanced_charting' && chart.data.defaultSymbol, 'S30N6');
  assert.equal(paramOf(other, 'pizarra_panel', 'panel').value, 'GEN');
  assert.equal(paramOf(other, 'pizarra_bonos', 'panel').value, 'BONOS');
  assert.equal(paramOf(other, 'pizarra_flujos', 'especie').value, 'AL30');
});

test('the options are the panels with members, those with bonds, and the issues with terms', () => {
  const universe = makeUniverse(
    [
      { ticker: 'AL30', name: 'Bonar 2030', kind: 'bond', panels: ['BONOS', 'BON'] },
      { ticker: 'AL30D', kind: 'bond' },
      { ticker: 'PAP0', kind: 'bond', panels: ['BONOS', 'BON'] },
      { ticker: 'GGAL', panels: ['LID', 'LIDGEN'] },
      { ticker: 'MERVAL', kind: 'index', panels: ['IND'] },
    ],
    [al30],
  );
  const values = (id: string, name: string) =>
    paramOf(universe, id, name).options?.map(({ value }) => value);
  for (const id of ['pizarra_panel', 'pizarra_ranking'])
    assert.deepEqual(values(id, 'panel'), ['LID', 'LIDGEN', 'BONOS']);
  assert.deepEqual(values('pizarra_bonos', 'panel'), ['BONOS']);
  assert.deepEqual(paramOf(universe, 'pizarra_flujos', 'especie').options, [
    { label: 'AL30 · Bonar 2030', value: 'AL30' },
  ]);
  assert.deepEqual(paramOf(universe, 'pizarra_indicadores', 'panel'), {
    paramName: 'panel',
    type: 'text',
    value: 'IND',
    label: 'Panel',
    description: 'Se envía siempre con este valor',
    show: false,
  });
});

test('a change has no percent sign where one instrument is quoted in points', () => {
  const universe = makeUniverse([
    { ticker: 'GGAL', panels: ['LID'] },
    { ticker: 'DOLAR MEP', kind: 'exchange-rate', panels: ['IND'] },
    { ticker: 'MEP-CCL', kind: 'spread' },
  ]);
  for (const id of ['pizarra_panel', 'pizarra_ranking', 'pizarra_indicadores'])
    assert.equal(formatOf(universe, id), 'percent');
  assert.equal(formatOf(sampleUniverse, 'pizarra_panel'), 'percent');
  assert.equal(formatOf(sampleUniverse, 'pizarra_indicadores'), 'none');
  const mixed = makeUniverse([{ ticker: 'CAUCION 1D', kind: 'interest-rate', panels: ['GEN'] }]);
  assert.equal(formatOf(mixed, 'pizarra_panel'), 'none');
  assert.equal(formatOf(mixed, 'pizarra_ranking'), 'none');
});
