import { LocalBus } from '../../src/bus/local-bus.ts';
import { sampleUniverse } from '../support/market/sample-market.ts';
import { busSuite, publishStored } from './bus-suite.ts';
import { openStoreBus } from './store-bus.ts';
import { openPlace } from '../../src/node/place/open-place.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';

busSuite('local', sampleUniverse, () => {
  const bus = new LocalBus();
  return {
    publish: publishStored(bus, sampleUniverse),
    reader: bus,
    settled: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
});

busSuite('sqlite', sampleUniverse, async (t) =>
  openStoreBus(t, { universe: sampleUniverse, place: openPlace(await temporaryDirectory(t)) }),
);
