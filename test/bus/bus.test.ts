import { LocalBus } from '../../src/bus/local/local-bus.ts';
import { sampleUniverse } from '../support/sample-market.ts';
import { busSuite } from './bus-suite.ts';
import { openProcessBus } from './process-bus.ts';

busSuite('local', sampleUniverse, () => {
  const bus = new LocalBus();
  return {
    writer: bus,
    reader: bus,
    settled: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
});

busSuite('process', sampleUniverse, () => openProcessBus(sampleUniverse));
