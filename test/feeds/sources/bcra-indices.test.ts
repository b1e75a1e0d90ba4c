import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { fromEpochDay, type PlainDate } from '../../../src/domain/calendar/plain-date.ts';
import type { IndexName } from '../../../src/domain/indices/index-name.ts';
import type { FeedDeps } from '../../../src/feeds/contract/feed-type.ts';
import { argentinadatosType } from '../../../src/feeds/sources/argentinadatos.ts';
import { bcraType } from '../../../src/feeds/sources/bcra.ts';
import type { IndexBatch } from '../../../src/feeds/contract/history-source.ts';
import { fixed, SourceServer, type Responder } from '../../support/http/source-server.ts';
import { sharedData } from '../../support/program/shared-data.ts';
import { fieldsIn } from '../../support/fields-in.ts';

const now = Date.parse('2026-11-20T18:00:00Z');

/** A response in the form of v4.0: the rows of a page, newest first, and the number of rows of the range. */
function page(id: number, rows: readonly (readonly [string, unknown])[], count = rows.length) {
  const detalle = rows.map(([fecha, valor]) => ({ fecha, valor }));
  const metadata = { resultset: { count, offset: 0, limit: 3_000 } };
  return JSON.stringify({ status: 200, metadata, results: [{ idVariable: id, detalle }] });
}

const always =
  (body: string): Responder =>
  (_, response) =>
    void response.end(body);

const limited: Responder = (_, response) =>
  void response.writeHead(429, { 'retry-after': '7' }).end();

async function fetchFrom(
  respond: Responder,
  request: { readonly index?: IndexName; readonly from?: string; readonly to?: string } = {},
): Promise<IndexBatch & { readonly urls: readonly string[] }> {
  await using server = await SourceServer.start();
  server.respond = respond;
  const config = bcraType.schema.parse({ name: 'bcra', type: 'bcra', url: server.url });
  const source = bcraType.createIndices?.(config, {
    clock: { now: () => now, monotonic: () => performance.now() },
    // The pauses between pages are left out.
    pause: async () => undefined,
  } as unknown as FeedDeps);
  assert.ok(source !== undefined);
  const { index = 'CER', from = '2002-01-01', to } = request;
  const batch = await source.fetch(
    { index, from: from as PlainDate, to: to as PlainDate | undefined },
    AbortSignal.timeout(600_000),
  );
  return { ...batch, urls: server.requests.map(({ url }) => url) };
}

const shown = ({ values }: IndexBatch) =>
  values.map(({ day, value }) => [fromEpochDay(day), value]);
const reasons = ({ rejected }: IndexBatch) =>
  rejected.map(({ reason, date }) => `${reason} ${date ?? ''}`.trim()).toSorted();

test('bcra: all pages of an index are read, sorted by day, with the days to come that are published', async () => {
  const pages = [
    page(
      30,
      [
        ['2026-12-15', 766.0001],
        ['2026-11-20', 754.9],
      ],
      5,
    ),
    page(
      30,
      [
        ['2026-11-18', 753.1],
        ['2026-11-19', 754],
      ],
      5,
    ),
    // The series has grown by a row meanwhile, so that a row is sent twice.
    page(30, [['2026-11-18', 753.1]], 6),
    page(30, [], 6),
  ];
  const batch = await fetchFrom((_, response) => void response.end(pages.shift()));
  assert.deepEqual(shown(batch), [
    ['2026-11-18', 753.1],
    ['2026-11-19', 754],
    ['2026-11-20', 754.9],
    ['2026-12-15', 766.0001],
  ]);
  assert.deepEqual(batch.rejected, []);
  assert.deepEqual(
    batch.urls,
    [0, 2, 4, 5].map(
      (offset) => `/estadisticas/v4.0/Monetarias/30?desde=2002-01-01&limit=3000&offset=${offset}`,
    ),
  );
});

test('bcra: each index is requested by its variable, and a last day only if it is past: a date to come is refused', async () => {
  for (const [index, id] of [
    ['CER', 30],
    ['UVA', 31],
    ['A3500', 5],
    ['TAMAR', 44],
    ['BADLAR', 7],
  ] as const) {
    const past = { index, from: '2026-11-01', to: '2026-11-10' };
    const { urls } = await fetchFrom(always(page(id, [['2026-11-09', 7]])), past);
    const path = `/estadisticas/v4.0/Monetarias/${id}`;
    assert.deepEqual(urls, [`${path}?desde=2026-11-01&hasta=2026-11-10&limit=3000&offset=0`]);
  }
  const ahead = { from: '2026-11-01', to: '2026-12-31' };
  const { urls } = await fetchFrom(always(page(30, [['2026-11-09', 7]])), ahead);
  assert.doesNotMatch(urls.join('\n'), /hasta/);
});

test('bcra: two values of one day are both rejected if they differ, and the day stays without a value', async () => {
  const batch = await fetchFrom(
    always(
      page(30, [
        ['2026-11-20', 754.9],
        ['2026-11-19', 754],
        ['2026-11-19', 755],
        ['2026-11-18', 753.1],
        ['2026-11-18', 753.1],
      ]),
    ),
  );
  assert.deepEqual(shown(batch), [
    ['2026-11-18', 753.1],
    ['2026-11-20', 754.9],
  ]);
  assert.deepEqual(reasons(batch), ['repeated 2026-11-19']);
});

test('bcra: a row without a day that can be right or without a value above zero is rejected, and the others are used', async () => {
  const batch = await fetchFrom(
    always(
      page(30, [
        ['2027-06-01', 800],
        ['0001-01-01', 800],
        ['2026-02-30', 800],
        ['2026-11-20', null],
        ['2026-11-19', 0],
        ['2026-11-18', '753,1'],
        ['2026-11-17', 752],
      ]),
    ),
  );
  assert.deepEqual(shown(batch), [['2026-11-17', 752]]);
  assert.deepEqual(reasons(batch), [
    'bad-instant',
    'bad-instant 0001-01-01',
    'bad-instant 2027-06-01',
    'no-price',
    'no-price',
    'no-price 2026-11-19',
  ]);
});

test('bcra: another document, another variable, a refusal and a limit are faults, and nothing is given', async () => {
  for (const body of [
    '<html>',
    '{}',
    '{"status":400,"errorMessages":["Fecha inválida"]}',
    page(31, [['2026-11-18', 1_900]]),
    page(30, [['2026-11-18', 753.1]]).slice(0, -20),
  ]) {
    await assert.rejects(fetchFrom(always(body)), { code: 'unintelligible' }, body);
  }
  await assert.rejects(fetchFrom(fixed(500)), { code: 'unavailable' });
  await assert.rejects(fetchFrom(fixed(400)), { code: 'invalid-request' });
  await assert.rejects(fetchFrom(limited), { code: 'limited', retryAfterMs: 7_000 });
  const second = [page(30, [['2026-11-18', 753.1]], 2), '<html>'];
  await assert.rejects(
    fetchFrom((_, response) => void response.end(second.shift())),
    { code: 'unintelligible' },
    'a part of a series would look complete',
  );
});

const recorded = sharedData('payloads/bcra/monetarias-4-202603.json');

test(
  'bcra: a recorded response is read, although it has fewer rows than it counts',
  { skip: recorded === undefined ? 'without the market data of the authors' : false },
  async () => {
    const body = readFileSync(recorded ?? '', 'utf8').replace('"idVariable": 4', '"idVariable": 5');
    const bodies = [body, page(5, [], 19)];
    const batch = await fetchFrom((_, response) => void response.end(bodies.shift()), {
      index: 'A3500',
    });
    assert.deepEqual(shown(batch), [
      ['2026-03-27', 1_404.43],
      ['2026-03-30', 1_419.32],
    ]);
  },
);

test('bcra: ICL is variable 40, and the inflation of each month variable 27, which may be negative', async () => {
  // As the bank published them for 2024, and the fall of prices of February 1999.
  const published = [
    ['2024-02-29', 13.2],
    ['2024-01-31', 20.6],
    ['1999-02-28', -0.2],
  ] as const;
  const ipc = await fetchFrom(
    always(page(27, [...published, ['2024-03-15', 11], ['2024-04-30', 'x']])),
    {
      index: 'IPC',
      from: '1943-01-01',
    },
  );
  assert.deepEqual(shown(ipc), published.toReversed());
  assert.deepEqual(reasons(ipc), ['bad-instant 2024-03-15', 'no-price']);
  assert.match(ipc.urls[0] ?? '', /Monetarias\/27\?desde=1943-01-01/);
  const icl = await fetchFrom(always(page(40, [['2026-12-15', 31.25]])), { index: 'ICL' });
  assert.deepEqual(shown(icl), [['2026-12-15', 31.25]]);
  assert.match(icl.urls[0] ?? '', /Monetarias\/40/);
});

test('argentinadatos: the inflation of each month is read, and a row that is none is rejected', async () => {
  await using server = await SourceServer.start();
  const rows = [
    { fecha: '2024-01-31', valor: 20.6 },
    { fecha: '2024-02-29', valor: 13.2 },
    { fecha: '2024-03-31', valor: null },
    { fecha: 'x', valor: 11 },
  ];
  server.respond = always(JSON.stringify(rows));
  const config = { type: 'argentinadatos', name: 'ad', url: server.url };
  const parsed = argentinadatosType.schema.parse(config);
  const clock = { now: () => now, monotonic: () => performance.now() };
  const source = argentinadatosType.createIndices?.(parsed, { clock } as FeedDeps);
  assert.ok(source !== undefined);
  const from = '2024-01-01' as PlainDate;
  const batch = await source.fetch(
    { index: 'IPC', from, to: undefined },
    AbortSignal.timeout(120_000),
  );
  assert.deepEqual(shown(batch), [
    ['2024-01-31', 20.6],
    ['2024-02-29', 13.2],
  ]);
  assert.deepEqual(reasons(batch), ['bad-instant', 'no-price']);
  assert.deepEqual(fieldsIn(server.requests, 'url'), ['/v1/finanzas/indices/inflacion']);
});
