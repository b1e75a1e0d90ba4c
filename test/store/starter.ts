/**
 * A program that waits for a line on its input, so that several of them open a store at the same time.
 * Then it adds a key and ends.
 *
 * Usage: starter.ts DIRECTORY ID
 */
import { once } from 'node:events';

import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';

const [directory = '', id = ''] = process.argv.slice(2);
process.stdout.write('ready\n');
await once(process.stdin, 'data');
process.stdin.destroy();
await using store = await openSqliteStore({ directory });
const sha256 = id.padEnd(64, '0');
await store.keys.insert({ id, name: id, scope: 'read', sha256, createdAt: 0 }, 'starter');
