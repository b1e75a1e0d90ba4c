import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as fc from 'fast-check';

import { formatFile } from '../../../src/commands/import/import-report.ts';
import {
  firstEpochDay,
  lastEpochDay,
  type EpochDay,
} from '../../../src/domain/calendar/plain-date.ts';
import { valuesAt } from '../../../src/domain/changes/version.ts';
import type { CorporateAction } from '../../../src/domain/history/corporate-action.ts';
import { termIndexNames, type IndexName } from '../../../src/domain/indices/index-name.ts';
import type { IssueTerms } from '../../../src/domain/instruments/issue-terms.ts';
import type { Ticker } from '../../../src/domain/instruments/ticker.ts';
import { changesHeader } from '../../../src/import/changes/version-cells.ts';
import { changesTables } from '../../../src/import/changes/changes-tables.ts';
import { hasFailed } from '../../../src/import/reports/import-summary.ts';
import type { Store } from '../../../src/store/contract/store.ts';
import { al30, allDays, close } from '../../store/close-samples.ts';
import { temporaryDirectory } from '../../support/program/program.ts';
import { openTestStore } from '../../support/program/test-store.ts';
import { exportOf, refusesWith, universe } from '../support/export-text.ts';
import { ImportRig } from '../support/import-into.ts';

const start = Date.UTC(2026, 10, 20, 15);

const tickers = fc.constantFrom(
  'GGAL',
  'AL30',
  'LEFT THE UNIVERSE',
  'ñandú',
) as fc.Arbitrary<Ticker>;
const days = fc.integer({ min: 20_000, max: 20_002 }) as unknown as fc.Arbitrary<EpochDay>;
const source = fc.constantFrom('alpaca', 'file "a", b.csv', 'import:c.csv');
const amount = fc.double({ min: 1e-9, max: 1e9, noNaN: true });

const action: fc.Arbitrary<CorporateAction> = fc.oneof(
  fc.record({
    ticker: tickers,
    exDay: days,
    source,
    type: fc.constantFrom('split', 'ratio-change'),
    factor: fc.double({ min: 0.001, max: 0.999, noNaN: true }),
  }),
  fc.record({
    ticker: tickers,
    exDay: days,
    source,
    type: fc.constant('cash-dividend'),
    amount,
    currency: fc.constantFrom('ARS', 'USD'),
  }),
  fc.record({
    ticker: tickers,
    exDay: days,
    source,
    type: fc.constant('ticker-change'),
    newTicker: fc.constant('NEW NAME' as Ticker),
  }),
);

const indexValue = fc.record({
  index: fc.constantFrom(...termIndexNames),
  day: days,
  value: amount,
  source,
});

const issue: fc.Arbitrary<IssueTerms> = fc.record({
  ticker: tickers.filter((one) => !one.includes(' ')),
  series: fc.constantFrom([], ['AL30D', 'AL30C'] as Ticker[]),
  values: fc.record(
    { isin: fc.string({ unit: 'grapheme' }), margin: fc.double({ noNaN: true, min: -1, max: 1 }) },
    { requiredKeys: [] },
  ),
});

/** What one change after the other puts and removes. */
const changes = fc.array(
  fc.record({
    actions: fc.array(action, { maxLength: 3 }),
    values: fc.array(indexValue, { maxLength: 3 }),
    issues: fc.array(issue, { maxLength: 2 }),
    removes: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
);

type Change = typeof changes extends fc.Arbitrary<readonly (infer One)[]> ? One : never;

async function change(store: Store, { actions, values, issues, removes }: Change, at: number) {
  const by = { at, origin: at % 2 === 0 ? 'import' : 'fetch' } as const;
  const known = await store.actions.readAll();
  await store.actions.apply(removes ? { remove: known.values.slice(0, 1) } : { put: actions }, by);
  await store.indices.apply({ put: values }, by);
  await store.terms.apply(removes ? { remove: issues } : { put: issues }, by);
}

/** Every version of the tables beside the closes, and what was stored at some instants. */
async function contentOf(store: Store, instants: readonly number[]) {
  const actions = await store.actions.readVersions();
  const terms = await store.terms.readVersions();
  const indices = await store.indices.readVersions();
  const known = instants.map((at) => [
    valuesAt(actions, at, ({ ticker, exDay, type }) => `${ticker} ${exDay} ${type}`),
    valuesAt(terms, at, ({ ticker }) => ticker),
    valuesAt(indices, at, ({ index, day }) => `${index} ${day}`),
  ]);
  return { actions, terms, indices, known };
}

test('an export with changes restores corporate actions, indices and terms, and what was known at each instant', async () => {
  await fc.assert(
    fc.asyncProperty(changes, async (all) => {
      await using directory = await temporaryDirectory();
      await using store = await openTestStore(directory.path);
      await store.history.transaction(
        (transaction) => transaction.put(al30, [close('2026-11-18', 1.5, 7)]),
        { origin: 'import', now: () => start },
      );
      for (const [at, one] of all.entries()) await change(store, one, start + at);
      const instants = [start - 1, ...all.map((_, at) => start + at), Infinity];
      const content = await contentOf(store, instants);
      const { text } = await exportOf(directory.path);
      await using rig = await ImportRig.open();
      for (const outcome of ['added', 'same'] as const) {
        const { summary } = await rig.import(['-'], { universe, stdin: Buffer.from(text) });
        assert.deepEqual([summary.totals.read, summary.totals[outcome]], [1, 1]);
        assert.deepEqual(await contentOf(rig.store, instants), content);
      }
      assert.equal((await rig.store.history.readCloses(al30, allDays)).length, 1);
    }),
    { numRuns: 12 },
  );
});

const at = '2026-11-20T15:00:00.000Z';

test('a store without closes has an export with changes, whose import names what it restored', async () => {
  await using directory = await temporaryDirectory();
  {
    await using store = await openTestStore(directory.path);
    const day = 20_000 as EpochDay;
    const put = [{ index: 'CER', day, value: 1.5, source: 'bcra' }] as const;
    await store.indices.apply({ put }, { at: start, origin: 'fetch' });
  }
  const { text, summary } = await exportOf(directory.path);
  assert.equal(
    text,
    `${changesHeader.join(',')}\r\n` +
      'indice,fecha,valor,fuente,stored_at,stored_by,replaced_at,replaced_by\r\n' +
      `CER,2024-10-04,1.5,bcra,${at},fetch,,\r\n`,
  );
  assert.deepEqual(summary.others, [
    ['corporate actions', 0],
    ['index values', 1],
    ['bond terms', 0],
  ]);
  await using rig = await ImportRig.open();
  const imported = await rig.import(['-'], { universe, stdin: Buffer.from(text) });
  const [file] = imported.summary.files;
  assert.ok(file);
  assert.match(formatFile(file), /^imported {2}.* \(pizarra-changes\) .*; index values 1$/);
  assert.ok(!hasFailed(imported.summary));
  assert.equal((await rig.store.indices.readAll()).values.length, 1);
});

test('an export with changes has the indices that only a later version knows, and its import refuses them by name', async () => {
  await using directory = await temporaryDirectory();
  {
    await using store = await openTestStore(directory.path);
    const day = 20_000 as EpochDay;
    const unknown = { index: 'IPIM' as IndexName, day, source: 'indec' };
    const known = { index: 'UVA', day, value: 3, source: 'bcra' } as const;
    const by = { at: start, origin: 'fetch' } as const;
    await store.indices.apply({ put: [{ ...unknown, value: 1 }, known] }, by);
    await store.indices.apply({ put: [{ ...unknown, value: 2 }] }, by);
  }
  const { text, summary } = await exportOf(directory.path);
  assert.deepEqual(text.split('\r\n').slice(2, -1), [
    `UVA,2024-10-04,3,bcra,${at},fetch,,`,
    `IPIM,2024-10-04,1,indec,${at},fetch,${at},fetch`,
    `IPIM,2024-10-04,2,indec,${at},fetch,,`,
  ]);
  assert.deepEqual(summary.others?.[1], ['index values', 3]);
  await using rig = await ImportRig.open();
  const imported = await rig.import(['-'], { universe, stdin: Buffer.from(text) });
  const [file] = imported.summary.files;
  const reason = file?.outcome === 'refused' ? file.reason : '';
  assert.match(reason, /^line 4: indice "IPIM": not an index; the indices are CER, UVA/);
  assert.equal((await rig.store.indices.readAll()).values.length, 0);
});

test('an export with changes of some instruments has closes only', async () => {
  await using directory = await temporaryDirectory();
  {
    await using store = await openTestStore(directory.path);
    await store.history.transaction(
      (transaction) => transaction.put(al30, [close('2026-11-18', 1)]),
      { origin: 'import', now: () => start },
    );
    const day = 20_000 as EpochDay;
    const put = [{ index: 'CER', day, value: 1.5, source: 'bcra' }] as const;
    await store.indices.apply({ put }, { at: start, origin: 'fetch' });
  }
  const { text, summary } = await exportOf(directory.path, ['AL30']);
  assert.equal(text.split('\r\n').length - 1, 2);
  assert.ok(!('others' in summary));
});

const [actionHeader = '', indexHeader = '', termsHeader = ''] = Object.values(changesTables).map(
  ({ header }) => header.join(','),
);
const changed = `${at},import,${at},fetch`;
const stored = `${at},import,,`;

for (const [what, rows, message] of [
  [
    'an action of another type',
    [actionHeader, `GGAL,2026-11-18,spilt,2,,,,a,${stored}`],
    /^line 4: type "spilt": not a type of action/,
  ],
  [
    'an action without its factor',
    [actionHeader, `GGAL,2026-11-18,split,,,,,a,${stored}`],
    /^line 4: factor "": a split requires it/,
  ],
  [
    'an action without an instant',
    [actionHeader, 'GGAL,2026-11-18,split,2,,,,a,,,,'],
    /^line 4: stored_at is missing/,
  ],
  [
    'two stored actions of one key',
    [
      actionHeader,
      `GGAL,2026-11-18,split,2,,,,a,${stored}`,
      `GGAL,2026-11-18,split,3,,,,a,${stored}`,
    ],
    /^line 5: of the rows of GGAL 2026-11-18 split, all but the last one have replaced_at/,
  ],
  [
    'another index',
    [indexHeader, `CER,2026-11-18,1.5,a,${stored}`, `CRE,2026-11-18,1.5,a,${stored}`],
    /^line 5: indice "CRE": not an index/,
  ],
  [
    'a value that is no number',
    [indexHeader, `CER,2026-11-18,x,a,${stored}`],
    /^line 4: valor "x": not a number above zero/,
  ],
  [
    'an index in two places',
    [
      indexHeader,
      `CER,2026-11-18,1,a,${changed}`,
      `CER,2026-11-19,1,a,${stored}`,
      `CER,2026-11-18,2,a,${stored}`,
    ],
    /^line 6: the rows of CER 2026-11-18 are not together/,
  ],
  [
    'terms that are no object',
    [termsHeader, `AL30,AL30D,[1],${stored}`],
    /^line 4: "\[1\]" is not a JSON object with terms/,
  ],
  ['terms without a ticker', [termsHeader, `,AL30D,{},${stored}`], /^line 4: "" is not a ticker/],
  [
    'a row of another table',
    [actionHeader, `GGAL,2026-11-18,split,2,,,,a,${stored}`, `CER,2026-11-18,1.5,a,${stored}`],
    /^line 5: type "1.5": not a type of action/,
  ],
] as const) {
  test(`an export with changes that has ${what} is refused, and nothing of it is stored`, async () => {
    const lines = [changesHeader.join(','), `AL30,2026-11-18,1,,,,,,${stored}`, ...rows];
    await refusesWith(lines.join('\n'), message);
  });
}

test('a store with other corporate actions refuses an export with changes, closes included', async () => {
  await using rig = await ImportRig.open();
  const text = [
    changesHeader.join(','),
    `AL30,2026-11-18,1,,,,,,${stored}`,
    actionHeader,
    `GGAL,2026-11-18,split,2,,,,a,${stored}`,
  ].join('\n');
  const by = { at: start, origin: 'fetch' } as const;
  const own = { ticker: 'GGAL' as Ticker, exDay: 20_000 as EpochDay, source: 'b' };
  await rig.store.actions.apply({ put: [{ ...own, type: 'split', factor: 3 }] }, by);
  const { summary } = await rig.import(['-'], { universe, stdin: Buffer.from(text) });
  const [file] = summary.files;
  assert.match(
    file?.outcome === 'refused' ? `${file.code}: ${file.reason}` : '',
    /^not-empty: the store has other corporate actions/,
  );
  assert.equal(await rig.revision(), 0);
  assert.equal((await rig.store.actions.readVersions()).length, 1);
});

test('a dry run of an export with changes checks every table and stores nothing', async () => {
  await using rig = await ImportRig.open();
  const closeRow = `AL30,2026-11-18,1,,,,,,${stored}`;
  const value = `CER,2026-11-18,1.5,a,${stored}`;
  const text = [changesHeader.join(','), closeRow, indexHeader, value].join('\n');
  const { summary } = await rig.import(['-'], { universe, stdin: Buffer.from(text), dryRun: true });
  assert.ok(!hasFailed(summary));
  assert.equal(summary.totals.added, 1);
  assert.equal(await rig.revision(), 0);
  assert.equal((await rig.store.indices.readAll()).values.length, 0);
});

test('an export with changes of several megabytes is restored to its last row', async () => {
  await using rig = await ImportRig.open();
  const rows = Array.from({ length: 30_000 }, (_, index) => {
    const date = new Date(Date.UTC(1940, 0, index + 1)).toISOString().slice(0, 10);
    return `AL30,${date},${index + 1},,,,,import:${'a'.repeat(60)},${stored}`;
  });
  const text = [changesHeader.join(','), ...rows, indexHeader, `CER,2026-11-18,1.5,a,${stored}`];
  const file = await rig.file('memory.csv', text.join('\n'));
  const { summary } = await rig.import([file], { universe });
  assert.deepEqual([summary.totals.read, summary.totals.added], [rows.length, rows.length]);
  const closes = await rig.store.history.readCloses(al30, {
    from: firstEpochDay,
    to: lastEpochDay,
  });
  assert.equal(closes.at(-1)?.close, rows.length);
  assert.equal((await rig.store.indices.readAll()).values.length, 1);
});
