/**
 * The program for the simulated power failures. It makes commits, and prints each one when it is durable.
 * So a trace of its system calls has the order of both.
 *
 * Usage: power-writer.ts DIRECTORY COMMITS full|normal
 */
import { writeSync } from 'node:fs';
import { join } from 'node:path';

import type { QuoteStore } from '../../../src/store/contract/quote-store.ts';
import { toQuoteRows } from '../../../src/store/encoding/quote-row.ts';
import { openWriter } from '../../../src/store/sqlite/file/connection.ts';
import { queries } from '../../../src/store/sqlite/sql/queries.ts';
import { sqliteHistoryWriter } from '../../../src/store/sqlite/write/sqlite-history-writer.ts';
import { SqliteQuoteWriter } from '../../../src/store/sqlite/write/sqlite-quote-writer.ts';
import { databaseFileName } from '../../../src/store/sqlite/file/database-file.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts';
import { SqliteWriter } from '../../../src/store/sqlite/write/sqlite-writer.ts';
import { BarTidying } from '../../../src/store/tables/bars.ts';
import { commitOf } from './power-load.ts';

const [directory = '', commits = '', synchronous = ''] = process.argv.slice(2);

await using store = await openSqliteStore({ directory });
const commit = synchronous === 'full' ? store.quotes : withoutSync();
writeSync(1, 'ack 0\n');
for (let number = 1; number <= Number(commits); number += 1) {
  await commit.commit(commitOf(number));
  writeSync(1, `ack ${number}\n`);
}
// End without closing anything, as in a power failure.
process.kill(process.pid, 'SIGKILL');

/** The same statements on a connection that does not sync its commits. */
function withoutSync(): Pick<QuoteStore, 'commit'> {
  const path = join(directory, databaseFileName);
  const database = openWriter(path);
  database.exec('PRAGMA synchronous = NORMAL');
  const writer = new SqliteWriter(database, path, 0);
  const history = sqliteHistoryWriter(writer);
  const tidying = new BarTidying(writer, queries.bars);
  const own = new SqliteQuoteWriter({ writer, history, tidying });
  return { commit: (one) => own.commit({ ...one, quotes: toQuoteRows(one.quotes) }) };
}
