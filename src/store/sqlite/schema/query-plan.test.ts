import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';

import { barSql } from '../../tables/bars.ts';
import { closeSql } from '../../tables/closes.ts';
import { barSealSql } from '../seals/bar-seals.ts';
import { sealSql } from '../seals/close-seals.ts';
import { queries } from '../sql/queries.ts';
import { createTables } from './schema.ts';

const { latestPacked, oldestDay, trim, remove } = barSql;

const of = (columns: string): string => `(SELECT ${columns}, ?9 AS place) AS given`;

const statements: Readonly<Record<string, string>> = {
  series: closeSql.series,
  closes: closeSql.closes,
  versions: closeSql.versions,
  firstChange: closeSql.firstChange,
  changed: closeSql.changed,
  lastPrices: closeSql.lastPrices(of('?1 AS ticker, ?2 AS before')),
  lastCloses: closeSql.lastCloses(of('?1 AS ticker, ?2 AS before')),
  count: closeSql.count(of('?1 AS ticker, ?2 AS first, ?3 AS last')),
  countKnown: closeSql.countKnown(of('?1 AS ticker, ?2 AS first, ?3 AS last, ?4 AS instant')),
  ...Object.fromEntries(Object.entries(sealSql).map(([name, text]) => [`sealed ${name}`, text])),
  ...Object.fromEntries(Object.entries(barSealSql).map(([name, text]) => [`bar ${name}`, text])),
  bars: queries.bars,
  latestPacked,
  oldestDay,
  trim: trim(5)(of('?1 AS id')),
  remove: remove(of('?1 AS day')),
};

for (const [name, sql] of Object.entries(statements)) {
  test(`the statement "${name}" only searches indexes: it neither scans a table nor sorts`, () => {
    using database = new DatabaseSync(':memory:');
    createTables(database);
    const rows = database.prepare(`EXPLAIN QUERY PLAN ${sql.replaceAll('$', '?')}`).all();
    const plan = rows.map((row) => String(row['detail']));
    assert.ok(
      plan.some((step) => step.startsWith('SEARCH ')),
      plan.join('\n'),
    );
    assert.deepEqual(
      // The statement makes these tables itself: they have the given row, or the days, minutes or blocks of a range.
      plan.filter((step) =>
        /^SCAN (?!given$|days$|minutes$|blocks$|oldest$|CONSTANT ROW$)|TEMP B-TREE/.test(step),
      ),
      [],
    );
  });
}
