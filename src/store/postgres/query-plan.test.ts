import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { onServer } from '../../../test/support/postgres/on-server.ts';
import { postgresPlace, sharedPostgres } from '../../../test/support/postgres/postgres-place.ts';
import { lacksPostgres } from '../../../test/support/postgres/postgres-programs.ts';
import { barSql } from '../tables/bars.ts';
import { closeSql } from '../tables/closes.ts';
import { queries } from './sql/queries.ts';

/** Tables that grow with the years. */
const large = /Seq Scan on (?:closes|minute_bars|session_bars)/;

const positions = Array.from({ length: 100 }, (_, at) => at + 1);
const tickers = `'{${positions.map((at) => `T${at}`).join()}}'`;
const days = `'{${positions.join()}}'`;
const ofTicker = `'T77', 0, 1000`;
const given = (names: string, types: string): string => `
  (SELECT ${names}, place - 1 AS place
  FROM unnest(${types}) WITH ORDINALITY AS rows (${names}, place)) AS given`;
const last = given('ticker, before', '$1::text[], $2::int[]');
const counted = given('ticker, first, last', '$1::text[], $2::int[], $3::int[]');
const known = given(
  'ticker, first, last, instant',
  '$1::text[], $2::int[], $3::int[], $4::bigint[]',
);

/** Statements, the types of their parameters, and values of them. */
const statements = {
  series: [closeSql.series, 'text, int, int', ofTicker],
  closes: [closeSql.closes, 'text, int, int', ofTicker],
  versions: [closeSql.versions, 'text, int, int', ofTicker],
  latest: [closeSql.lastCloses(last), 'text[], int[]', `${tickers}, ${days}`],
  references: [closeSql.lastPrices(last), 'text[], int[]', `${tickers}, ${days}`],
  count: [closeSql.count(counted), 'text[], int[], int[]', `${tickers}, ${days}, ${days}`],
  countKnown: [
    closeSql.countKnown(known),
    'text[], int[], int[], bigint[]',
    `${tickers}, ${days}, ${days}, ${days}`,
  ],
  firstChange: [closeSql.firstChange, 'text', `'T77'`],
  bars: [queries.bars, 'text, int, int, int', `${ofTicker}, 0`],
  latestDay: [barSql.latestPacked, 'text', `'T77'`],
  oldestDay: [barSql.oldestDay, '', ''],
  pack: [
    barSql.pack(given('id, day, bars', '$1::int[], $2::int[], $3::bytea[]')),
    'int[], int[], bytea[]',
    `'{7}', '{1}', '{a}'`,
  ],
  trim: [barSql.trim(3)(given('id', '$1::int[]')), 'int[]', 'ARRAY[7, 8]'],
  remove: [barSql.remove(given('day', '$1::int[]')), 'int[]', 'ARRAY[1]'],
  removePacked: [barSql.removePacked(given('day', '$1::int[]')), 'int[]', 'ARRAY[1]'],
} as const;

describe('the statements of a store in PostgreSQL', { skip: lacksPostgres() }, () => {
  test('each one searches an index of the tables that grow', async (t) => {
    const place = await postgresPlace(t);
    const server = await sharedPostgres();
    await (await place.open({ mode: 'create' }))[Symbol.asyncDispose]();
    const schema = /schema (\S+)$/.exec(place.name)?.[1] ?? '';
    const set = `SET search_path = ${schema}; SET plan_cache_mode = force_generic_plan`;
    await onServer(
      server,
      `${set};
       INSERT INTO instruments (ticker) SELECT 'T' || i FROM generate_series(1, 300) AS i;
       INSERT INTO closes SELECT id, day, 1 FROM instruments, generate_series(1, 200) AS day;
       INSERT INTO minute_bars SELECT 1, minute, id, 1, 1, 1, 1 FROM generate_series(1, 200) AS minute, instruments;
       INSERT INTO session_bars SELECT id, day, '' FROM instruments, generate_series(1, 50) AS day;
       ANALYZE closes; ANALYZE minute_bars; ANALYZE session_bars; ANALYZE instruments`,
    );
    for (const [name, [text, types, values]] of Object.entries(statements)) {
      const explained = await onServer(
        server,
        `${set}; PREPARE one ${types && `(${types})`} AS ${text};
         EXPLAIN EXECUTE one ${values && `(${values})`}`,
      );
      const plan = explained.map(([line]) => String(line)).join('\n');
      assert.doesNotMatch(plan, large, `${name}\n${plan}`);
    }
  });

  test('a pull reads the rows that have changed, and the whole table only if the notes begin later', async (t) => {
    const place = await postgresPlace(t);
    const server = await sharedPostgres();
    await (await place.open({ mode: 'create' }))[Symbol.asyncDispose]();
    const schema = /schema (\S+)$/.exec(place.name)?.[1] ?? '';
    const set = `SET search_path = ${schema}; SET plan_cache_mode = force_generic_plan`;
    const plan = async (version: number): Promise<string> => {
      const explain = `EXPLAIN (ANALYZE, COSTS off, TIMING off) EXECUTE one (${version})`;
      const lines = await onServer(
        server,
        `${set}; PREPARE one (bigint) AS ${queries.newerQuotes}; ${explain}`,
      );
      return lines.map(([line]) => String(line)).join('\n');
    };
    await onServer(
      server,
      `${set};
       INSERT INTO quotes SELECT 'T' || i, i, '{}' FROM generate_series(1, 5000) AS i;
       INSERT INTO quote_changes SELECT i, ARRAY['T' || i] FROM generate_series(4000, 5000) AS i`,
    );
    for (const analyze of ['', 'ANALYZE quotes; ANALYZE quote_changes']) {
      await onServer(server, `${set}; ${analyze}`);
      const few = await plan(4_990);
      assert.match(few, /Seq Scan on quotes[^\n]*never executed/, few);
      assert.match(few, /Index Scan using quotes_pkey on quotes \(actual rows=1 loops=10\)/, few);
      const all = await plan(3_999);
      assert.match(all, /Seq Scan on quotes[^\n]*actual rows=1001/, all);
    }
  });
});
