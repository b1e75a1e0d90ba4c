import assert from 'node:assert/strict';
import { test } from 'node:test';

import { closeOn } from '../../../test/support/market/close-on.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { instrumentKinds, type InstrumentKind } from '../instruments/instrument.ts';
import { isJump } from './jump.ts';
import type { PlainDate } from '../calendar/plain-date.ts';
import { makeQuote, type Quote, type SessionState } from './quote.ts';

const universe = makeUniverse([{ ticker: 'GGAL' }, { ticker: 'MEP-CCL', kind: 'spread' }]);
const [share, spread] = universe.instruments;
assert.ok(share !== undefined && spread !== undefined);

function quote(
  instrument: typeof share,
  session: Partial<SessionState>,
  previous: number | undefined,
): Quote {
  assert.ok(instrument !== undefined);
  return makeQuote(instrument, {
    version: 1,
    session: { sessionDate: '2019-08-12' as PlainDate, last: 100, volume: null, ...session },
    references: previous === undefined ? {} : { previous: closeOn('2019-08-09', previous) },
  });
}

test('a move beyond the limit of its kind is a jump, up or down, and a move at the limit is not', () => {
  assert.equal(isJump(quote(share, { last: 140 }, 100)), false);
  assert.equal(isJump(quote(share, { last: 140.01 }, 100)), true);
  assert.equal(isJump(quote(share, { last: 59.99 }, 100)), true);
  assert.equal(isJump(quote(spread, { last: 140.01 }, 100)), false);
});

test('a price that was corrected within the session is still a jump, by the high or the low', () => {
  assert.equal(isJump(quote(share, { last: 100, high: 1000 }, 100)), true);
  assert.equal(isJump(quote(share, { last: 100, low: 1 }, 100)), true);
});

test('without a previous close, or with a previous close of zero, no quote is a jump', () => {
  assert.equal(isJump(quote(share, { last: 1e9 }, undefined)), false);
  assert.equal(isJump(quote(spread, { last: 5 }, 0)), false);
});

test('a move from a negative previous close is measured against its absolute value', () => {
  assert.equal(isJump(quote(spread, { last: -3 }, -0.4)), true);
  assert.equal(isJump(quote(spread, { last: -0.5 }, -0.4)), false);
});

/** The quote of a session whose last price is ten times a previous close of a given date. */
function tenfoldSince(date: string): Quote {
  assert.ok(share !== undefined);
  return makeQuote(share, {
    version: 1,
    session: { sessionDate: '2019-08-12' as PlainDate, last: 1000, volume: null },
    references: { previous: closeOn(date, 100) },
  });
}

test('a previous close that is too old to compare with causes no jump', () => {
  assert.equal(isJump(tenfoldSince('2019-06-28')), true, '45 days before');
  assert.equal(isJump(tenfoldSince('2019-06-27')), false, '46 days before');
});

test('the limit is 40 % for most kinds, 60 % for crypto, 200 % for rates and 500 % for spreads', () => {
  const limits: Readonly<Partial<Record<InstrumentKind, number>>> = {
    crypto: 60,
    'interest-rate': 200,
    spread: 500,
  };
  for (const kind of Object.keys(instrumentKinds) as InstrumentKind[]) {
    const [instrument] = makeUniverse([{ ticker: 'X', kind }]).instruments;
    const limit = limits[kind] ?? 40;
    assert.equal(isJump(quote(instrument, { last: 100 + limit }, 100)), false, kind);
    assert.equal(isJump(quote(instrument, { last: 100.5 + limit }, 100)), true, kind);
  }
});
