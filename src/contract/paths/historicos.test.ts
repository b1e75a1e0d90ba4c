import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseWith } from '../../../test/support/http/parse-with.ts';
import { historicos, type HistoryQuery } from './historicos.ts';

type Flat = Omit<HistoryQuery, 'subject'> & HistoryQuery['subject'];

/** What a query asks for, without its groups. */
function wantedBy(query: string): Flat {
  const parsed = parseWith(historicos, query, 3);
  assert.ok(parsed.ok, JSON.stringify(parsed));
  const { subject, ...further } = parsed.value;
  return { ...subject, ...further };
}

function problemOf(query: string): unknown {
  const parsed = parseWith(historicos, query, 3);
  assert.ok(!parsed.ok, `${query} was accepted`);
  return parsed.problem;
}

test('contract 4.2: a ticker and two dates are a query, and a range may be one day', () => {
  assert.deepEqual(wantedBy('especie=dolar++mep&desde=2024-02-29&hasta=2024-02-29'), {
    selection: { tickers: ['dolar mep'] },
    from: '2024-02-29',
    to: '2024-02-29',
    cell: 'closes',
    adjustment: 'none',
    period: 'day',
    conversion: undefined,
    fields: [],
    knownAt: undefined,
  });
});

test('contract 4.2.1: each missing or empty parameter is a problem that names it', () => {
  const all = { especie: 'AL30', desde: '2026-01-01', hasta: '2026-01-31' };
  for (const parameter of Object.keys(all)) {
    const { [parameter as keyof typeof all]: _, ...others } = all;
    const query = new URLSearchParams(others).toString();
    const problem = { type: 'parameter-missing', parameter, path: '/historicos' };
    assert.deepEqual(problemOf(query), problem);
    assert.deepEqual(problemOf(`${query}&${parameter}=`), problem);
    assert.deepEqual(problemOf(`${query}&${parameter}=+%20`), problem);
  }
});

test('contract 4.2.1: a value that is not a date is a problem that names parameter and value', () => {
  const values = [
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '2026-1-1',
    '01/02/2026',
    '20260101',
    '2026-01-01T00:00:00',
    '2026-01-01 ',
    '0000-01-01',
    '-2026-01-01',
    'hoy',
    '２０２６-01-01',
  ];
  for (const value of values) {
    const sent = encodeURIComponent(value);
    assert.deepEqual(problemOf(`especie=AL30&desde=${sent}&hasta=2026-12-31`), {
      type: 'date-malformed',
      parameter: 'desde',
      value,
    });
    assert.deepEqual(problemOf(`especie=AL30&desde=2020-01-01&hasta=${sent}`), {
      type: 'date-malformed',
      parameter: 'hasta',
      value,
    });
  }
});

test('contract 4.2.1: a value that is not well encoded is a problem', () => {
  for (const parameter of ['hasta', 'ajuste', 'campos']) {
    assert.deepEqual(problemOf(`${parameter}=%zz`), {
      type: 'parameter-malformed',
      parameter,
      value: '%zz',
    });
  }
});

test('contract 4.2.1: desde after hasta is a problem', () => {
  assert.deepEqual(problemOf('especie=AL30&desde=2026-01-02&hasta=2026-01-01'), {
    type: 'range-reversed',
    from: '2026-01-02',
    to: '2026-01-01',
  });
});

test('contract 4.2.1: more than one ticker is a problem, whichever way they are sent', () => {
  const range = 'desde=2026-01-01&hasta=2026-01-31';
  assert.deepEqual(problemOf(`especie=AL30,GD30&${range}`), {
    type: 'ticker-not-single',
    parameter: 'especie',
    path: '/historicos',
    value: 'AL30,GD30',
  });
  assert.deepEqual(problemOf(`especie=AL30%2C&${range}`), {
    type: 'ticker-not-single',
    parameter: 'especie',
    path: '/historicos',
    value: 'AL30,',
  });
  assert.deepEqual(problemOf(`especie=AL30&especie=AL30&${range}`), {
    type: 'parameter-repeated',
    parameter: 'especie',
  });
});

const range = 'especie=AL30&desde=2026-01-01&hasta=2026-01-31';

function viewOf(query: string): unknown {
  const { adjustment, fields, form } = wantedBy(`${range}&${query}`);
  assert.equal(form, undefined);
  return { adjustment, fields };
}

test('contract 4.2.5: ajuste is one of three values, and ninguno by default', () => {
  assert.deepEqual(viewOf(''), { adjustment: 'none', fields: [] });
  assert.deepEqual(viewOf('ajuste=ninguno'), { adjustment: 'none', fields: [] });
  assert.deepEqual(viewOf('ajuste=splits'), { adjustment: 'splits', fields: [] });
  assert.deepEqual(viewOf('ajuste=total'), { adjustment: 'total', fields: [] });
});

test('contract 4.2.8: campos is a list in any order, and each field is given once, in the order of a row', () => {
  assert.deepEqual(viewOf('campos=minimo'), { adjustment: 'none', fields: ['lows'] });
  assert.deepEqual(viewOf('campos=minimo,apertura,minimo'), {
    adjustment: 'none',
    fields: ['opens', 'lows'],
  });
  assert.deepEqual(viewOf('campos=instante,minimo'), {
    adjustment: 'none',
    fields: ['lows', 'instant'],
  });
  assert.deepEqual(viewOf('campos=minimo%2Cmaximo,apertura'), {
    adjustment: 'none',
    fields: ['opens', 'highs', 'lows'],
  });
});

test('contract 4.2.5, 4.2.8: another value is a problem that names it and lists the valid ones', () => {
  const adjustments = ['ninguno', 'splits', 'total'];
  for (const value of ['', 'Splits', 'splits ', 'none', 'splits,total', '__proto__']) {
    const problem = { type: 'value-unknown', parameter: 'ajuste', value, valid: adjustments };
    assert.deepEqual(problemOf(`${range}&ajuste=${encodeURIComponent(value)}`), problem);
  }
  const fields = ['apertura', 'maximo', 'minimo', 'instante'];
  for (const [list, value] of [
    ['', ''],
    ['apertura,', ''],
    [',minimo', ''],
    ['apertura,maximo;minimo', 'maximo;minimo'],
    ['maximo,volumen,x', 'volumen'],
    ['APERTURA', 'APERTURA'],
  ] as const) {
    const problem = { type: 'field-unknown', value, valid: fields };
    assert.deepEqual(problemOf(`${range}&campos=${encodeURIComponent(list)}`), problem);
  }
});

test('contract 4.2.16: intervalo is one of three values, and a day by default', () => {
  assert.equal(wantedBy(range).period, 'day');
  for (const [value, period] of [
    ['1d', 'day'],
    ['1sem', 'week'],
    ['1mes', 'month'],
  ]) {
    assert.equal(wantedBy(`${range}&intervalo=${value}`).period, period);
  }
  for (const value of ['', '1w', '1SEM', '1m', '1sem,1mes']) {
    const problem = { type: 'value-unknown', parameter: 'intervalo', value };
    const valid = ['1d', '1sem', '1mes'];
    assert.deepEqual(problemOf(`${range}&intervalo=${value}`), { ...problem, valid });
  }
});

test('contract 4.2.5: a repeated ajuste is a problem, also with equal values', () => {
  const problem = { type: 'parameter-repeated', parameter: 'ajuste' };
  assert.deepEqual(problemOf(`${range}&ajuste=total&ajuste=total`), problem);
});

test('contract 4.2.8: several campos count as one list', () => {
  const view = { adjustment: 'none', fields: ['opens', 'lows'] };
  assert.deepEqual(viewOf('campos=minimo&campos=apertura'), view);
});

test('contract 4.2.1: a problem of the ticker and the range comes before one of ajuste and campos', () => {
  assert.deepEqual(problemOf('ajuste=x&campos=x&especie=AL30&desde=2026-01-01'), {
    type: 'parameter-missing',
    parameter: 'hasta',
    path: '/historicos',
  });
  const { type } = problemOf(`${range}&campos=x&ajuste=x`) as { readonly type: string };
  assert.equal(type, 'value-unknown');
});

const days = 'desde=2026-01-01&hasta=2026-01-31';
const joined = {
  selection: { tickers: ['AL30', 'dolar mep'] },
  from: '2026-01-01',
  to: '2026-01-31',
  adjustment: 'none',
  period: 'day',
  conversion: undefined,
  fields: [],
  cell: 'closes',
  knownAt: undefined,
};

test('contract 4.2.10: with forma, especie is a list, and panel is allowed', () => {
  for (const list of ['especie=AL30,dolar+mep', 'especie=AL30,,&especie=+dolar%20%20mep']) {
    assert.deepEqual(wantedBy(`${list}&${days}&forma=larga`), { ...joined, form: 'long' });
  }
  assert.deepEqual(wantedBy(`panel=LID&${days}&forma=ancha&ajuste=total`), {
    ...joined,
    selection: { tickers: [], panel: 'LID' },
    form: 'wide',
    adjustment: 'total',
  });
});

test('contract 4.2.11, 4.2.12: larga takes campos, ancha takes campo, and each refuses the other', () => {
  const list = `especie=AL30,dolar+mep&${days}`;
  assert.deepEqual(wantedBy(`${list}&forma=larga&campos=minimo,apertura`), {
    ...joined,
    form: 'long',
    fields: ['opens', 'lows'],
  });
  for (const [name, cell] of [
    ['ultimo', 'closes'],
    ['apertura', 'opens'],
    ['maximo', 'highs'],
    ['minimo', 'lows'],
    ['volumen', 'volumes'],
  ]) {
    assert.deepEqual(wantedBy(`${list}&forma=ancha&campo=${name}`), {
      ...joined,
      form: 'wide',
      cell,
    });
  }
  const type = 'parameter-of-other-form';
  assert.deepEqual(problemOf(`${list}&forma=ancha&campos=minimo`), {
    type,
    parameter: 'campos',
    form: 'ancha',
    instead: 'campo',
  });
  assert.deepEqual(problemOf(`${list}&forma=larga&campo=minimo`), {
    type,
    parameter: 'campo',
    form: 'larga',
    instead: 'campos',
  });
});

test('contract 4.2.10: the limit of tickers and the required dates apply with forma, too', () => {
  assert.deepEqual(problemOf(`especie=A,B,,C,D&${days}&forma=larga`), {
    type: 'tickers-too-many',
    parameter: 'especie',
    count: 4,
    max: 3,
  });
  assert.deepEqual(problemOf('especie=A,B&desde=2026-01-01&forma=larga'), {
    type: 'parameter-missing',
    parameter: 'hasta',
    path: '/historicos',
  });
  assert.deepEqual(problemOf(`${days}&forma=larga`), { type: 'selection-missing' });
});

test('contract 4.5.6: without forma, panel and campo are not read at all', () => {
  const plain = wantedBy(range);
  for (const further of ['panel=nada', 'panel=LID&panel=LID', 'campo=x', 'campo=%zz']) {
    assert.deepEqual(wantedBy(`${range}&${further}`), plain);
  }
});

test('contract 4.18.1: a request for one instrument or for several may ask as of an instant', () => {
  const query = 'especie=GGAL&desde=2026-01-01&hasta=2026-01-01';
  for (const one of [query, `${query}&forma=ancha`]) {
    const { knownAt } = wantedBy(`${one}&conocido=2026-01-02T01:00:00%2B01:00`);
    assert.equal(knownAt, Date.UTC(2026, 0, 2));
    assert.equal(wantedBy(one).knownAt, undefined);
    assert.deepEqual(problemOf(`${one}&conocido=`), {
      type: 'instant-malformed',
      parameter: 'conocido',
      value: '',
    });
  }
});

function keyOf(query: string): string | undefined {
  const read = historicos.read(query, { tickersMax: 3 });
  return read.ok ? read.value.key : undefined;
}

test('contract 4.5.6: queries that differ in what is not read ask for the same', () => {
  assert.equal(keyOf(`${range}&panel=LID&campo=x`), keyOf(range));
  assert.notEqual(keyOf(`${range}&forma=larga&panel=LID`), keyOf(`${range}&forma=larga`));
});
