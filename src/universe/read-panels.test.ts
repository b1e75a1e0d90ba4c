import assert from 'node:assert/strict';
import { test } from 'node:test';
import { panelCodes, type PanelCode } from '../domain/instruments/panel.ts';
import { readPanels } from './read-panels.ts';

/** All eleven panels, one per line in the order of the contract, some replaced. */
function withPanels(change: Partial<Record<PanelCode, string>>): string {
  const lines = panelCodes.map((code) => {
    const standard = code === 'BON' ? '{ name: Bonos, aliasOf: BONOS }' : '{ name: Panel }';
    return `${code}: ${change[code] ?? standard}`;
  });
  return lines.join('\n');
}

const read = (text: string) => readPanels({ file: 'panels.yaml', text });

function onlyFault(text: string) {
  const { faults } = read(text);
  assert.equal(faults.length, 1, JSON.stringify(faults));
  return faults.map(({ line, column, value, message }) => [line, column, value, message])[0];
}

test('a panel has its members from rows, from other panels, from a list, or as an alias', () => {
  const { rules, faults } = read(
    withPanels({ LIDGEN: '{ name: x, of: [LID, GEN] }', ADR: '{ name: x, members: [B, A] }' }),
  );
  assert.deepEqual(faults, []);
  assert.deepEqual(rules.get('LID'), { type: 'rows' });
  assert.deepEqual(rules.get('LIDGEN'), { type: 'of', panels: ['LID', 'GEN'] });
  assert.deepEqual(rules.get('BON'), { type: 'alias', panel: 'BONOS' });
  assert.deepEqual(rules.get('ADR'), {
    type: 'members',
    tickers: [
      { value: 'B', line: 7, column: 27 },
      { value: 'A', line: 7, column: 30 },
    ],
  });
});

test('a panel is composed of panels with rows or lists, not of composed ones or aliases', () => {
  const composed = { LIDGEN: '{ name: x, of: [LID, GEN] }', ADR: '{ name: x, of: [LIDGEN] }' };
  for (const change of [composed, { ADR: '{ name: x, of: [BON] }' }]) {
    assert.deepEqual(onlyFault(withPanels(change))?.slice(0, 3), [7, 1, 'ADR']);
  }
  const { faults } = read(
    withPanels({ LID: '{ name: x, members: [A] }', ADR: '{ name: x, of: [LID] }' }),
  );
  assert.deepEqual(faults, []);
});

test('contract 2.4: BON is an alias of BONOS', () => {
  assert.deepEqual(onlyFault(withPanels({ BON: '{ name: x }' }))?.slice(0, 3), [5, 1, 'BON']);
  assert.deepEqual(onlyFault(withPanels({ BON: '{ name: x, aliasOf: ETF }' }))?.[0], 5);
});

test('without BON it is missing, which is the only fault', () => {
  const text = withPanels({}).replace(/^BON:.*\n/m, '');
  assert.deepEqual(onlyFault(text), [1, 1, '', 'panels are missing: BON']);
});

test('a panel with a fault has no rule, and one with a wrong member has the others', () => {
  const { rules, faults } = read(
    withPanels({
      LID: '{ name: x, of: [GEN], members: [A] }',
      LIDGEN: '{ name: x, aliasOf: NADA }',
      ADR: '{ name: x, of: [LID, NADA, GEN] }',
      CED: '{ name: x, members: [A, [B], C] }',
    }),
  );
  assert.equal(faults.length, 4);
  assert.deepEqual([rules.has('LID'), rules.has('LIDGEN')], [false, false]);
  assert.deepEqual(rules.get('ADR'), { type: 'of', panels: ['LID', 'GEN'] });
  const members = rules.get('CED');
  assert.deepEqual(members?.type === 'members' && members.tickers.map(({ value }) => value), [
    'A',
    'C',
  ]);
});

test('each value that is no text is one fault that names it', () => {
  for (const [panel, message] of [
    ['{ name: [] }', 'the name must be a text'],
    ['{ name: x, aliasOf: [] }', 'a panel must be a text'],
    ['{ name: x, of: [LID, []] }', 'a panel must be a text'],
    ['{ name: x, members: [A, []] }', 'a ticker must be a text'],
  ] as const) {
    assert.equal(onlyFault(withPanels({ ADR: panel }))?.[3], message);
  }
});

test('an unknown panel has no rule', () => {
  const { rules } = read(withPanels({}).replace('CED:', 'CRIPTO:'));
  assert.deepEqual(
    [...rules.keys()],
    panelCodes.filter((code) => code !== 'CED'),
  );
});
