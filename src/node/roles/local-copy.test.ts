import assert from 'node:assert/strict';
import { test } from 'node:test';

import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { close, ggal, put } from '../../../test/store/close-samples.ts';
import { storedQuote } from '../../../test/support/market/stored-quote.ts';
import { deferred, until } from '../../../test/support/wait.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { silentLog } from '../../lib/reports/log.ts';
import type { Store } from '../../store/contract/store.ts';
import { openPlace } from '../place/open-place.ts';
import { LocalCopy } from './local-copy.ts';

test('quotes are copied while the copy of the closes is under way, so a restart shows them', async (t) => {
  await using place = openPlace(await temporaryDirectory(t));
  await using source = await place.open({ mode: 'create' });
  await put(source, ggal, [close('2026-11-18', 10)]);
  const asked = deferred<void>();
  const release = deferred<void>();
  const { history, quotes, keys, actions, indices, terms, memory, bars, hints } = source;
  const slow: Store = {
    quotes,
    keys,
    actions,
    indices,
    terms,
    memory,
    bars,
    hints,
    history: {
      readSeries: (...args) => history.readSeries(...args),
      readBars: (...args) => history.readBars(...args),
      countCloses: (...args) => history.countCloses(...args),
      latestCloses: (...args) => history.latestCloses(...args),
      referenceCloses: (...args) => history.referenceCloses(...args),
      changesSince: (...args) => history.changesSince(...args),
      transaction: (...args) => history.transaction(...args),
      readCloses: async (...args) => {
        asked.resolve();
        await release.promise;
        return history.readCloses(...args);
      },
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
  await using copied = openPlace(await temporaryDirectory(t));
  await using copy = await LocalCopy.open(copied, { log: silentLog, clock: systemClock });
  {
    await using _ = copy.follow(slow);
    await asked.promise;
    await source.quotes.commit({ quotes: [storedQuote(ggal, 7)], closes: [] });
    await until('the quote is copied', async () => {
      const [quote] = await copy.store.quotes.readAll();
      return quote?.version === 7;
    });
    assert.equal(copy.isComplete, false, 'the closes are missing');
    release.resolve();
    await until('complete', () => copy.isComplete);
  }
});

test('the age of the data does not rise by a restart', async (t) => {
  await using place = openPlace(await temporaryDirectory(t));
  await using source = await place.open({ mode: 'create' });
  const copied = await temporaryDirectory(t);
  let now = 1_000_000;
  const clock = { now: () => now, monotonic: () => now };
  {
    await using own = openPlace(copied);
    await using copy = await LocalCopy.open(own, { log: silentLog, clock });
    await copy.update(source);
    now += 5_000;
    await copy.update(source);
    now += 500;
    assert.equal(copy.ageMs, 500);
  }
  await using own = openPlace(copied);
  await using again = await LocalCopy.open(own, { log: silentLog, clock });
  assert.equal(again.ageMs, 500);
});
