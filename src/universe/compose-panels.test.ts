import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeUniverse } from '../../test/support/market/make-universe.ts';
import { panelCodes, type PanelCode } from '../domain/instruments/panel.ts';
import { tickerKey } from '../domain/instruments/ticker.ts';
import { composePanels } from './load-universe.ts';
import type { InstrumentTable } from './read-instruments.ts';
import type { PanelRule } from './read-panels.ts';

const { instruments } = makeUniverse([{ ticker: 'A' }, { ticker: 'B' }, { ticker: 'C' }]);
const [a = assert.fail(), b = assert.fail(), c = assert.fail()] = instruments;
const table: InstrumentTable = {
  instruments,
  byKey: new Map(instruments.map((one) => [tickerKey(one.ticker), one])),
  declared: new Map(
    [...instruments.map(({ ticker }) => ticker), 'BROKEN'].map((ticker, at) => [
      tickerKey(ticker),
      at + 2,
    ]),
  ),
  members: new Map([
    ['LID', [b, a]],
    ['GEN', [c, a]],
  ]),
  faults: [],
};

const located = (value: string) => ({ value, line: 3, column: 5 });

function compose(rules: Partial<Record<PanelCode, PanelRule>>) {
  return composePanels(new Map(Object.entries(rules) as [PanelCode, PanelRule][]), table);
}

test('every panel has members: those of its rows, of its list, of another panel, or of several, each once', () => {
  const { panels, faults } = compose({
    LIDGEN: { type: 'of', panels: ['LID', 'GEN'] },
    BONOS: { type: 'alias', panel: 'LIDGEN' },
    ETF: { type: 'members', tickers: [located('c'), located('B')] },
  });
  assert.deepEqual(faults, []);
  assert.deepEqual([...panels.keys()].toSorted(), [...panelCodes].toSorted());
  const tickersOf = (code: PanelCode) => panels.get(code)?.map(({ ticker }) => ticker);
  assert.deepEqual(tickersOf('LID'), ['B', 'A']);
  assert.deepEqual(tickersOf('LIDGEN'), ['B', 'A', 'C']);
  assert.deepEqual(tickersOf('BONOS'), ['B', 'A', 'C']);
  assert.deepEqual(tickersOf('ETF'), ['C', 'B']);
  assert.deepEqual(tickersOf('IND'), [], 'a panel that no row names');
});

test('a member that does not exist or is listed twice is a fault, and a row with a fault of its own is none', () => {
  const tickers = ['A', 'NADA', 'a', 'BROKEN'].map(located);
  const { panels, faults } = compose({ IND: { type: 'members', tickers } });
  assert.deepEqual(panels.get('IND'), [a]);
  assert.deepEqual(
    faults.map(({ value, message }) => [value, message]),
    [
      ['NADA', 'unknown instrument; instruments.csv has no row with this ticker'],
      ['a', 'duplicate member; the panel has this instrument already'],
    ],
  );
});

test('panels that refer to each other in a circle end without members', () => {
  const { panels } = compose({
    LID: { type: 'alias', panel: 'GEN' },
    GEN: { type: 'alias', panel: 'LID' },
  });
  assert.deepEqual([panels.get('LID'), panels.get('GEN')], [[], []]);
});
