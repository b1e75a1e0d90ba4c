import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { CorporateAction } from '../../src/domain/history/corporate-action.ts';
import { CorporateActions } from '../../src/domain/history/corporate-actions.ts';
import { toEpochDay, type PlainDate } from '../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import type { ImportOptions } from '../../src/import/refusals/import-refusal.ts';
import type { ImportSummary } from '../../src/import/reports/import-summary.ts';
import { makeUniverse } from '../support/market/make-universe.ts';
import { fieldsIn } from '../support/fields-in.ts';
import { ImportRig } from './support/import-into.ts';

const universe = makeUniverse([
  { ticker: 'ALUA' },
  { ticker: 'TXAR' },
  { ticker: 'BTC', kind: 'crypto', currency: 'USD' },
  { ticker: 'TASA', kind: 'interest-rate', currency: '%' },
]);

const days = ['02', '03', '04', '05', '09', '10', '11', '12', '13', '16', '17', '18'].map(
  (day) => `2026-11-${day}`,
);

/** A series of a column `close`, from a first close and a step. */
function series(first: number, step: number, on: readonly string[] = days): string {
  return ['date,close', ...on.map((day, at) => `${day},${first + at * step}`)].join('\n');
}

/** A matrix of two instruments, from their first closes. */
function matrix(alua: number, txar: number): string {
  const rows = days.map((day, at) => `${day},${alua + at},${txar + at}`);
  return ['Fecha,ALUA,TXAR', ...rows].join('\n');
}

interface Outcome {
  readonly summary: ImportSummary;
  readonly reason: string;
  readonly before: readonly (readonly [string, number])[];
  readonly after: readonly (readonly [string, number])[];
}

/** Imports a file over a stored one, both of an instrument that their name says. */
async function importOver(
  ticker: string,
  stored: string,
  text: string,
  setup: { readonly options?: ImportOptions; readonly actions?: CorporateActions } = {},
): Promise<Outcome> {
  await using rig = await ImportRig.open();
  await rig.import([await rig.file(`1/${ticker}.csv`, stored)], { universe });
  const before = [...(await rig.closes(ticker))];
  assert.ok(before.length > 0);
  const path = await rig.file(`2/${ticker}.csv`, text);
  const { summary } = await rig.import([path], { universe, ...setup });
  const [file = assert.fail()] = summary.files;
  const reason = file.outcome === 'refused' ? file.reason : '';
  return { summary, reason, before, after: [...(await rig.closes(ticker))] };
}

test('a file that would replace most of a series by another level is refused, and nothing is lost', async () => {
  for (const [ticker, stored, text] of [
    ['BTC', series(100_000, 100), series(25, 0.1)],
    // In another currency, and adjusted for a split.
    ['BTC', series(100_000, 100), series(86_000, 86)],
    ['ALUA', series(900, 1), series(450, 0.5)],
    ['ALUA', series(900, 1), series(1350, 1)],
    // Only the days after the stored ones, too.
    ['BTC', series(100_000, 100, days.slice(0, 6)), series(25, 0.1, days.slice(6))],
    ['ALUA', series(900, 1, days.slice(6)), series(33, 0.1, days.slice(0, 6))],
    ['ALUA', series(900, 1, days.slice(0, 1)), series(9, 1, days.slice(0, 1))],
  ] as const) {
    const { summary: refused, reason, before, after } = await importOver(ticker, stored, text);
    assert.match(reason, /are on another level than the stored ones: its close of/, text);
    assert.match(reason, /with --ticker TICKER or --replace$/);
    assert.deepEqual(after, before);
    assert.deepEqual([refused.suspicious, refused.replaced], [[], []]);
    const named = await importOver(ticker, stored, text, { options: { ticker } });
    assert.match(named.reason, /with --replace$/);
    assert.deepEqual(named.after, before);
    const { summary } = await importOver(ticker, stored, text, { options: { replace: true } });
    assert.equal(summary.totals.added + summary.totals.changed, text.split('\n').length - 1);
  }
});

test('corrections, other sources of the same prices, and a level that a split explains are imported', async () => {
  const slips = series(900, 1).replace(/903$/m, '9.03').replace(/907$/m, '90700');
  const split: CorporateAction = {
    type: 'split',
    ticker: 'ALUA' as Ticker,
    exDay: toEpochDay('2026-11-11' as PlainDate),
    factor: 10,
    source: 'test',
  };
  for (const [ticker, stored, text, actions] of [
    ['ALUA', slips, series(900, 1)],
    // One day of the slips alone.
    ['ALUA', slips, `date,close\n${days[3] ?? ''},903`],
    ['ALUA', series(900, 1), series(880, 1.5)],
    ['ALUA', series(900, 1, days.slice(0, 6)), series(90, 0.1, days.slice(6))],
    [
      'ALUA',
      series(900, 1, days.slice(0, 6)),
      series(90, 0.1, days.slice(6)),
      new CorporateActions([split]),
    ],
    ['TASA', series(30, 0.1), series(40, 0.2)],
    // A minority of other closes are listed, as before.
    ['ALUA', series(900, 1), series(900, 1).replace(/903$/m, '9.03')],
  ] as const) {
    const setup = actions === undefined ? {} : { actions };
    const { summary, reason } = await importOver(ticker, stored, text, setup);
    assert.equal(reason, '', text);
    assert.equal(summary.totals.rejected, 0);
  }
});

test('each close that replaces a stored one of another level is listed with it, once', async () => {
  const text = series(900, 1).replace(/903$/m, '9.03').replace(/906$/m, '1100');
  for (const options of [{}, { replace: true }]) {
    const { summary } = await importOver('ALUA', series(900, 1), text, { options });
    assert.deepEqual(fieldsIn(summary.suspicious, 'suspicion', 'close', 'previous'), [
      'far-from-stored 9.03 903',
      'far-from-stored 1100 906',
    ]);
    assert.equal(summary.totals.suspicious, 2);
  }
});

test('one instrument of several on another level refuses the file', async () => {
  await using rig = await ImportRig.open();
  await rig.import([await rig.file('1.csv', matrix(900, 700))], { universe });
  const { summary } = await rig.import([await rig.file('2.csv', matrix(900, 70))], { universe });
  const [file] = summary.files;
  assert.match(
    file?.outcome === 'refused' ? file.reason : '',
    /^the closes of TXAR .* confirm that its closes are right, with --replace$/,
  );
  assert.equal((await rig.closes('TXAR')).get('2026-11-02'), 700);
});

test('no file changes the level of a stored series by more than a tenth without --replace, however many rows it has', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.double({ min: 0.0001, max: 10_000, noNaN: true }),
      fc.integer({ min: 3, max: days.length }),
      async (factor, count) => {
        fc.pre(factor > 1.12 || factor < 0.88);
        const text = series(1000 * factor, factor, days.slice(0, count));
        const { reason, before, after } = await importOver('ALUA', series(1000, 1), text);
        assert.match(reason, /another level/);
        assert.deepEqual(after, before);
      },
    ),
    { numRuns: 15 },
  );
});
