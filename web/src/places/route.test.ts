import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { sortFields } from '../market/columns.ts';
import { panels } from '../market/panels.ts';
import { adjustments } from '../market/api/series-rows.ts';
import {
  averageCode,
  averageKinds,
  averagesMax,
  currencyCodes,
  indicatorCodes,
  modeCodes,
  periodsMax,
  periodsMin,
} from './chart-choices.ts';
import { conventionNames } from '../../../src/domain/bonds/conventions.ts';
import {
  comparedMax,
  formatRoute,
  instrumentRoute,
  listRoute,
  panelRoute,
  parseRoute,
  rangeCodes,
  viewCodes,
  type Route,
} from './route.ts';

test('a shared address leads to its page', () => {
  assert.deepEqual(parseRoute('#/panel/LID'), panelRoute('LID'));
  assert.deepEqual(parseRoute('#/panel/CED?vista=mapa'), { ...panelRoute('CED'), view: 'mapa' });
  assert.deepEqual(parseRoute('#/panel/CED?vista=graficos&rango=1a&ficha=AAPL'), {
    ...panelRoute('CED'),
    view: 'graficos',
    range: '1a',
    beside: 'AAPL',
  });
  assert.deepEqual(parseRoute('#/panel/CED?rango=1d&ficha='), panelRoute('CED'));
  assert.deepEqual(parseRoute('#/lista/Mesa?vista=tabla'), {
    page: 'list',
    name: 'Mesa',
    view: 'tabla',
  });
  assert.deepEqual(parseRoute('#/panel/CED?vista=nada'), panelRoute('CED'));
  assert.deepEqual(parseRoute('#/lista/Mi%20lista'), listRoute('Mi lista'));
  assert.deepEqual(parseRoute('#/lista/Mesa?especies=GGAL,,dolar+mep,GGAL&vista=mural'), {
    page: 'list',
    name: 'Mesa',
    tickers: ['GGAL', 'dolar mep'],
    view: 'mural',
  });
  assert.deepEqual(parseRoute('#/panel/LID?filtro=gal+x&orden=-variacion'), {
    ...panelRoute('LID'),
    filter: 'gal x',
    sorting: { field: 'variacion', isDescending: true },
  });
  assert.deepEqual(parseRoute('#/panel/LID?filtro=&orden=nada'), panelRoute('LID'));
  assert.deepEqual(parseRoute('#/alertas?especie=GGAL'), { page: 'alerts', ticker: 'GGAL' });
  assert.deepEqual(parseRoute('#/especie/GGAL?rango=5a'), {
    ...instrumentRoute('GGAL', '5a'),
  });
  assert.deepEqual(parseRoute('#/especie/DOLAR%20MEP?comparar=DOLAR+CCL,MERVAL&escala=log'), {
    ...instrumentRoute('DOLAR MEP'),
    compared: ['DOLAR CCL', 'MERVAL'],
    isLog: true,
  });
  assert.deepEqual(parseRoute('#/especie/YPFD?rango=1d&ajuste=total'), {
    ...instrumentRoute('YPFD', '1d'),
    adjustment: 'total',
  });
  assert.deepEqual(parseRoute('#/especie/YPFD?rango=9d&ajuste=nada'), instrumentRoute('YPFD'));
  assert.deepEqual(
    parseRoute('#/especie/AL30?comparar=GD30&moneda=ccl&modo=cociente&promedios=simple-20&vwap=si'),
    {
      ...instrumentRoute('AL30'),
      compared: ['GD30'],
      currency: 'ccl',
      mode: 'cociente',
      averages: [{ kind: 'simple', periods: 20 }],
      isWeighted: true,
    },
  );
  assert.deepEqual(
    parseRoute('#/especie/AL30?moneda=blue&modo=suma&promedios=nada&vwap=no'),
    instrumentRoute('AL30'),
  );
  assert.deepEqual(parseRoute('#/panel/BONOS?convencion=bonarg'), {
    ...panelRoute('BONOS'),
    convention: 'bonarg',
  });
  assert.deepEqual(parseRoute('#/especie/AL30?convencion=nada'), instrumentRoute('AL30'));
  assert.deepEqual(parseRoute('#/dolares'), { page: 'dollars' });
  assert.deepEqual(parseRoute('#/api'), { page: 'api', values: {} });
  assert.deepEqual(parseRoute('#/api/getCotizaciones?panel=LID'), {
    page: 'api',
    anchor: 'getCotizaciones',
    values: { panel: 'LID' },
  });
  assert.deepEqual(parseRoute('#/especie/DOLAR%2FEURO'), instrumentRoute('DOLAR/EURO'));
});

test('an empty address leads to the first board', () => {
  for (const hash of ['', '#', '#/', '#/?vista=mapa']) {
    assert.equal(parseRoute(hash).page, 'board', hash);
  }
});

test('an address that leads nowhere is unknown', () => {
  const noPanels = ['#/panel', '#/panel/', '#/panel/NADA', '#/panel/NADA?vista=mapa'];
  for (const hash of ['#/nada', '#/especie', '#/especie/', ...noPanels, '#/%zz', '#/nada?x=1']) {
    assert.deepEqual(parseRoute(hash), { page: 'unknown', address: hash.slice(2) });
  }
});

test('a chart compares an instrument with a few others, each once, and not with itself', () => {
  const route = parseRoute('#/especie/A?comparar=A,B,B,,C,D,E');
  assert.deepEqual(route.page === 'instrument' && route.compared, ['B', 'C', 'D']);
});

function averagesOf(text: string): readonly string[] {
  const route = parseRoute(`#/especie/A?promedios=${text}`);
  return route.page === 'instrument' ? route.averages.map(averageCode) : [];
}

test('a chart has a few averages, each once, with a window within the limits', () => {
  assert.deepEqual(averagesOf('simple-2,simple-400,exponencial-20,simple-50'), [
    'simple-2',
    'simple-400',
    'exponencial-20',
  ]);
  assert.deepEqual(averagesOf('simple-20,simple-20,%20exponencial-20'), [
    'simple-20',
    'exponencial-20',
  ]);
  for (const wrong of ['simple-1', 'simple-401', 'simple-2.5', 'simple', 'x-20', 'simple--3', '']) {
    assert.deepEqual(averagesOf(wrong), [], wrong);
  }
});

test('every route has an address that leads to it', () => {
  const word = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => text.trim() === text);
  const ticker = word.filter((text) => !text.includes(','));
  const ranges = rangeCodes.flatMap((code) => (code === '1d' ? [] : [code]));
  const look = { view: fc.constantFrom(...viewCodes), range: fc.constantFrom(...ranges) };
  const rest = {
    filter: word,
    beside: ticker,
    convention: fc.constantFrom(...conventionNames),
    sorting: fc.record(
      { field: fc.constantFrom(...sortFields), isDescending: fc.boolean() },
      { noNullPrototype: true },
    ),
  };
  const state = { ...look, ...rest };
  const plain = { noNullPrototype: true } as const;
  const places: { readonly [Page in Route['page']]: fc.Arbitrary<Route & { page: Page }> } = {
    board: fc.record(
      {
        page: fc.constant('board'),
        panel: fc.constantFrom(...panels.map(({ value }) => value)),
        ...state,
      },
      { ...plain, requiredKeys: ['page', 'panel', 'view'] },
    ),
    list: fc.oneof(
      fc.record(
        {
          page: fc.constant('list' as const),
          name: word,
          ...state,
          tickers: fc.uniqueArray(ticker),
        },
        { ...plain, requiredKeys: ['page', 'name', 'view'] },
      ),
      fc.record(
        {
          page: fc.constant('list' as const),
          name: word,
          ...rest,
          view: fc.constant('tabla' as const),
          isAsStored: fc.constant(true as const),
        },
        { ...plain, requiredKeys: ['page', 'name', 'view', 'isAsStored'] },
      ),
    ),
    dollars: fc.constant({ page: 'dollars' }),
    alerts: fc.record(
      { page: fc.constant('alerts'), ticker },
      { ...plain, requiredKeys: ['page'] },
    ),
    instrument: fc
      .record(
        {
          page: fc.constant('instrument' as const),
          ticker,
          range: fc.constantFrom(...rangeCodes),
          compared: fc.uniqueArray(ticker, { maxLength: comparedMax }),
          adjustment: fc.constantFrom(...adjustments),
          isLog: fc.boolean(),
          currency: fc.constantFrom(...currencyCodes),
          mode: fc.constantFrom(...modeCodes),
          averages: fc.uniqueArray(
            fc.record(
              {
                kind: fc.constantFrom(...averageKinds),
                periods: fc.integer({ min: periodsMin, max: periodsMax }),
              },
              plain,
            ),
            { maxLength: averagesMax, selector: averageCode },
          ),
          indicators: fc.subarray([...indicatorCodes]),
          isWeighted: fc.boolean(),
          convention: fc.constantFrom(...conventionNames),
        },
        {
          ...plain,
          requiredKeys: [
            'page',
            'ticker',
            'range',
            'compared',
            'adjustment',
            'isLog',
            'currency',
            'mode',
            'averages',
            'indicators',
            'isWeighted',
          ],
        },
      )
      .filter((route) => !route.compared.includes(route.ticker)),
    api: fc.record(
      {
        page: fc.constant('api'),
        anchor: word,
        values: fc.dictionary(word, fc.string(), plain),
      },
      { ...plain, requiredKeys: ['page', 'values'] },
    ),
    unknown: fc.record(
      { page: fc.constant('unknown'), address: fc.stringMatching(/^x[a-z/?=%]*$/) },
      plain,
    ),
  };
  const place = fc.oneof(...Object.values(places));
  fc.assert(fc.property(place, (route) => assert.deepEqual(parseRoute(formatRoute(route)), route)));
});
