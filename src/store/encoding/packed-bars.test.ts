import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';

import * as fc from 'fast-check';

import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import { packBars, unpackBars } from './packed-bars.ts';

const day = 20_777 as EpochDay;

// JSON has no -0. No price of the engine is -0.
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0 || 0);

/** Any bar without its day. */
const arbitraryBar = fc.record(
  {
    minute: fc.integer(),
    open: number,
    high: number,
    low: number,
    last: number,
    volume: fc.option(number),
  },
  { noNullPrototype: true },
);

test('packing the bars of a session and unpacking them preserves every number', () => {
  fc.assert(
    fc.property(fc.array(arbitraryBar, { maxLength: 5 }), (sketches) => {
      const bars = sketches.map((one) => ({ day, ...one }));
      assert.deepEqual(unpackBars('a.db', day, packBars(bars)), bars);
    }),
  );
});

test('bars that cannot be read are damage of the file', () => {
  for (const packed of [Buffer.from('no'), zstdCompressSync('{'), new Uint8Array()]) {
    assert.throws(() => unpackBars('a.db', day, packed), {
      code: 'corrupt',
      message: /a\.db .*the bars of day 20777 cannot be read/,
    });
  }
});
