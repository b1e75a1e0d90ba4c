import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusalOf } from '../../../test/support/import/import-refusal.ts';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { resolveHeadings } from './matrix-headings.ts';

const universe = makeUniverse([
  { ticker: 'YPFD' },
  { ticker: 'AL30', kind: 'bond' },
  { ticker: 'YMCXO', kind: 'corporate-bond' },
  { ticker: 'S31O5', kind: 'bill' },
  { ticker: 'MERVAL', kind: 'index' },
  { ticker: 'KO', kind: 'cedear' },
  { ticker: 'KO_US', market: 'NYSE' },
  { ticker: 'DISN', kind: 'cedear' },
  { ticker: 'TEM', kind: 'cedear' },
  { ticker: 'TSLA_US', market: 'NYSE' },
]);

function resolve(headings: readonly string[], suffix?: string) {
  const rules = { universe, naming: 'bare', ...(suffix !== undefined && { suffix }) } as const;
  const { known, unknown } = resolveHeadings(headings, rules);
  return [...[...known].map(([heading, { ticker }]) => `${heading}=${ticker}`), ...unknown];
}

test('an instrument that trades on one market only decides the market of the whole matrix', () => {
  assert.deepEqual(resolve(['YPFD', 'KO', 'TSLA', 'NADA']), ['YPFD=YPFD', 'KO=KO', 'NADA', 'TSLA']);
  for (const local of ['AL30', 'YMCXO', 'S31O5']) {
    assert.deepEqual(resolve([local, 'YPFD', 'KO', 'TSLA']).slice(0, 3), [
      `${local}=${local}`,
      'YPFD=YPFD',
      'KO=KO',
    ]);
  }
  assert.deepEqual(resolve(['TSLA_US', 'KO', 'DISN']), ['TSLA_US=TSLA_US', 'KO=KO_US', 'DISN']);
});

test('a ticker that is also a word for a rate is asked for, whatever the suffix', () => {
  const refusal = /^ambiguous: the column TEM may be TEM \(cedear in ARS, BYMA\), or no ticker/;
  assert.match(
    refusalOf(() => resolve(['TEM'])),
    refusal,
  );
  assert.match(
    refusalOf(() => resolve(['TEM'], '')),
    refusal,
  );
});

test('an index decides no market, and instruments of two markets contradict each other', () => {
  assert.deepEqual(resolve(['MERVAL', 'AL30']), ['MERVAL=MERVAL', 'AL30=AL30']);
  const refusal =
    'ambiguous: the column KO may be KO (cedear in ARS, BYMA) or KO_US (share in ARS, NYSE), and ' +
    'no other column decides; if all columns are of one market, use --suffix "" or --suffix _US';
  assert.equal(
    refusalOf(() => resolve(['MERVAL', 'KO'])),
    refusal,
  );
  assert.equal(
    refusalOf(() => resolve(['YPFD', 'TSLA_US', 'KO'])),
    refusal,
  );
});

test('the example in a refusal is a heading that the universe has on both markets, if one exists', () => {
  assert.match(
    refusalOf(() => resolve(['DISN', 'TSLA', 'KO'])),
    /^ambiguous: the column KO may be /,
  );
  assert.equal(
    refusalOf(() => resolve(['DISN'])),
    'ambiguous: the column DISN may be DISN (cedear in ARS, BYMA) or a US share that is not in the ' +
      'universe, and no other column decides; if all columns are of one market, use --suffix ""',
  );
});

test('a suffix that does not fit a local share is refused, and a CEDEAR without its US share is skipped', () => {
  assert.deepEqual(resolve(['KO', 'DISN', 'NADA'], '_US'), ['KO=KO_US', 'DISN', 'NADA']);
  assert.equal(
    refusalOf(() => resolve(['KO', 'YPFD'], '_US')),
    'option-mismatch: the column YPFD is a ticker, but not with --suffix _US; import it without ' +
      '--suffix or --column KO',
  );
});
