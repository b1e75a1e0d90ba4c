import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeUniverse } from '../../test/support/make-universe.ts';
import type { Naming } from './layouts/layout.ts';
import { unknownTickers } from './unknown-tickers.ts';
import type { NamedBy } from './unknown-tickers.ts';

const universe = makeUniverse([{ ticker: 'GGAL' }, { ticker: 'TSLA_US', market: 'NYSE' }]);

function refusal(
  names: readonly string[],
  namedBy: NamedBy,
  { naming = 'bare', suffix }: { readonly naming?: Naming; readonly suffix?: string } = {},
): string {
  const rules = { universe, naming, ...(suffix !== undefined && { suffix }) };
  const { code, message } = unknownTickers(names, namedBy, rules);
  assert.equal(code, 'unknown-ticker');
  return message;
}

test('one unknown name may be settled with --ticker, and with a suffix that the universe has it with', () => {
  assert.equal(refusal(['X'], 'file'), 'unknown ticker X; name the instrument with --ticker');
  assert.equal(
    refusal(['TSLA'], 'file', { suffix: '' }),
    'unknown ticker TSLA; name the instrument with --ticker or --suffix _US',
  );
  assert.equal(
    refusal(['GGAL'], 'rows', { suffix: '_US' }),
    'unknown ticker GGAL; name the instrument with --ticker or --suffix ""',
  );
  assert.equal(
    refusal(['TSLA'], 'rows', { naming: 'canonical' }),
    'unknown ticker TSLA; name the instrument with --ticker',
  );
});

test('several unknown names are settled with a suffix that helps one of them', () => {
  assert.equal(
    refusal(['X', 'TSLA'], 'headings', { suffix: '' }),
    'unknown ticker X, TSLA; name the instrument with --suffix _US',
  );
});

test('where no suffix helps, the columns or the rows are imported one instrument at a time', () => {
  assert.equal(
    refusal(['X', 'Y'], 'headings'),
    'unknown ticker X, Y; name one column with --column and its instrument with --ticker',
  );
  assert.equal(
    refusal(['X', 'Y'], 'rows'),
    'unknown ticker X, Y; add them to the universe, or import the rows of each with --ticker ' +
      'from a file of their own',
  );
});

test('five names are shown', () => {
  assert.match(refusal(['A', 'B', 'C', 'D', 'E'], 'rows'), /^unknown ticker A, B, C, D, E; /);
  assert.match(
    refusal(['A', 'B', 'C', 'D', 'E', 'F'], 'rows'),
    /^unknown ticker A, B, C, D, E, …; /,
  );
});
