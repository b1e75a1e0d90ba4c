import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { LocalBus } from '../../src/bus/local/local-bus.ts';
import { unpackQuote, type PackedQuote } from '../../src/bus/process/packed-quotes.ts';
import { QuoteSender } from '../../src/bus/process/quote-sender.ts';
import type { Universe } from '../../src/domain/instruments/universe.ts';
import { publishStored, type TestBus } from './bus-suite.ts';
import { deferred, once } from '../support/wait.ts';

const echo = fileURLToPath(new URL('./echo-process.ts', import.meta.url));

/** Opens a bus whose quotes pass through another process. */
export function openProcessBus(universe: Universe): TestBus {
  const child = fork(echo, { serialization: 'advanced' });
  const [writer, reader] = [new LocalBus(), new LocalBus()];
  let underWay = 0;
  let onSettled: (() => void) | undefined;
  const sender = new QuoteSender(writer, (quotes) => {
    underWay += 1;
    child.send({ quotes });
  });
  child.on('message', ({ quotes }: { readonly quotes: readonly PackedQuote[] }) => {
    reader.publish(quotes.map((one) => unpackQuote(one, universe)));
    underWay -= 1;
    sender.taken();
    if (underWay === 0) onSettled?.();
  });
  return {
    publish: publishStored(writer, universe),
    reader,
    settled: async () => {
      const { promise, resolve } = deferred<void>();
      onSettled = resolve;
      if (underWay > 0) await promise;
    },
    [Symbol.asyncDispose]: async () => {
      sender[Symbol.dispose]();
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
