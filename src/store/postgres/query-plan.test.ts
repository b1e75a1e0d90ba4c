import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { onServer } from '../../../test/support/postgres/on-server.ts';
import { postgresPlace, sharedPostgres } from '../../../test/support/postgres/postgres-place.ts';
import { lacksPostgres } from '../../../test/support/postgres/postgres-programs.ts';
import { unclaimedFence } from './claim/lease-sql.ts';
import { barSql } from './read/pg-bar-reader.ts';
import { historySql } from './read/pg-history-reader.ts';
import { quoteSql } from './read/pg-quote-reader.ts';
import { tidySql } from './write/pg-bar-steps.ts';

/** Tables that grow with the years. */
const large = /Seq Scan on (?:closes|minute_bars|session_bars)/;

const positions = Array.from({ length: 100 }, (_, at) => at + 1);
const tickers = `'{${positions.map((at) => `T${at}`).join()}}'`;
const days = `'{${positions.join()}}'`;
const ofTicker = `'T77', 0, 1000`;
const tidy = tidySql(unclaimedFence('lease', 'here'));

/** Statements, the types of their parameters, and values of them. */
const statements = {
  series: [historySql.series.text, 'text, int, int', ofTicker],
  bars: [historySql.bars.text, 'text, int, int', ofTicker],
  rows: [historySql.rows.text, 'text, int, int', ofTicker],
  latest: [historySql.latest.text, 'text[]', tickers],
  references: [
    historySql.references.text,
    'text[], int[], int[], int[]',
    `${tickers}, ${days}, ${days}, ${days}`,
  ],
  logged: [barSql.logged.text, 'text, int, int, int', `${ofTicker}, 0`],
  packed: [barSql.packed.text, 'text, int, int', ofTicker],
  latestDay: [barSql.latestDay.text, 'text', `'T77'`],
  loggedOfDay: [tidy.loggedOfDay.text, 'int, int, int', '1, 100, 16'],
  trim: [tidy.trim.text, 'bigint, bigint, bigint, int[]', '0, 0, 3, ARRAY[7, 8]'],
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
        `${set}; PREPARE one (${types}) AS ${text}; EXPLAIN EXECUTE one (${values})`,
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
        `${set}; PREPARE one (bigint) AS ${quoteSql.newer.text}; ${explain}`,
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
