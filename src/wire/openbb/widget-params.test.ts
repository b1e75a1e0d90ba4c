import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  choiceParam,
  dateParam,
  fixedParam,
  optionsOf,
  preferred,
  tickerParamOf,
} from './widget-params.ts';

const options = [
  { label: 'Uno', value: '1' },
  { label: 'Dos', value: '2' },
];

test('options have the order of their names', () => {
  assert.deepEqual(optionsOf({ b: 'Be', a: 'A' }), [
    { label: 'Be', value: 'b' },
    { label: 'A', value: 'a' },
  ]);
});

test('the wanted value is the default if it is an option, else the first option is', () => {
  assert.equal(preferred(options, '2'), '2');
  assert.equal(preferred(options, '3'), '1');
  assert.equal(preferred([], '1'), undefined);
});

test('a parameter has its default, its name and its options', () => {
  const texts = { value: '2', label: 'Número', description: 'Un número' };
  assert.deepEqual(choiceParam('numero', { ...texts, options }), {
    paramName: 'numero',
    type: 'text',
    ...texts,
    options,
  });
  assert.deepEqual(tickerParamOf('GGAL'), {
    paramName: 'especie',
    type: 'endpoint',
    value: 'GGAL',
    label: 'Especie',
    description: 'Especie cuyos datos se muestran',
    optionsEndpoint: 'widgets/especies.json',
    style: { popupWidth: 450 },
  });
  assert.deepEqual(dateParam('desde', '$currentDate-1y'), {
    paramName: 'desde',
    type: 'date',
    value: '$currentDate-1y',
    label: 'Desde',
    description: 'Primera fecha, incluida',
  });
  assert.deepEqual(dateParam('hasta', '$currentDate'), {
    paramName: 'hasta',
    type: 'date',
    value: '$currentDate',
    label: 'Hasta',
    description: 'Última fecha, incluida',
  });
  assert.deepEqual(fixedParam('panel', 'IND', 'Panel'), {
    paramName: 'panel',
    type: 'text',
    value: 'IND',
    label: 'Panel',
    description: 'Se envía siempre con este valor',
    show: false,
  });
});
