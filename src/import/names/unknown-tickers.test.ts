import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import type { Naming } from '../layouts/layout.ts';
import { unknownTickers } from './naming.ts';

const universe = makeUniverse([{ ticker: 'GGAL' }, { ticker: 'TSLA_US', market: 'NYSE' }]);

function refusal(
  names: readonly string[],
  areHeadings: boolean,
  { naming = 'bare', suffix }: { readonly naming?: Naming; readonly suffix?: string } = {},
): string {
  const rules = { universe, naming, ...(suffix !== undefined && { suffix }) };
  const { code, message } = unknownTickers(names, areHeadings, rules);
  assert.equal(code, 'unknown-ticker');
  return message;
}

test('for one unknown name, --ticker is advised, and a suffix with which the universe has it', () => {
  assert.equal(
    refusal(['X'], false),
    'unknown ticker X; specify the instrument with --ticker TICKER',
  );
  assert.equal(
    refusal(['TSLA'], false, { suffix: '' }),
    'unknown ticker TSLA; specify the instrument with --ticker TICKER or --suffix _US',
  );
  assert.equal(
    refusal(['GGAL'], false, { suffix: '_US' }),
    'unknown ticker GGAL; specify the instrument with --ticker TICKER or --suffix ""',
  );
  assert.equal(
    refusal(['TSLA'], false, { naming: 'canonical' }),
    'unknown ticker TSLA; specify the instrument with --ticker TICKER',
  );
});

test('for several unknown names, a suffix is advised that helps one of them', () => {
  assert.equal(
    refusal(['X', 'TSLA'], true, { suffix: '' }),
    'unknown ticker X, TSLA; specify the instrument with --suffix _US',
  );
});

test('where no suffix helps, importing one instrument at a time is advised', () => {
  assert.equal(
    refusal(['X', 'Y'], true),
    'unknown ticker X, Y; import one column with --column X --ticker TICKER or --column Y --ticker TICKER',
  );
  assert.equal(
    refusal(['X', 'Y'], false),
    'unknown ticker X, Y; add them to the universe, or import a file of one instrument',
  );
});

test('five names are listed', () => {
  assert.match(refusal(['A', 'B', 'C', 'D', 'E'], false), /^unknown ticker A, B, C, D, E; /);
  assert.match(
    refusal(['A', 'B', 'C', 'D', 'E', 'F'], false),
    /^unknown ticker A, B, C, D, E, …; /,
  );
});
