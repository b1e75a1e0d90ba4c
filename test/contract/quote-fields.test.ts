import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { extrasOf, quoteExtras } from '../../src/domain/quotes/quote-extra.ts';
import {
  bookFieldNames,
  bookFields,
  plainFieldNames,
} from '../../src/domain/quotes/quote-fields.ts';
import { quoteOfStored } from '../../src/domain/quotes/stored-quote.ts';
import type { Update } from '../../src/domain/quotes/update.ts';
import { Engine } from '../../src/engine/engine.ts';
import { mapPushed } from '../../src/feeds/shapes/map-update.ts';
import { fromQuoteRow, toQuoteRows } from '../../src/store/encoding/quote-row.ts';
import { quoteJson, quoteTable } from '../../src/contract/rows/quote.ts';
import { InstantTexts } from '../../src/wire/texts/instant-texts.ts';
import { extraNames } from '../../src/wire/texts/quote-names.ts';
import { openapi } from '../support/http/contract.ts';
import { sampleUniverse } from '../support/market/sample-market.ts';

const plainNames = Object.keys(quoteTable().plain.fields);

/** Every field of a quote, in every place that a compiler does not compare with its description. */

const at = '2026-11-20T14:00:00-03:00';
const now = Date.parse(at);

const instants = new InstantTexts(sampleUniverse);

/** A pushed update with every field of the book, each with another value near the price. */
const wholeBook = Object.fromEntries(bookFieldNames.map((field, index) => [field, 120 + index]));
const usual = { last: 100, open: 100, high: 110, low: 90, previousClose: 99, volume: 50 };

function pushed(fields: object): Update {
  const mapped = mapPushed({ ticker: 'GGAL', at, ...fields });
  assert.ok('update' in mapped, JSON.stringify(mapped));
  return mapped.update;
}

function openEngine(): Engine {
  return new Engine(sampleUniverse, { settleDelayMs: 900_000, nextVersion: 1 });
}

test('every field survives a push, the writing thread, a stored row and the way to a client', () => {
  const { stored } = openEngine().apply([pushed({ ...usual, ...wholeBook })], now);
  const [written = assert.fail()] = structuredClone(toQuoteRows(stored));
  const row = fromQuoteRow('a row', written);
  const quote = quoteOfStored(sampleUniverse.get(row.ticker), { ...row, source: { name: 'byma' } });
  const json = JSON.parse(quoteJson(quote, quoteExtras, instants)) as Readonly<
    Record<string, unknown>
  >;
  const expected: Readonly<Record<string, string | number | null | undefined>> = {
    especie: 'GGAL',
    fecha: '2026-11-20',
    hora: '14:00:00',
    ultimo: 100,
    variacion: 1.01,
    anterior: 99,
    apertura: 100,
    minimo: 90,
    maximo: 110,
    varMTD: null,
    varYTD: null,
    volumen: 50,
    ...Object.fromEntries(bookFieldNames.map((field) => [extraNames[field], wholeBook[field]])),
    fuente: 'byma',
    instante: at,
  };
  assert.deepEqual(json, expected);
  const names = [...plainNames, ...Object.values(extraNames)];
  assert.deepEqual(Object.keys(json), names);
  const [header, line] = quoteTable(instants)
    .with(quoteExtras)
    .render([quote], 'csv')
    .split('\r\n');
  assert.equal(header, names.join(','));
  assert.equal(line, names.map((name) => expected[name] ?? '').join(','));
});

test('an update that changes one field changes the quote, and a value that is no number is refused', () => {
  const engine = openEngine();
  const first = { ...usual, ...wholeBook };
  assert.equal(engine.apply([pushed(first)], now).quotes.length, 1);
  assert.equal(engine.apply([pushed(first)], now).quotes.length, 0);
  let later = now;
  for (const field of [...plainFieldNames, ...bookFieldNames]) {
    later += 1;
    const update = { ...pushed({ [field]: 105 }), at: later };
    const [quote] = engine.apply([update], later).quotes;
    assert.ok(quote !== undefined, field);
    for (const value of [Number.NaN, -1]) {
      const [outcome] = openEngine().apply([{ ...pushed(first), [field]: value }], now).outcomes;
      assert.notEqual(outcome, 'accepted', `${field}: ${value}`);
    }
  }
});

test('a requested field has the decimals of the price if it is one, and otherwise all of its own', () => {
  const exact = Object.fromEntries(bookFieldNames.map((field) => [field, 100.123_456]));
  const instrument = sampleUniverse.instruments[0] ?? assert.fail();
  const [stored = assert.fail()] = openEngine().apply([pushed(usual)], now).stored;
  const quote = quoteOfStored(instrument, {
    ...stored,
    session: { ...stored.session, book: { at: now, ...exact } },
  });
  for (const field of bookFieldNames) {
    const text = quoteJson(quote, extrasOf([field]));
    const shown = bookFields[field] === 'price' ? '100.1235' : '100.123456';
    assert.ok(text.endsWith(`,"${extraNames[field]}":${shown}}`), text);
  }
});

interface Schema {
  readonly properties: Readonly<Record<string, { readonly type: string | readonly string[] }>>;
  readonly enum: readonly string[];
}

interface Document {
  readonly paths: Readonly<Record<string, { readonly get: unknown }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

test('contract/openapi.json has the fields of a quote, in order, with their types', () => {
  const { paths, components } = openapi as unknown as Document;
  const { Cotizacion, CampoDeCotizacion } = components.schemas;
  const requested = Object.values(extraNames);
  const all = [...plainNames, ...requested];
  assert.deepEqual(Object.keys(Cotizacion?.properties ?? {}), all);
  assert.deepEqual(CampoDeCotizacion?.enum, requested);
  const types = bookFieldNames.map((field) => Cotizacion?.properties[extraNames[field]]?.type);
  const expected = bookFieldNames.map((one) =>
    bookFields[one] === 'count' ? 'integer' : 'number',
  );
  assert.deepEqual(types, expected);
  const text = JSON.stringify(paths['/cotizaciones']?.get);
  const quoted = requested.map((name) => `\`${name}\``);
  const list = new Intl.ListFormat('es').format(quoted);
  const header = (by: string): string =>
    plainNames.join(by) + requested.map((name) => `(${by}${name})?`).join('');
  const described = [
    `Los valores válidos son ${list}.`,
    `Los valores válidos del parámetro «campos» son: ${requested.join(', ')}.`,
    `"value":${JSON.stringify(requested)}`,
    `^(${header(',')}|${header(';')})`,
  ];
  for (const one of described) assert.ok(text.replaceAll('\\n', ' ').includes(one), one);
});

function readDocument(path: string): string {
  return readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');
}

test('the documents name every field that a source can report and every field on request', () => {
  const rows = readDocument('contract.md').split('### 2.7')[1]?.split('\n### ')[0] ?? '';
  assert.deepEqual(
    [...rows.matchAll(/^- `(\w+)`/gm)].map(([, name]) => name),
    Object.values(extraNames),
  );
  const document = readDocument('field-semantics.md');
  for (const field of [...plainFieldNames, ...bookFieldNames]) {
    assert.ok(document.includes(`\`${field}\``), `field-semantics.md does not name ${field}`);
  }
});
