import assert from 'node:assert/strict';
import { test } from 'node:test';

import { al30 } from '../../../test/support/market/bond-samples.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { appsJson } from './apps.ts';
import { widgetsOf } from './widgets.ts';

interface Place {
  readonly i: string;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly groups: readonly string[];
}

interface Tab {
  readonly id: string;
  readonly name: string;
  readonly layout: readonly Place[];
}

interface App {
  readonly tabs: Readonly<Record<string, Tab>>;
  readonly groups: unknown;
}

/** A tab as lines for a reader. */
function outlineOf([key, { id, name, layout }]: readonly [string, Tab]): readonly string[] {
  return [
    `${key}: ${id} ${name}`,
    ...layout.map(
      ({ i, x, y, w, h, groups }) =>
        `${i} at ${x},${y} of ${w}x${h} in ${groups.join() || 'no group'}`,
    ),
  ];
}

function appOf(universe: Parameters<typeof widgetsOf>[0]): App {
  const [app, ...others] = JSON.parse(appsJson(widgetsOf(universe))) as readonly App[];
  assert.deepEqual(others, []);
  return app ?? assert.fail('no app');
}

test('widgets are in the tabs and in the groups of the ticker that they share', () => {
  const universe = makeUniverse(
    [
      { ticker: 'GGAL', panels: ['LID'] },
      { ticker: 'AL30', kind: 'bond', panels: ['BONOS'] },
      { ticker: 'MERVAL', kind: 'index', panels: ['IND'] },
    ],
    [al30],
  );
  const { tabs, groups, ...head } = appOf(universe);
  assert.deepEqual(head, {
    name: 'Pizarra',
    img: '',
    img_dark: '',
    img_light: '',
    description: 'Cotizaciones, cierres, dólares, bonos y gráficos del mercado argentino',
    allowCustomization: true,
    prompts: [],
  });
  assert.deepEqual(Object.entries(tabs).flatMap(outlineOf), [
    'mercado: mercado Mercado',
    'pizarra_panel at 0,0 of 20x14 in Especie',
    'pizarra_historico at 20,0 of 20x14 in Especie',
    'pizarra_ranking at 0,14 of 20x14 in Especie',
    'pizarra_indicadores at 20,14 of 20x14 in Especie',
    'especie: especie Especie',
    'pizarra_grafico at 0,0 of 40x20 in no group',
    'pizarra_intradia at 0,20 of 20x14 in Especie',
    'pizarra_eventos at 20,20 of 20x14 in Especie',
    'pizarra_historico_moneda at 0,34 of 40x14 in Especie',
    'dolar: dolar Dólar',
    'pizarra_dolares at 0,0 of 20x20 in no group',
    'pizarra_dolar at 20,0 of 20x20 in no group',
    'bonos: bonos Bonos',
    'pizarra_bonos at 0,0 of 40x16 in Bono',
    'pizarra_historia_bono at 0,16 of 40x14 in Bono',
    'pizarra_flujos at 0,30 of 20x14 in Bono',
    'pizarra_indices at 20,30 of 20x14 in no group',
  ]);
  assert.deepEqual(groups, [
    {
      name: 'Especie',
      type: 'endpointParam',
      widgetIds: [
        'pizarra_panel',
        'pizarra_ranking',
        'pizarra_indicadores',
        'pizarra_historico',
        'pizarra_historico_moneda',
        'pizarra_intradia',
        'pizarra_eventos',
      ],
      paramName: 'especie',
      defaultValue: 'GGAL',
    },
    {
      name: 'Bono',
      type: 'param',
      widgetIds: ['pizarra_bonos', 'pizarra_historia_bono', 'pizarra_flujos'],
      paramName: 'especie',
      defaultValue: 'AL30',
    },
  ]);
});

test('a widget that does not exist is in no tab and in no group, and an empty tab or group is left out', () => {
  const empty = appOf(makeUniverse([]));
  assert.deepEqual(Object.keys(empty.tabs), ['dolar', 'bonos']);
  assert.equal(empty.tabs['bonos']?.layout.length, 1);
  assert.deepEqual(empty.groups, []);
  const loose = appOf(makeUniverse([{ ticker: 'BTC', kind: 'crypto' }]));
  assert.deepEqual(Object.keys(loose.tabs), ['mercado', 'especie', 'dolar', 'bonos']);
  assert.deepEqual(loose.tabs['mercado']?.layout, [
    { i: 'pizarra_historico', x: 20, y: 0, w: 20, h: 14, groups: ['Especie'] },
  ]);
  assert.deepEqual(loose.groups, [
    {
      name: 'Especie',
      type: 'endpointParam',
      widgetIds: [
        'pizarra_historico',
        'pizarra_historico_moneda',
        'pizarra_intradia',
        'pizarra_eventos',
      ],
      paramName: 'especie',
      defaultValue: 'BTC',
    },
  ]);
});
