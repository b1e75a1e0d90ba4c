import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import { readFeedConfig } from '../../../src/feeds/contract/feed-config.ts';
import { FeedFault, type FeedBatch } from '../../../src/feeds/contract/feed.ts';
import { evaluate, type Evaluation, type Results } from '../../../src/feeds/http/evaluate.ts';
import { httpType } from '../../../src/feeds/http/index.ts';
import { makeUniverse } from '../../support/market/make-universe.ts';
import { pauseInRealTime } from '../../../src/lib/time/pause.ts';
import { fixed, healthy, SourceServer } from '../../support/http/source-server.ts';
import { fieldsIn } from '../../support/fields-in.ts';
import { createFeed, testPolledSource } from './source-suite.ts';

const now = Date.parse('2026-11-20T18:00:00Z');
const time = '2026-11-20T17:59:58Z';
const at = Date.parse(time);
const universe = makeUniverse([{ ticker: 'GGAL' }, { ticker: 'YPFD' }, { ticker: 'PAMP' }]);

const prices = JSON.stringify({
  prices: [
    { symbol: 'GGAL.BA', price: 7_150.5, time },
    { symbol: 'YPFD.BA', price: '52000', time },
    { symbol: 'AAPL', price: 230, time },
    { symbol: 'PAMP.BA', price: 'closed', time },
  ],
});

const byItem = 'prices.{ "ticker": $replace(symbol, ".BA", ""), "last": price, "at": time }';

testPolledSource({
  type: httpType,
  universe,
  offersAny: true,
  path: '/prices?format=json',
  config: {
    expression: byItem,
    instruments: { exclude: ['PAMP'] },
    key: { env: 'SOURCE_KEY' },
  },
  now,
  respond: ({ url, headers }) =>
    url === '/prices?format=json' && headers.authorization?.startsWith('Bearer ') === true
      ? { body: prices }
      : undefined,
  emptyBodies: ['[]', '{}', '{"prices":[]}', '7', '"text"'],
  expected: [
    { ticker: 'GGAL' as Ticker, at, last: 7_150.5 },
    { ticker: 'YPFD' as Ticker, at, last: 52_000 },
  ],
});

/** The batches of a feed for bodies that the source sends one after the other. */
async function batchesOf(
  t: TestContext,
  config: Readonly<Record<string, unknown>>,
  bodies: readonly { readonly at?: number; readonly body: string }[],
): Promise<readonly FeedBatch[]> {
  await using server = await SourceServer.start();
  let clock = now;
  const source = { type: httpType, universe, config, now };
  const feed = createFeed(source, server.url, {
    clock: { now: () => clock, monotonic: () => performance.now() },
    pause: (_, signal) => pauseInRealTime(1, signal),
    fetchLimits: {},
  });
  const batches: FeedBatch[] = [];
  const [first, ...others] = bodies;
  const play = ({ at: instant = now, body = '' } = {}): void => {
    clock = instant;
    server.respond = healthy(() => ({ body }));
  };
  play(first);
  for await (const batch of feed.batches(t.signal)) {
    batches.push(batch);
    const next = others.shift();
    if (next === undefined) break;
    play(next);
  }
  return batches;
}

const csv = `especie;ultimo;hora
GGAL;7150.5;${time}
YPFD;52.000,00;${time}
PAMP;;${time}
PAMP;4000
`;

test('http: a CSV is rows of texts, whose decimal numbers are numbers, and whose separator is detected', async (t) => {
  const expression = '$.{ "ticker": especie, "last": ultimo, "at": hora }';
  const [batch] = await batchesOf(t, { format: 'csv', expression }, [{ body: csv }]);
  assert.deepEqual(batch?.updates, [{ ticker: 'GGAL', at, last: 7_150.5 }]);
  assert.deepEqual(fieldsIn(batch.rejected, 'reason'), [
    'unintelligible',
    'unintelligible',
    'no-price',
  ]);
  assert.match(batch.rejected[0]?.sample ?? '', /^row number 4: Too few fields/);
  assert.match(batch.rejected[1]?.sample ?? '', /last must be a number, not "52\.000,00"/);
});

test('http: each rejected result is named with its fault and its content', async (t) => {
  const results = [
    { ticker: 'GGAL', last: 1 },
    { ticker: 'GGAL', last: 1, at: 'yesterday' },
    { last: 1, at: time },
    { ticker: 'GGAL', price: 1, at: time },
    { ticker: 'GGAL', at: time },
    { ticker: 'AAPL', last: 1, at: 'yesterday' },
    7,
  ];
  const body = JSON.stringify(results);
  const [batch] = await batchesOf(t, { expression: '$' }, [{ body }]);
  assert.deepEqual(batch?.updates, []);
  assert.deepEqual(fieldsIn(batch.rejected, 'reason'), [
    'bad-instant',
    'bad-instant',
    'unintelligible',
    'unintelligible',
    'no-price',
    'no-instrument',
    'unintelligible',
  ]);
  assert.match(batch.rejected[3]?.sample ?? '', /The field "price" does not exist\..*"price":1/);
});

/** A response with prices of the first instruments. */
function pricesOf(...values: readonly number[]): string {
  return JSON.stringify({ p: values.map((v, index) => ({ s: ['GGAL', 'YPFD'][index], v })) });
}

test('http: a price without an instant of its own counts only when it has changed since the open', async (t) => {
  const expression = 'p.{ "ticker": s, "last": v, "at": $snapshotAt }';
  const minute = 60_000;
  const config = { expression, delayMinutes: 20 };
  const batches = await batchesOf(t, config, [
    { at: now, body: pricesOf(100, 200) },
    { at: now + minute, body: pricesOf(101, 200) },
    // Not the same response: a source that writes its own time into it.
    { at: now + 2 * minute, body: ` ${pricesOf(101, 200)}` },
    // In one response twice: which of the two is right is unknown.
    { at: now + 3 * minute, body: pricesOf(102, 200).replace('YPFD', 'GGAL') },
  ]);
  const delayMs = 20 * minute;
  assert.deepEqual(fieldsIn(batches, 'updates'), [
    [],
    [{ ticker: 'GGAL', at: now + minute - delayMs, last: 101 }],
    [],
    [{ ticker: 'GGAL', at: now + 3 * minute - delayMs, last: 102 }],
  ]);
  assert.deepEqual(
    batches.map(({ rejected }) => rejected.map(({ reason }) => reason)),
    [['not-traded', 'not-traded'], ['not-traded'], ['not-traded'], ['unintelligible']],
  );
});

test('http: the first price of a session is not missed when the source answered 304 since the session before', async (t) => {
  const expression = '{ "ticker": "GGAL", "last": v, "at": $snapshotAt }';
  const batches = await batchesOf(t, { expression }, [
    { at: Date.parse('2026-11-19T16:59:00-03:00'), body: '{"v":1}' },
    { at: Date.parse('2026-11-20T10:31:00-03:00'), body: '{"v":1}' },
    { at: now, body: '{"v":2}' },
  ]);
  assert.deepEqual(fieldsIn(batches, 'updates'), [[], [], [{ ticker: 'GGAL', at: now, last: 2 }]]);
});

test('http: outside the hours a price without an instant of its own is no update', async (t) => {
  const expression = '{ "ticker": "GGAL", "last": v, "at": $snapshotAt }';
  const saturday = Date.parse('2026-11-21T15:00:00Z');
  const batches = await batchesOf(t, { expression }, [
    { at: saturday, body: '{"v":1}' },
    { at: saturday + 60_000, body: '{"v":2}' },
  ]);
  assert.deepEqual(fieldsIn(batches, 'updates'), [[], []]);
});

test('http: a key is sent alone in a header of another name', async (t) => {
  await using server = await SourceServer.start();
  server.respond = healthy(() => ({ body: prices }));
  const config = { expression: byItem, key: { env: 'SOURCE_KEY' }, keyHeader: 'X-Api-Key' };
  const feed = createFeed({ type: httpType, universe, config, now }, server.url);
  for await (const _ of feed.batches(t.signal)) break;
  const [request] = server.requests;
  assert.equal(request?.headers['x-api-key'], 'sk-5f2c9e01b7');
  assert.equal(request.headers.authorization, undefined);
});

function faultsOf(fields: Readonly<Record<string, unknown>>): readonly string[] {
  const value = [
    { name: 'one', type: 'http', url: 'https://example.com/', expression: '$', ...fields },
  ];
  const read = readFeedConfig(value, { types: [httpType], universe });
  return read.ok ? [] : read.faults.map(({ path, message }) => `${path} ${message}`);
}

test('http: a wrong expression is a fault of the configuration, with its place', () => {
  assert.deepEqual(faultsOf({}), []);
  const [fault = ''] = faultsOf({ expression: 'prices.{ "ticker": symbol, "last" price }' });
  assert.match(
    fault,
    /^feeds\[0\]\.expression must be a JSONata expression: .*"price".* \(at character 39, near ".*price \}"\)$/,
  );
  assert.match(faultsOf({ expression: 7 })[0] ?? '', /expression must be a JSONata expression/);
  assert.match(faultsOf({ expression: ' '.repeat(20_001) })[0] ?? '', /at most 20000 characters/);
  assert.match(faultsOf({ url: undefined })[0] ?? '', /feeds\[0\]\.url must be a URL/);
  assert.match(faultsOf({ url: 'ftp://example.com' })[0] ?? '', /feeds\[0\]\.url must be a URL/);
});

async function evaluated(
  t: TestContext,
  expression: string,
  more: Partial<Evaluation> = {},
): Promise<Results> {
  const body = { text: '{"prices":[{"a":1},{"a":2}],"id":"x"}', contentType: 'application/json' };
  const usual = { format: 'json', body, snapshotAt: now, cpuSeconds: 5 } as const;
  return evaluate({ expression, ...usual, ...more }, t.signal);
}

test('http: an expression that fails is named with its place and with what was found', async (t) => {
  await assert.rejects(evaluated(t, 'prices.{ "last": $number(a & "x") }'), {
    name: 'FeedFault',
    code: 'unintelligible',
    message:
      'the expression fails: Unable to cast value to a number: "1x" (at character 25, near ' +
      '"s.{ \\"last\\": $number(a & \\"x\\") }"); the response is an object with the fields "prices", "id"',
  });
  await assert.rejects(evaluated(t, 'quotes.{ "last": a }'), {
    message:
      'the expression gives nothing instead of updates; the response is an object with the fields "prices", "id"',
  });
  await assert.rejects(evaluated(t, 'prices.a'), {
    message: /^the expression gives a list of 2, the first of which is 1 instead of updates;/,
  });
});

test('http: a function that an expression gives is no update', async (t) => {
  const [batch] = await batchesOf(t, { expression: '$sum' }, [{ body: '{}' }]);
  assert.deepEqual(batch?.updates, []);
  assert.deepEqual(fieldsIn(batch.rejected, 'reason'), ['unintelligible']);
  const lambda = '[{ "last": 1, "f": function($x) { $x } }]';
  await assert.rejects(evaluated(t, lambda), {
    message: 'the expression gives a value that cannot be written as JSON',
  });
});

test(
  'http: an expression without an end is stopped, and is a fault',
  { timeout: 600_000 },
  async (t) => {
    const regexp = `{ "last": $match("${'a'.repeat(60)}!", /^(a+)+$/) }`;
    await assert.rejects(evaluated(t, regexp, { cpuSeconds: 1 }), {
      code: 'unintelligible',
      message:
        /^the expression takes more than 1 s of processor time\. Request fewer rows from the source/,
    });
  },
);

test('http: the time that an expression or this process waits for a processor does not count', async (t) => {
  const evaluation = evaluated(t, '{ "last": 1 }', { cpuSeconds: 1 });
  await nextTurn();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_100);
  assert.equal((await evaluation).values.length, 1);
});

test('http: an expression that recurses too deeply is a fault', { timeout: 600_000 }, async (t) => {
  const expression = '($f := function($n) { 1 + $f($n + 1) }; { "last": $f(1) })';
  await assert.rejects(evaluated(t, expression), { message: /Stack overflow/ });
});

test(
  'http: an expression that needs too much memory is a fault',
  { timeout: 600_000 },
  async (t) => {
    const expression = '{ "last": $map([1..5000], function($v) { { "a": [1..100000] } }) }';
    await assert.rejects(evaluated(t, expression, { cpuSeconds: 50 }), {
      code: 'unintelligible',
      message: /^the expression needs more than 256 MiB of memory, .* Request fewer rows/,
    });
  },
);

test(
  'http: what makes V8 end its process is a fault, and this process continues',
  { timeout: 600_000 },
  async (t) => {
    const expressions = [
      '{ "last": $base64encode($pad("x", 300000000)) }',
      '{ "last": $pad("x", 600000000) }',
      '($f := function($n, $s) { $n = 0 ? $s : $f($n - 1, $s & $s) }; { "last": $f(40, "xxxxxxxx") })',
    ];
    for (const expression of expressions) {
      await assert.rejects(evaluated(t, expression, { cpuSeconds: 60 }), {
        name: 'FeedFault',
        code: 'unintelligible',
      });
    }
  },
);

test('http: a CSV with too many columns, and a JSON that is too deep, are faults that name the limit', async (t) => {
  const wide = { text: `${'a,'.repeat(8_000_000)}a\n1\n`, contentType: 'text/csv' };
  await assert.rejects(evaluated(t, '$', { format: 'csv', body: wide }), {
    message: /^line 1 of the response has more than 1000 columns, the maximum\. Request fewer/,
  });
  const later = { text: `a,b\n1,2\n${','.repeat(1_000)}\n`, contentType: 'text/csv' };
  await assert.rejects(evaluated(t, '$', { format: 'csv', body: later }), { message: /^line 3 / });
  const deep = { text: `${'['.repeat(101)}${']'.repeat(101)}`, contentType: '' };
  await assert.rejects(evaluated(t, '$', { body: deep }), {
    message: 'the response has lists or objects 101 deep, and the maximum is 100',
  });
  const quoted = `{"a":${JSON.stringify(`\\"${'['.repeat(500)}`)},"b":${'['.repeat(99)}${']'.repeat(99)}}`;
  const body = { text: quoted, contentType: '' };
  assert.equal((await evaluated(t, '{ "last": 1 }', { body })).values.length, 1);
});

test('http: the end of the feed ends an evaluation', { timeout: 600_000 }, async (t) => {
  const stopping = new AbortController();
  const regexp = `{ "last": $match("${'a'.repeat(60)}!", /^(a+)+$/) }`;
  const body = { text: '{}', contentType: '' };
  const run = evaluate(
    { expression: regexp, format: 'json', body, snapshotAt: now, cpuSeconds: 50 },
    AbortSignal.any([t.signal, stopping.signal]),
  );
  stopping.abort(new Error('stopped'));
  await assert.rejects(run, /stopped/);
});

test(
  'http: the end of a feed does not wait for the evaluations of others',
  { timeout: 600_000 },
  async (t) => {
    const regexp = `{ "last": $match("${'a'.repeat(60)}!", /^(a+)+$/) }`;
    const others = new AbortController();
    const stopping = new AbortController();
    const run = (signal: AbortSignal): Promise<string> =>
      evaluate(
        {
          expression: regexp,
          format: 'json',
          body: { text: '{}', contentType: '' },
          snapshotAt: now,
          cpuSeconds: 5,
        },
        AbortSignal.any([t.signal, signal]),
      ).then(
        () => 'ended',
        (fault: unknown) => String(fault),
      );
    const running = [run(others.signal), run(others.signal)];
    const waiting = run(stopping.signal);
    stopping.abort(new Error('stopped'));
    assert.equal(await Promise.race([...running, waiting]), 'Error: stopped');
    others.abort(new Error('ended'));
    assert.deepEqual(await Promise.all(running), ['Error: ended', 'Error: ended']);
  },
);

test('http: a CSV that is a page, a limit text or has no rows is a fault', async (t) => {
  for (const [text, code] of [
    ['<!doctype html><html>a,b\n1,2</html>', 'unintelligible'],
    ['Exceeded the daily hits limit', 'limited'],
    ['a;b;c\n', 'unintelligible'],
    ['', 'unintelligible'],
    ['one column\n1\n', 'unintelligible'],
  ] as const) {
    const body = { text, contentType: 'text/csv' };
    await assert.rejects(evaluated(t, '$', { format: 'csv', body }), (fault) => {
      assert.ok(fault instanceof FeedFault);
      assert.equal(fault.code, code, text);
      return true;
    });
  }
});

test('http: a response that is no JSON is a fault, whatever the expression', async (t) => {
  await using server = await SourceServer.start();
  server.respond = fixed(200, { 'content-type': 'text/html' }, '<html>');
  const config = { expression: '{ "ticker": "GGAL", "last": 1, "at": $snapshotAt }' };
  const feed = createFeed({ type: httpType, universe, config, now }, server.url);
  const run = async (): Promise<void> => {
    for await (const _ of feed.batches(t.signal)) assert.fail('a page is no data');
  };
  await assert.rejects(run, { code: 'unintelligible', message: /a page instead of JSON/ });
});
