import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { checkStores } from '../../src/operator/store/compare-stores.ts';
import { copyStore } from '../../src/operator/store/copy-store.ts';
import { directories, fill } from '../store/filled-store.ts';
import { installations } from '../store/installation-samples.ts';
import { sharedPostgres } from '../support/postgres/postgres-place.ts';
import { lacksPostgres } from '../support/postgres/postgres-programs.ts';

test('a copy to PostgreSQL and back is what it was', { skip: lacksPostgres() }, async (t) => {
  const server = await sharedPostgres();
  const directory = await directories(t);
  await fc.assert(
    fc.asyncProperty(installations, async (installation) => {
      const [from, back] = [directory(), directory()];
      const database = server.url(server.unusedSchema());
      await fill(from, installation);
      assert.deepEqual((await copyStore({ from, to: database })).differences, []);
      assert.deepEqual((await copyStore({ from: database, to: back })).differences, []);
      assert.deepEqual((await checkStores(from, back)).differences, []);
    }),
    { numRuns: 4 },
  );
});
