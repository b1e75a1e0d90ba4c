import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { ImportOptions, Suggestion } from '../../src/import/refusals/import-refusal.ts';
import type { FileResult } from '../../src/import/reports/import-summary.ts';
import { loadUniverse } from '../../src/universe/load-universe.ts';
import type { Reject } from '../../src/import/reports/import-summary.ts';
import { ImportRig } from './support/import-into.ts';

/** Names that are both words and tickers, with the default universe. */
const loaded = await loadUniverse(resolve(import.meta.dirname, '../../universe'));
const universe = loaded.ok ? loaded.universe : assert.fail('the default universe has faults');

const days = ['02', '03', '04', '05', '11', '12', '13', '16', '17', '18'].map(
  (day) => `2026-11-${day}`,
);

interface Outcome {
  readonly file: FileResult;
  readonly stored: readonly string[];
  readonly rejects: readonly Reject[];
}

async function importOne(
  name: string,
  text: string,
  options: ImportOptions = {},
): Promise<Outcome> {
  await using rig = await ImportRig.open();
  const path = await rig.file(name, text);
  const { summary, rejects } = await rig.import([path], { universe, options });
  const [file = assert.fail()] = summary.files;
  const stored = [...summary.byTicker].flatMap(([ticker, { added }]) =>
    added > 0 ? [ticker] : [],
  );
  return { file, stored: stored.sort(), rejects };
}

/** A matrix with these headings. Each column has a level of its own. */
function matrix(headings: readonly string[]): string {
  const rows = days.map((day, at) =>
    [day, ...headings.map((_, column) => (column + 3) * 400 + at)].join(','),
  );
  return [`fecha,${headings.join(',')}`, ...rows].join('\n');
}

function long(names: readonly string[]): string {
  const rows = days.flatMap((day, at) =>
    names.map((name, column) => `${day},${name},${(column + 3) * 400 + at}`),
  );
  return ['fecha,ticker,cierre', ...rows].join('\n');
}

function single(heading: string): string {
  return [`fecha,${heading}`, ...days.map((day, at) => `${day},${1500 + at}`)].join('\n');
}

/** What the operator reads about the names that are left out. */
function asked({ file, rejects }: Outcome): string {
  if (file.outcome === 'refused') return file.reason;
  const columns = file.outcome === 'imported' ? file.columnsDoubtful : [];
  const rows = new Set(rejects.flatMap(({ detail }) => detail ?? []));
  return [...columns, ...rows].join('\n');
}

function instrumentsOf(word: string): readonly string[] {
  return [word.toUpperCase(), `${word.toUpperCase()}_US`];
}

/** A word that is a ticker, beside names that say that the table has other things. */
const beside = fc.constantFrom<{ readonly word: string; readonly others: readonly string[] }>(
  { word: 'CCL', others: ['AL30', 'AL30D', 'MEP'] },
  { word: 'CCL', others: ['GGAL', 'YPFD'] },
  { word: 'ccl', others: ['al30', 'mep', 'blue'] },
  { word: 'CCL', others: ['AAPL.US', 'MSFT.US', 'MEP'] },
  { word: 'v', others: ['AL30'] },
  { word: 'v', others: ['AL30', 'GD30', 'AAPL'] },
  { word: 'c', others: ['AL30', 'ALUA'] },
  { word: 'T', others: ['AL30', 'GD30'] },
  { word: 'CORN', others: ['GOLD', 'COPPER'] },
  { word: 'CORN', others: ['SOYBEANS', 'WHEAT', 'Crude Oil', 'AAPL'] },
  { word: 'COST', others: ['ALUA', 'TXAR', 'MEP'] },
  { word: 'SPOT', others: ['AL30', 'GD30'] },
  { word: 'spot', others: ['contado', 'futuro'] },
  { word: 'AGRO', others: ['INDUSTRIA', 'COMERCIO'] },
  { word: 'LONG', others: ['SHORT'] },
  { word: 'UNI', others: ['ORO', 'PLATA'] },
);

test('a word among the headings is never taken for a ticker, and both readings are named', async () => {
  await fc.assert(
    fc.asyncProperty(
      beside,
      fc.nat(),
      fc.constantFrom<ImportOptions>({}, { suffix: '' }, { suffix: '_US' }),
      async ({ word, others }, place, options) => {
        const headings = others.toSpliced(place % (others.length + 1), 0, word);
        const outcome = await importOne('m.csv', matrix(headings), options);
        const wrong = outcome.stored.filter((one) => instrumentsOf(word).includes(one));
        assert.deepEqual(wrong, [], `${headings.join(',')} ${JSON.stringify(options)}`);
        if (options.suffix === undefined) {
          assert.match(
            asked(outcome),
            new RegExp(`${word} may be .*(?:${word.toUpperCase()})`, 'm'),
          );
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('CCL and MEP are offered as the dollars that they are', async () => {
  const outcome = await importOne('bonos.csv', matrix(['AL30', 'AL30D', 'MEP', 'CCL']));
  assert.deepEqual(outcome.stored, ['AL30', 'AL30D']);
  assert.match(
    asked(outcome),
    /^the column CCL may be CCL \(cedear in ARS, BYMA\), CCL_US \(.*\), DOLAR CCL \(.*\), or no ticker, like MEP beside it; import one column with --column CCL --ticker TICKER$/,
  );
  const options = { column: 'CCL', ticker: 'DOLAR CCL' };
  const dollar = await importOne('bonos.csv', matrix(['AL30', 'AL30D', 'MEP', 'CCL']), options);
  assert.deepEqual(dollar.stored, ['DOLAR CCL']);
  const rows = await importOne('largo.csv', long(['AL30', 'CCL']));
  assert.deepEqual(rows.stored, ['AL30']);
  assert.match(asked(rows), /CCL may be .*DOLAR CCL/);
  const dollars = await importOne('largo.csv', long(['MEP', 'CCL']));
  assert.deepEqual(dollars.stored, []);
  assert.match(asked(dollars), /^CCL may be .*DOLAR CCL/);
  const marked = await importOne('largo.csv', long(['AL30', 'CCL.BA']));
  assert.deepEqual(marked.stored, ['AL30', 'CCL']);
});

test('a word as the only heading, name in the rows or name of the file asks for the instrument', async () => {
  for (const word of ['CCL', 'ccl', 'v', 'V', 'c', 't', 'X']) {
    for (const [name, text] of [
      ['serie.csv', single(word)],
      [`${word}.csv`, single('cierre')],
      [`${word} (1).csv`, single('valor')],
      ...(word === 'V' || word === 'X' ? [] : [['serie.csv', long([word])] as const]),
    ] as const) {
      const outcome = await importOne(name, text);
      const shown = `${name} ${text.slice(0, 20)}`;
      assert.deepEqual(outcome.stored, [], shown);
      assert.match(
        asked(outcome),
        / may be .*, or no ticker; specify the instrument with --ticker TICKER$/,
        shown,
      );
      const dollar = await importOne(name, text, { ticker: 'DOLAR CCL' });
      assert.deepEqual(dollar.stored, word.length > 0 ? ['DOLAR CCL'] : [], shown);
    }
  }
  const dated = single('v').replace('fecha', 'd');
  assert.match(asked(await importOne('usd_oficial.csv', dated)), /with --dates d --ticker TICKER$/);
  for (const suffix of ['', '_US']) {
    const options = { dates: 'd', suffix };
    assert.deepEqual((await importOne('usd_oficial.csv', dated, options)).stored, []);
  }
});

test('what an operator follows of such a refusal stores nothing under the ticker of the word', async () => {
  for (const [name, text] of [
    ['commodity.csv', matrix(['GOLD', 'CORN', 'COPPER'])],
    ['commodity.csv', matrix(['CORN'])],
    ['usd_oficial.csv', single('v').replace('fecha', 'd')],
    ['m.csv', matrix(['spot', 'ma', 'futuro'])],
    ['c.csv', single('cierre')],
    ['m.csv', single('CCL')],
  ] as const) {
    const { file } = await importOne(name, text);
    const advice = file.outcome === 'refused' ? file.advice : undefined;
    const suggestions: readonly Suggestion[] = advice?.suggestions ?? [];
    assert.ok(suggestions.length > 0, name);
    for (const { column, dates, ...others } of suggestions) {
      assert.deepEqual(Object.keys(others), ['ticker'], name);
      const options = {
        ...(typeof column === 'string' && { column }),
        ...(typeof dates === 'string' && { dates }),
        ticker: 'DOLAR BLUE',
      };
      assert.deepEqual((await importOne(name, text, options)).stored, ['DOLAR BLUE'], name);
    }
  }
});

test('names that agree are tickers, however short', async () => {
  const cedears = ['AAL', 'AAPL', 'AMZN', 'BABA', 'BBD', 'DAL', 'DISN', 'JPM', 'KO', 'MSFT', 'WMT'];
  for (const [text, options, stored] of [
    [matrix(['ALUA', 'TXAR', 'KO']), {}, ['ALUA', 'KO', 'TXAR']],
    [matrix(['ALUA', 'TXAR', 'KO', 'OLDT']), {}, ['ALUA', 'KO', 'TXAR']],
    [matrix(['AL30', 'GD30', 'dolar']), {}, ['AL30', 'GD30']],
    [matrix(['ggal', 'alua', 'ypfd']), { suffix: '' }, ['ALUA', 'GGAL', 'YPFD']],
    [matrix(['V', 'MA', 'JPM']), { suffix: '_US' }, ['JPM_US', 'MA_US', 'V_US']],
    [matrix(['BTC', 'ETH']), {}, ['BTC', 'ETH']],
    [matrix(['MERVAL', 'dolar']), {}, ['MERVAL']],
    [
      matrix(['AAPL.US', 'CCL.US', 'GGAL.BA', 'DOLAR MEP']),
      {},
      ['AAPL_US', 'CCL_US', 'DOLAR MEP', 'GGAL'],
    ],
    [long([...cedears, 'CCL']), {}, [...cedears, 'CCL'].sort()],
    [long(['V', 'MA']), { suffix: '_US' }, ['MA_US', 'V_US']],
    [long(['ggal', 'alua']), {}, ['ALUA', 'GGAL']],
  ] as const) {
    const outcome = await importOne('m.csv', text, options);
    assert.deepEqual(outcome.stored, stored, `${text.slice(0, 60)} ${asked(outcome)}`);
  }
  for (const [name, options, stored] of [
    ['btc.csv', {}, ['BTC']],
    ['ALUA.csv', {}, ['ALUA']],
    ['C.csv', { suffix: '_US' }, ['C_US']],
    ['T.csv', { suffix: '_US' }, ['T_US']],
    ['CCL.csv', { suffix: '_US' }, ['CCL_US']],
  ] as const) {
    assert.deepEqual((await importOne(name, single('cierre'), options)).stored, stored, name);
  }
});
