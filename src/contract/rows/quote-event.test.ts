import assert from 'node:assert/strict';
import { test } from 'node:test';

import { sampleQuotes } from '../../../test/support/market/sample-market.ts';
import { extrasOf } from '../../domain/quotes/quote-extra.ts';
import { quoteJson } from './quote.ts';
import { endingEvent, parseLastEventId, quoteEvent, retryField } from './quote-event.ts';

test('contract 4.4.1: an event is named, has the version as its id and the quote in one line of data', () => {
  for (const quote of sampleQuotes) {
    const json = quoteJson(quote);
    assert.equal(quoteEvent(quote), `event: cotizacion\nid: ${quote.version}\ndata: ${json}\n\n`);
    assert.ok(!/[\r\n]/.test(json));
    assert.equal(quoteEvent(quote), quoteEvent(quote));
  }
});

test('contract 4.4.1: the last event has the reason in Spanish and the time to reconnect, and no id', () => {
  for (const ending of ['key-ended', 'too-slow', 'draining'] as const) {
    const text = endingEvent(ending, 2_000);
    assert.match(
      text,
      /^retry: 2000\nevent: cierre\ndata: \{"motivo":"\w+","detalle":"[^"]+\."\}\n\n$/,
    );
    assert.doesNotMatch(text, /^id:/m);
  }
  assert.match(
    endingEvent('selection-changed', 2_000),
    /^retry: 2000\nid:\nevent: cierre\ndata: \{"motivo":"seleccion","detalle":"[^"]+\."\}\n\n$/,
  );
  assert.equal(retryField(5), 'retry: 5\n\n');
});

test('contract 4.4.1: a Last-Event-ID that is not a version is ignored', () => {
  assert.equal(parseLastEventId('0'), 0);
  assert.equal(parseLastEventId('48213'), 48_213);
  for (const header of [undefined, '', 'x', '-1', '1.5', '1e3', ' 1', '9'.repeat(16)]) {
    assert.equal(parseLastEventId(header), undefined);
  }
});

test('contract 4.4.1: the id is the version of the latest change that the client sees', () => {
  const [sample] = sampleQuotes;
  assert.ok(sample !== undefined);
  const quote = { ...sample, version: 9, plainVersion: 4, book: { at: 1, bid: 5, ask: 6 } };
  const extras = extrasOf(['ask']);
  assert.equal(quoteEvent(quote), `event: cotizacion\nid: 4\ndata: ${quoteJson(quote)}\n\n`);
  assert.equal(
    quoteEvent(quote, extras),
    `event: cotizacion\nid: 9\ndata: ${quoteJson(quote, extras)}\n\n`,
  );
  assert.match(quoteEvent(quote, extras), /,"venta":6\}\n/);
});
