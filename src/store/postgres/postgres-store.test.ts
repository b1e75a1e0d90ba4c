import { describe } from 'node:test';

import { testStore } from '../../../test/store/suites/store-suite.ts';
import { lacksPostgres } from '../../../test/support/postgres/postgres-programs.ts';
import { postgresPlace } from '../../../test/support/postgres/postgres-place.ts';

describe('the store in PostgreSQL', { skip: lacksPostgres() }, () => {
  testStore('postgres', async (t) => {
    const place = await postgresPlace(t);
    return { open: () => place.open({ mode: 'create' }) };
  });
});
