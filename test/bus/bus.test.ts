import { LocalBus } from '../../src/bus/local/local-bus.ts';
import { sampleUniverse } from '../support/market/sample-market.ts';
import { busSuite, publishStored } from './bus-suite.ts';
import { openProcessBus } from './process-bus.ts';

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
