import { describe } from 'node:test';

import { LocalBus } from '../../src/bus/local/local-bus.ts';
import { lacksPostgres } from '../support/postgres/postgres-programs.ts';
import { sampleUniverse } from '../support/market/sample-market.ts';
import { busSuite, publishStored } from './bus-suite.ts';
import { openProcessBus } from './process-bus.ts';
import { openStoreBus } from './store-bus.ts';

busSuite('local', sampleUniverse, () => {
  const bus = new LocalBus();
  return {
    publish: publishStored(bus, sampleUniverse),
    reader: bus,
    settled: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
});

busSuite('process', sampleUniverse, () => openProcessBus(sampleUniverse));

describe('through PostgreSQL', { skip: lacksPostgres() }, () => {
  busSuite('postgres', sampleUniverse, (t) => openStoreBus(t, sampleUniverse));
});
