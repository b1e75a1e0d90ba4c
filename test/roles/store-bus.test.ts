import { describe } from 'node:test';

import { busSuite } from '../bus/bus-suite.ts';
import { openStoreBus } from '../bus/store-bus.ts';
import { postgresPlace } from '../support/postgres/postgres-place.ts';
import { sampleUniverse } from '../support/market/sample-market.ts';
import { lacksPostgres } from '../support/postgres/postgres-programs.ts';

describe('through PostgreSQL', { skip: lacksPostgres() }, () => {
  busSuite('postgres', sampleUniverse, async (t) =>
    openStoreBus(t, { universe: sampleUniverse, place: await postgresPlace(t) }),
  );
});
