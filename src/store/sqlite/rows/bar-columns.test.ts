import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import type { EpochDay } from '../../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import { packBarColumns, unpackBarColumns } from './bar-columns.ts';
import { arbitraryBar } from '../../../../test/support/market/arbitrary-bar.ts';

test('packing bars for the writing thread and unpacking them preserves every field', () => {
  const ticker = fc.constantFrom('AL30', 'DOLAR MEP', 'Ñ').map((text) => text as Ticker);
  const one = fc.record({ ticker, bar: arbitraryBar }, { noNullPrototype: true });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 5 }), (sketches) => {
      const bars = sketches.map(({ ticker: name, bar: own }, at) => ({
        ticker: name,
        bar: { day: (20_000 + at) as EpochDay, ...own },
      }));
      assert.deepEqual(unpackBarColumns(packBarColumns(bars)), bars);
    }),
  );
});
