import assert from 'node:assert/strict';
import { test } from 'node:test';

import { barAt } from '../../../test/support/market/bar-samples.ts';
import { sampleUniverse } from '../../../test/support/market/sample-market.ts';
import { deferred } from '../../../test/support/wait.ts';
import { Board } from '../../board/board.ts';
import type { Bar } from '../../domain/quotes/minute-bar.ts';
import { makeQuote } from '../../domain/quotes/quote.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { BarReader } from '../../store/contract/bar-store.ts';
import { barTable } from '../../contract/rows/bar.ts';
import type { TableFormat } from '../../contract/table-format.ts';
import { InstantTexts } from '../../wire/texts/instant-texts.ts';
import { HistoryRevisions } from '../../store/contract/history-store.ts';
import { intradiarios } from './intradiarios.ts';
import { nobody, testAnswering } from '../../../test/support/http/answering.ts';

const al30 = sampleUniverse.get('AL30' as Ticker);
const date = '2026-11-20';

/** A store in memory. It counts reads, and can hold them back. */
class Bars implements BarReader {
  stored: readonly Bar[] = [];
  reads = 0;
  gate: Promise<void> | undefined;

  async readBars(_: Ticker, range: Parameters<BarReader['readBars']>[1]): Promise<readonly Bar[]> {
    this.reads += 1;
    const { stored } = this;
    await this.gate;
    return stored.filter(({ day }) => day >= range.from && day <= range.to);
  }

  async latestBarDay(): ReturnType<BarReader['latestBarDay']> {
    return this.stored.at(-1)?.day;
  }
}

function setUp() {
  const board = new Board(sampleUniverse);
  const bars = new Bars();
  const revisions = new HistoryRevisions();
  const instants = new InstantTexts(sampleUniverse);
  const source = intradiarios({ board, bars, revisions, instants }, testAnswering());
  const find = (query: string, format: TableFormat = 'json') => source.find(query, format, nobody);
  let version = 0;
  return {
    bars,
    find,
    revisions,
    /** Publishes a quote with a minute under way. */
    show: (bar: Bar | undefined): void => {
      version += 1;
      const session = { sessionDate: date as PlainDate, last: 1, volume: null };
      board.adopt([makeQuote(al30, { version, session, references: {}, bar })]);
    },
    body: async (query: string, format: TableFormat = 'json'): Promise<string> => {
      const found = await find(query, format);
      assert.ok(found.ok);
      const parts = found.value.body.pick(['identity'])?.parts ?? [];
      return parts.map((part) => part.toString()).join('');
    },
  };
}

function bodyOf(bars: readonly Bar[], format: TableFormat = 'json'): string {
  return barTable().plain.render(
    bars.map((bar) => ({ instrument: al30, bar })),
    format,
  );
}

function flat(time: string, price: number, volume = 1): Bar {
  return barAt(date, time, [price, price, price, price], volume);
}

test('a response has the stored minutes and the one under way, joined to bars of the interval', async () => {
  const { bars, body, show } = setUp();
  bars.stored = [flat('10:59', 1), flat('11:00', 2), flat('11:03', 5)];
  show(flat('11:04', 3, 7));
  const joined = barAt(date, '11:00', [2, 5, 2, 3], 9);
  assert.equal(await body('especie=AL30'), bodyOf([barAt(date, '10:55', [1, 1, 1, 1], 1), joined]));
  for (const format of ['json', 'csv', 'csv-comma'] as const) {
    assert.equal(
      await body('especie=AL30&intervalo=1m', format),
      bodyOf([...bars.stored, flat('11:04', 3, 7)], format),
    );
  }
});

test('a change of the minute under way shows without reading the store', async () => {
  const { bars, body, show } = setUp();
  bars.stored = [flat('11:00', 2)];
  for (const price of [3, 4, 5]) {
    show(flat('11:01', price));
    assert.equal(
      await body('especie=AL30'),
      bodyOf([barAt(date, '11:00', [2, price, 2, price], 2)]),
    );
  }
  assert.equal(bars.reads, 1);
});

test('when a minute is finished, the store is read again', async () => {
  const { bars, body, show } = setUp();
  show(flat('11:00', 1));
  assert.equal(await body('especie=AL30&intervalo=1m'), bodyOf([flat('11:00', 1)]));
  bars.stored = [flat('11:00', 2)];
  show(flat('11:01', 3));
  assert.equal(
    await body('especie=AL30&intervalo=1m'),
    bodyOf([flat('11:00', 2), flat('11:01', 3)]),
  );
  assert.equal(bars.reads, 2);
});

test('minutes of the store that are ahead of the quote, or equal to it, are left out', async () => {
  const { bars, body, show } = setUp();
  bars.stored = [flat('11:00', 1), flat('11:01', 2), flat('11:02', 3)];
  show(flat('11:01', 9));
  assert.equal(
    await body('especie=AL30&intervalo=1m'),
    bodyOf([flat('11:00', 1), flat('11:01', 9)]),
  );
});

test('without a minute under way, the last day is the latest of the store', async () => {
  const { bars, body } = setUp();
  const yesterday = barAt('2026-11-19', '16:00', [1, 1, 1, 1], 1);
  bars.stored = [yesterday];
  assert.equal(await body('especie=AL30&intervalo=1m'), bodyOf([yesterday]));
});

test('an instrument without bars, a range without them, and an unknown one have an empty body', async () => {
  const { bars, body, find, show } = setUp();
  assert.equal(await body('especie=AL30'), '[]');
  assert.equal(await body('especie=AL30&desde=2026-11-01&hasta=2026-11-30'), '[]');
  assert.equal(await body('especie=AL30', 'csv'), bodyOf([], 'csv'));
  bars.stored = [flat('11:00', 1)];
  show(flat('11:01', 1));
  assert.equal(await body('especie=AL30&hasta=2026-11-19'), '[]');
  assert.equal(await body('especie=AL30&desde=2026-11-21'), '[]');
  const unknown = await find('especie=no', 'csv-comma');
  assert.ok(unknown.ok);
  assert.equal(await body('especie=no', 'csv-comma'), bodyOf([], 'csv-comma'));
});

test('a range of earlier days has no minute under way, and is read once', async () => {
  const { bars, body, show } = setUp();
  const earlier = barAt('2026-11-19', '16:00', [1, 1, 1, 1], 1);
  bars.stored = [earlier, flat('11:00', 2)];
  const query = 'especie=AL30&desde=2026-11-19&hasta=2026-11-19&intervalo=1m';
  for (const time of ['11:01', '11:02', '11:03']) {
    show(flat(time, 2));
    assert.equal(await body(query), bodyOf([earlier]));
  }
  assert.equal(bars.reads, 1);
  const both = 'especie=AL30&desde=2026-11-19&intervalo=1m';
  assert.equal(await body(both), bodyOf([earlier, flat('11:00', 2), flat('11:03', 2)]));
});

test('a range that was read while its day was under way is read again after the day', async () => {
  const { bars, body, show } = setUp();
  show(flat('16:59', 1));
  const query = `especie=AL30&desde=${date}&hasta=${date}&intervalo=1m`;
  assert.equal(await body(query), bodyOf([flat('16:59', 1)]));
  bars.stored = [flat('16:59', 2)];
  show(barAt('2026-11-24', '10:30', [1, 1, 1, 1], 1));
  assert.equal(await body(query), bodyOf([flat('16:59', 2)]));
  const next = barAt('2026-11-24', '10:30', [1, 1, 1, 1], 1);
  assert.equal(await body('especie=AL30&intervalo=1m'), bodyOf([next]));
});

test('a response of an instrument that has changed is read again, also when it was being read', async () => {
  const { bars, body, revisions } = setUp();
  const query = 'especie=AL30&intervalo=1m';
  bars.stored = [flat('10:59', 1)];
  assert.equal(await body(query), bodyOf([flat('10:59', 1)]));
  bars.stored = [flat('10:58', 7), flat('10:59', 1)];
  revisions.increase(['GGAL' as Ticker]);
  assert.equal(await body(query), bodyOf([flat('10:59', 1)]));
  revisions.increase([al30.ticker]);
  assert.equal(await body(query), bodyOf(bars.stored));

  revisions.increase([al30.ticker]);
  const gate = deferred<void>();
  bars.gate = gate.promise;
  const early = body(query);
  bars.stored = [flat('10:57', 8)];
  revisions.increase([al30.ticker]);
  gate.resolve();
  await early;
  assert.equal(await body(query), bodyOf(bars.stored));
});
