import assert from 'node:assert/strict';
import { test } from 'node:test';

import { checkStores } from '../../src/operator/store/compare-stores.ts';
import { killedCopy } from '../faults/killed-copy.ts';
import { sharedPostgres } from '../support/postgres/postgres-place.ts';
import { lacksPostgres } from '../support/postgres/postgres-programs.ts';
import { runPizarra, temporaryDirectory } from '../support/program/program.ts';

test(
  'after a kill, a schema of PostgreSQL that is being copied is refused, and the same copy continues',
  { skip: lacksPostgres() },
  async () => {
    const server = await sharedPostgres();
    await using place = await temporaryDirectory();
    const { from, to } = await killedCopy(place.path, () => server.url(server.unusedSchema()));
    const { code, stderr } = await runPizarra(['keys', 'list', '--store', to]);
    assert.equal(code, 1);
    assert.match(stderr, /incomplete copy.*DROP SCHEMA/s);
    const again = await runPizarra(['store', 'copy', '--from', from, '--to', to]);
    assert.equal(again.code, 0, again.stderr);
    assert.deepEqual((await checkStores(from, to)).differences, []);
  },
);
