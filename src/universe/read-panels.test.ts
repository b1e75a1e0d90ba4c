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

test('an unknown panel is a fault, and so is a missing one', () => {
  const { faults } = read(withPanels({}).replace('CED:', 'CRIPTO:'));
  assert.deepEqual(
    faults.map(({ line, column, value }) => [line, column, value]),
    [
      [10, 1, 'CRIPTO'],
      [1, 1, ''],
    ],
  );
  assert.equal(faults[1]?.message, 'panels are missing: CED');
});

test('a panel composed of an unknown panel is a fault', () => {
  const fault = onlyFault(withPanels({ LIDGEN: '{ name: x, of: [LID, GENERAL] }' }));
  assert.deepEqual(fault?.slice(0, 3), [3, 30, 'GENERAL']);
});

test('a panel composed of a composed panel is a fault', () => {
  const fault = onlyFault(
    withPanels({ LIDGEN: '{ name: x, of: [LID, GEN] }', ADR: '{ name: x, of: [LIDGEN] }' }),
  );
  assert.deepEqual(fault?.slice(0, 3), [7, 1, 'ADR']);
});

test('a panel composed of an alias is a fault, and one composed of panels with rows or lists is not', () => {
  const fault = onlyFault(withPanels({ ADR: '{ name: x, of: [BON] }' }));
  assert.deepEqual(fault?.slice(0, 3), [7, 1, 'ADR']);
  const { faults } = read(
    withPanels({ LID: '{ name: x, members: [A] }', ADR: '{ name: x, of: [LID] }' }),
  );
  assert.deepEqual(faults, []);
});

test('an alias of an alias is a fault', () => {
  assert.deepEqual(onlyFault(withPanels({ ADR: '{ name: x, aliasOf: BON }' }))?.slice(0, 3), [
    7,
    1,
    'ADR',
  ]);
});

test('contract 2.4: BON is an alias of BONOS', () => {
  assert.deepEqual(onlyFault(withPanels({ BON: '{ name: x }' }))?.slice(0, 3), [5, 1, 'BON']);
  assert.deepEqual(onlyFault(withPanels({ BON: '{ name: x, aliasOf: ETF }' }))?.[0], 5);
});

test('a panel with two sources of members is a fault', () => {
  const fault = onlyFault(withPanels({ LIDGEN: '{ name: x, of: [LID], members: [A] }' }));
  assert.deepEqual(fault?.slice(0, 3), [3, 31, 'members']);
});

test('a panel without a name is a fault', () => {
  assert.deepEqual(onlyFault(withPanels({ ADR: '{ members: [A] }' })), [
    7,
    6,
    '',
    'the panel ADR requires name',
  ]);
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
