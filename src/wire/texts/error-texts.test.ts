import assert from 'node:assert/strict';
import { test } from 'node:test';

import { panelCodes } from '../../domain/instruments/panel.ts';
import { echoedCharactersMax, errorResponse, problemResponse } from './error-texts.ts';

function textOf({ body }: { readonly body: string }): string {
  const parsed = JSON.parse(body) as { readonly error: string };
  assert.deepEqual(Object.keys(parsed), ['error']);
  return parsed.error;
}

test('contract 4.1.2: the text names the panel that was sent and lists the eleven codes in order', () => {
  const answer = problemResponse({ type: 'panel-unknown', value: 'lid', valid: panelCodes });
  assert.equal(answer.status, 400);
  assert.equal(
    textOf(answer),
    'El panel «lid» no existe. Los valores válidos del parámetro «panel» son: ' +
      'LID, GEN, LIDGEN, BONOS, BON, ETF, ADR, ADRARG, VARIAS, CED, IND.',
  );
});

test('contract 2.3: every text consists of complete sentences, with every placeholder filled', () => {
  const answers = [
    problemResponse({ type: 'selection-missing' }),
    problemResponse({ type: 'panel-missing', path: '/ranking', valid: panelCodes }),
    problemResponse({ type: 'panel-repeated' }),
    problemResponse({ type: 'parameter-missing', parameter: 'desde', path: '/historicos' }),
    problemResponse({ type: 'parameter-repeated', parameter: 'desde' }),
    problemResponse({ type: 'parameter-malformed', parameter: 'especie', value: '%zz' }),
    problemResponse({ type: 'date-malformed', parameter: 'hasta', value: 'hoy' }),
    problemResponse({ type: 'instant-malformed', parameter: 'conocido', value: 'ayer' }),
    problemResponse({
      type: 'instant-without-sign',
      parameter: 'conocido',
      value: '2026-11-20T14:00:00 00:00',
    }),
    problemResponse({
      type: 'instant-to-come',
      parameter: 'conocido',
      value: '2026-11-21T14:00:00.000Z',
      now: '2026-11-20T14:00:00.000Z',
    }),
    problemResponse({ type: 'subject-not-single', path: '/cambios' }),
    problemResponse({ type: 'range-reversed', from: '2026-02-01', to: '2026-01-01' }),
    problemResponse({ type: 'tickers-too-many', parameter: 'especie', count: 501, max: 500 }),
    problemResponse({ type: 'rows-too-many', count: 100_001, max: 100_000 }),
    problemResponse({
      type: 'integer-malformed',
      parameter: 'countback',
      value: '0',
      min: 1,
      max: 20_000,
    }),
    problemResponse({ type: 'search-empty' }),
    problemResponse({ type: 'search-too-long', count: 101, max: 100 }),
    problemResponse({ type: 'year-malformed', parameter: 'anio', value: 'x' }),
    problemResponse({ type: 'field-unknown', value: 'x', valid: ['fecha'] }),
    problemResponse({ type: 'value-unknown', parameter: 'formato', value: 'x', valid: ['csv'] }),
    problemResponse({
      type: 'ticker-not-single',
      parameter: 'especie',
      path: '/historicos',
      value: 'A,B',
    }),
    errorResponse('target-too-long', { max: 16_384 }),
    errorResponse('method-not-allowed', { method: 'POST', valid: ['GET', 'HEAD'] }),
  ];
  for (const answer of answers) {
    const text = textOf(answer);
    assert.match(text, /^[A-ZÁÉÍÓÚ].*\.$/u);
    assert.doesNotMatch(text, /[{}]|undefined/);
  }
});

test("a client's own text is truncated where it is long, and escaped for terminals", () => {
  const long = textOf(
    problemResponse({
      type: 'ticker-not-single',
      parameter: 'especie',
      path: '/historicos',
      value: 'Ñ'.repeat(5000),
    }),
  );
  assert.ok(long.includes(`«${'Ñ'.repeat(echoedCharactersMax)}…»`));
  const hostile = '\u001B[31m\r\n\u202Eabc\u2028';
  const text = textOf(
    problemResponse({ type: 'date-malformed', parameter: 'desde', value: hostile }),
  );
  assert.ok(text.includes('«\\u{1b}[31m\\u{d}\\u{a}\\u{202e}abc\\u{2028}»'), text);
});

test('a text that looks like a placeholder or a replacement pattern is shown unchanged', () => {
  const text = textOf(
    problemResponse({
      type: 'ticker-not-single',
      parameter: 'especie',
      path: '/historicos',
      value: "{value},$&,$'",
    }),
  );
  assert.ok(text.includes("«{value},$&,$'»"), text);
});
