import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseWith } from '../../../../test/support/http/parse-with.ts';
import type { Parsed } from '../../../domain/values/problem.ts';
import { history } from './history.ts';
import { timescaleMarks } from './marks.ts';
import { quotes } from './quotes.ts';
import { search, symbols } from './symbols.ts';

function problemOf(parsed: Parsed<unknown>): unknown {
  assert.ok(!parsed.ok, 'it was accepted');
  return parsed.problem;
}

const parseChartParams = (query: string) => parseWith(history, query);
const parseMarkParams = (query: string) => parseWith(timescaleMarks, query);
const parseSymbol = (query: string) => parseWith(symbols, query);
const parseSymbols = (query: string, max: number) => parseWith(quotes, query, max);
const parseSymbolSearch = (query: string) => parseWith(search, query);

const chart = 'symbol=GGAL&resolution=1D&from=1&to=2';

test('contract 4.15.7: a chart has a symbol, a length of bars and two instants', () => {
  assert.deepEqual(parseChartParams(chart), {
    ok: true,
    value: {
      symbol: 'GGAL',
      interval: 'day',
      range: { from: 86_400, to: 86_400, countback: undefined },
    },
  });
  assert.deepEqual(parseChartParams('symbol=BYMA:ggal&resolution=60&from=-9&to=-2&countback=3'), {
    ok: true,
    value: { symbol: 'BYMA:ggal', interval: 60, range: { from: 0, to: 0, countback: 3 } },
  });
});

/** The instants of a chart, as the bars are found by them. */
function rangeOf(resolution: string, from: number, to: number): unknown {
  const query = `symbol=GGAL&resolution=${resolution}&from=${from}&to=${to}`;
  const parsed = parseChartParams(query);
  return parsed.ok && [parsed.value.range.from, parsed.value.range.to];
}

test('contract 4.15.7: the instants within a day or a minute request the same bars', () => {
  assert.deepEqual(rangeOf('1D', 1, 86_400), [86_400, 86_400]);
  assert.deepEqual(rangeOf('1D', 86_400, 86_401), [86_400, 172_800]);
  assert.deepEqual(rangeOf('D', -86_399, -86_400), [0, -86_400]);
  assert.deepEqual(rangeOf('5', 1, 60), [60, 60]);
  assert.deepEqual(rangeOf('60', 60, 61), [60, 120]);
});

/** The length of the bars of a name, or the problem of the name. */
function intervalOf(name: string): unknown {
  const parsed = parseChartParams(`symbol=GGAL&resolution=${name}&from=1&to=2`);
  return parsed.ok ? parsed.value.interval : parsed.problem;
}

test('contract 4.15.7: bars have 1, 5, 15 or 60 minutes, a day, a week or a month, and no other length', () => {
  const valid = ['1', '5', '15', '60', 'D', '1D', 'W', '1W', 'M', '1M'];
  const [day, week, month] = ['day', 'week', 'month'];
  assert.deepEqual(valid.map(intervalOf), [1, 5, 15, 60, day, day, week, week, month, month]);
  for (const value of ['30', '240', '2W', 'm', '0', 'd', 'X']) {
    const problem = { type: 'value-unknown', parameter: 'resolution', value, valid };
    assert.deepEqual(intervalOf(value), problem);
  }
});

test('contract 4.15.7: countback is 1 to 20,000, and with it the start need not be sent', () => {
  const parsed = parseChartParams('symbol=GGAL&resolution=5&to=2&countback=20000');
  assert.deepEqual(parsed.ok && parsed.value, {
    symbol: 'GGAL',
    interval: 5,
    range: { from: 0, to: 60, countback: 20_000 },
  });
  const smallest = parseChartParams(`${chart}&countback=1`);
  assert.deepEqual(smallest.ok && smallest.value.range, { from: 0, to: 86_400, countback: 1 });
  for (const value of ['0', '20001', 'x']) {
    assert.deepEqual(problemOf(parseChartParams(`${chart}&countback=${value}`)), {
      type: 'integer-malformed',
      parameter: 'countback',
      value,
      min: 1,
      max: 20_000,
    });
  }
});

test('contract 4.15.11: a missing, empty or repeated parameter is a problem that names it', () => {
  const paths = [
    ['/udf/history', parseChartParams, { symbol: 'X', resolution: '1', from: '1', to: '2' }],
    ['/udf/timescale_marks', parseMarkParams, { symbol: 'X', from: '1', to: '2' }],
    ['/udf/symbols', parseSymbol, { symbol: 'X' }],
    ['/udf/quotes', (query: string) => parseSymbols(query, 2), { symbols: 'X' }],
  ] as const;
  for (const [path, parse, all] of paths) {
    for (const parameter of Object.keys(all)) {
      const { [parameter as keyof typeof all]: _, ...others } = all;
      const query = new URLSearchParams(others).toString();
      const missing = { type: 'parameter-missing', parameter, path };
      assert.deepEqual(problemOf(parse(query)), missing);
      assert.deepEqual(problemOf(parse(`${query}&${parameter}=+`)), missing);
      const twice = `${query}&${parameter}=1&${parameter}=1`;
      assert.deepEqual(problemOf(parse(twice)), { type: 'parameter-repeated', parameter });
    }
  }
});

test('contract 4.15.10: marks are of a symbol and a range, each an instant that a date can have', () => {
  assert.deepEqual(parseMarkParams('symbol=GGAL&from=-8640000000000&to=8640000000000'), {
    ok: true,
    value: { symbol: 'GGAL', from: -8_640_000_000_000, to: 8_640_000_000_000 },
  });
  for (const parse of [parseMarkParams, parseChartParams]) {
    for (const parameter of ['from', 'to']) {
      for (const value of ['8640000000001', '1.5', 'x']) {
        const query = new URLSearchParams(chart);
        query.set(parameter, value);
        if (parse === parseMarkParams) query.delete('resolution');
        assert.deepEqual(problemOf(parse(query.toString())), {
          type: 'integer-malformed',
          parameter,
          value,
          min: -8_640_000_000_000,
          max: 8_640_000_000_000,
        });
      }
    }
  }
});

test('contract 4.15.4: a symbol is taken as it was sent', () => {
  assert.deepEqual(parseSymbol('symbol=DOLAR+MEP'), { ok: true, value: { symbol: 'DOLAR MEP' } });
  assert.deepEqual(parseSymbol('symbol=BYMA%3AGGAL'), { ok: true, value: { symbol: 'BYMA:GGAL' } });
});

test('contract 4.15.9: each part of a list is a symbol, empty parts too, and the number has a limit', () => {
  assert.deepEqual(parseSymbols('symbols=GGAL,,DOLAR%20MEP', 3), {
    ok: true,
    value: { symbols: ['GGAL', '', 'DOLAR MEP'] },
  });
  assert.deepEqual(problemOf(parseSymbols('symbols=A,B,C,D', 3)), {
    type: 'tickers-too-many',
    parameter: 'symbols',
    count: 4,
    max: 3,
  });
});

test('contract 4.15.6: a search is folded, has 30 results by default, and at most 50', () => {
  assert.deepEqual(parseSymbolSearch('query=d%C3%B3lar++mep&type=forex&exchange=BYMA&limit=50'), {
    ok: true,
    value: { text: 'DOLAR MEP', limit: 50, type: 'forex', exchange: 'BYMA' },
  });
  assert.deepEqual(parseSymbolSearch(''), {
    ok: true,
    value: { text: '', limit: 30, type: '', exchange: '' },
  });
  for (const value of ['0', '51', 'x']) {
    const problem = { type: 'integer-malformed', parameter: 'limit', value, min: 1, max: 50 };
    assert.deepEqual(problemOf(parseSymbolSearch(`limit=${value}`)), problem);
  }
  for (const parameter of ['query', 'type', 'exchange']) {
    assert.deepEqual(problemOf(parseSymbolSearch(`${parameter}=a&${parameter}=b`)), {
      type: 'parameter-repeated',
      parameter,
    });
  }
});

/** What is searched for a text of some length. */
function textOf(length: number): unknown {
  const parsed = parseSymbolSearch(`query=${'a'.repeat(length)}`);
  return parsed.ok && parsed.value.text;
}

test('contract 4.15.6: a text of 100 characters is searched, and a longer one matches nothing', () => {
  assert.equal(textOf(100), 'A'.repeat(100));
  assert.equal(textOf(101), undefined);
});
