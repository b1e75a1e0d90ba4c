import assert from 'node:assert/strict';
import { test } from 'node:test';
import { panelCodes } from '../../domain/instruments/panel.ts';
import { readPanels } from '../read-panels.ts';
import { panelsText } from './edit-files.ts';

const rulesOf = (text: string) => {
  const { rules, faults } = readPanels({ file: 'panels.yaml', text });
  assert.deepEqual(faults, []);
  return Object.fromEntries(
    [...rules].map(([code, rule]) => [
      code,
      rule.type === 'members' ? rule.tickers.map(({ value }) => value) : rule.type,
    ]),
  );
};

test('a panel has the rows that name it, unless its order is another one than that of the rows', () => {
  const panels = new Map([
    ['LID', ['A', 'B']],
    ['GEN', ['D', 'C']],
    ['LIDGEN', ['A', 'B', 'D', 'C']],
    ['IND', ['C D', 'gone', 'A']],
  ] as const);
  const rules = rulesOf(panelsText(panels, ['A', 'B', 'C', 'D', 'C D']));
  assert.deepEqual(Object.keys(rules), panelCodes);
  const { LID, GEN, LIDGEN, BON, IND, CED } = rules;
  assert.deepEqual(
    { LID, GEN, LIDGEN, BON, IND, CED },
    {
      LID: 'rows',
      GEN: ['D', 'C'],
      LIDGEN: 'of',
      BON: 'alias',
      IND: ['C D', 'A'],
      CED: 'rows',
    },
  );
});

test('LIDGEN is composed only if it has the members of LID and GEN', () => {
  const text = panelsText(
    new Map([
      ['LIDGEN', ['B', 'A']],
      ['LID', ['A']],
    ] as const),
    ['A', 'B'],
  );
  assert.deepEqual(rulesOf(text)['LIDGEN'], ['B', 'A']);
});
