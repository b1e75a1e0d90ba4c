import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { instrumentKinds, isInstrumentKind } from './instrument.ts';

const page = new URL('../../../docs/universe.md', import.meta.url);

/** The rows of the table of kinds in docs/universe.md. */
function documentedKinds(): ReadonlyMap<string, object> {
  const rows = readFileSync(page, 'utf8').matchAll(
    /^\| (`[^|]+`) +\| (\d+) +\| (percent|points) +\| (\d+) +\| (yes|no) +\| (yes|no) +\|$/gm,
  );
  return new Map(
    [...rows].flatMap(([, kinds = '', decimals, changeUnit, pricePer, volume, above]) =>
      [...kinds.matchAll(/`([^`]+)`/g)].map(([, kind = '']) => [
        kind,
        {
          isPrice: above === 'yes',
          hasVolume: volume === 'yes',
          changeUnit,
          decimals: Number(decimals),
          pricePer: Number(pricePer),
        },
      ]),
    ),
  );
}

test('every kind has the rules that docs/universe.md lists for it', () => {
  const rules = Object.entries(instrumentKinds).map(
    ([kind, { isPrice, hasVolume, changeUnit, decimals, pricePer }]) =>
      [kind, { isPrice, hasVolume, changeUnit, decimals, pricePer }] as const,
  );
  assert.deepEqual(new Map(rules), documentedKinds());
});

test('a kind is one of the table, and no name that every object has', () => {
  assert.equal(isInstrumentKind('bill'), true);
  assert.equal(isInstrumentKind('Bill'), false);
  assert.equal(isInstrumentKind('constructor'), false);
});
