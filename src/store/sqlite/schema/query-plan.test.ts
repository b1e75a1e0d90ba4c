import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';

import { barSql } from '../rows/stored-bars.ts';
import { historySql } from '../rows/history-sql.ts';
import { createTables } from './schema.ts';

for (const [name, sql] of Object.entries({ ...historySql, ...barSql })) {
  test(`the statement "${name}" only searches indexes: it neither scans a table nor sorts`, () => {
    using database = new DatabaseSync(':memory:');
    createTables(database);
    const rows = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
    const plan = rows.map((row) => String(row['detail']));
    assert.ok(
      plan.some((step) => step.startsWith('SEARCH ')),
      plan.join('\n'),
    );
    assert.deepEqual(
      // The minutes or blocks of a range are a table that the statement makes itself.
      plan.filter((step) => /^SCAN (?!minutes$|blocks$|CONSTANT ROW$)|TEMP B-TREE/.test(step)),
      [],
    );
  });
}
