import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import {
  adviceKinds,
  suggestionText,
  type ImportOptions,
  type Suggestion,
} from '../../src/import/refusals/import-refusal.ts';
import type { FileResult } from '../../src/import/reports/import-summary.ts';
import { applied } from '../../src/import/refusals/tried-advice.ts';
import { loadUniverse } from '../../src/universe/load-universe.ts';
import { sharedData } from '../support/program/shared-data.ts';
import { ImportRig } from './support/import-into.ts';
import { adviceCases, type AdviceCase } from './support/advice-cases.ts';

/**
 * A refusal that names an option must be correct: an operator who follows it gets the right closes, and
 * never a second refusal. A suggestion is a value, and its text is made from it, so these tests follow
 * exactly what the operator reads.
 */

/** The options of an operator who follows a suggestion, and who knows the ticker and the time zone. */
function following(suggestion: Suggestion, options: ImportOptions, ticker: string): ImportOptions {
  const { ticker: chosen, zone, ...others } = applied(suggestion, options);
  return {
    ...others,
    ...(chosen !== undefined && { ticker: typeof chosen === 'string' ? chosen : ticker }),
    ...(zone !== undefined && { zone: typeof zone === 'string' ? zone : 'Asia/Tokyo' }),
  };
}

async function importFile(
  path: string,
  { universe, stored: before = {} }: Pick<AdviceCase, 'universe' | 'stored'>,
  options: ImportOptions,
): Promise<{ readonly file: FileResult; readonly stored: readonly string[] }> {
  await using rig = await ImportRig.open();
  for (const [name, text] of Object.entries(before)) {
    await rig.import([await rig.file(name, text)], { universe });
  }
  const { summary } = await rig.import([path], { universe, options });
  const [file = assert.fail('no file')] = summary.files;
  const stored: string[] = [];
  for (const ticker of [...summary.byTicker.keys()].sort()) {
    for (const [day, close] of await rig.closes(ticker)) stored.push(`${ticker} ${day} ${close}`);
  }
  return { file, stored };
}

function adviceOf(file: FileResult) {
  if (file.outcome !== 'refused') return assert.fail(`${file.file} was not refused`);
  return file.advice;
}

async function follow(one: AdviceCase, path: string): Promise<Record<string, readonly string[]>> {
  const { options = {}, operator = 'GGAL' } = one;
  const { file } = await importFile(path, one, options);
  const outcomes: Record<string, readonly string[]> = {};
  for (const suggestion of adviceOf(file)?.suggestions ?? []) {
    const next = following(suggestion, options, operator);
    const { file: imported, stored } = await importFile(path, one, next);
    const shown = suggestionText(suggestion);
    assert.equal(
      imported.outcome,
      'imported',
      `${shown}: ${'reason' in imported && imported.reason}`,
    );
    outcomes[shown] = stored;
  }
  return outcomes;
}

for (const one of adviceCases) {
  const { file, text, options = {}, refused, leads = {} } = one;
  const head = `${file}: ${text.split('\n')[0] ?? ''} ${JSON.stringify(options)}`;
  test(`a refusal names only options that lead to the right closes: ${head}`, async () => {
    await using rig = await ImportRig.open();
    const path = await rig.file(file, one.bytes ?? text);
    const result = await importFile(path, one, options);
    assert.equal(result.file.outcome, 'refused');
    assert.match(result.file.outcome === 'refused' ? result.file.reason : '', refused);
    assert.deepEqual(await follow(one, path), leads);
  });
}

test('every kind of advice is followed by one of these tests', async () => {
  const kinds = new Set<string>();
  await using rig = await ImportRig.open();
  for (const one of adviceCases) {
    const { file, text, bytes, options = {} } = one;
    const path = await rig.file(file, bytes ?? text);
    const advice = adviceOf((await importFile(path, one, options)).file);
    if (advice !== undefined && advice.suggestions.length > 0) kinds.add(advice.kind);
  }
  assert.deepEqual([...kinds].sort(), Object.keys(adviceKinds).sort());
});

test('no text of the import names an option, except the one that is made from suggestions', () => {
  const folder = resolve(import.meta.dirname, '../../src/import');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== 'advice.ts',
  );
  assert.ok(files.length > 30);
  for (const file of files) {
    const code = readFileSync(join(folder, file), 'utf8')
      .replaceAll(/\/\*.*?\*\//gs, '')
      .replaceAll(/^\s*\/\/.*$/gm, '');
    assert.doesNotMatch(code, /--[a-z]/, file);
  }
});

const shared = sharedData('found');
const skip = shared === undefined ? 'the shared market data is not available' : false;

/** The files of the shared data. Of files in one folder that begin alike, only the smallest. */
function sharedFiles(): readonly string[] {
  const all = ['found', 'history', 'upstream-samples'].flatMap((name) => {
    const folder = sharedData(name);
    if (folder === undefined) return [];
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:csv|json|zip|gz|txt|xlsx)$/.test(file))
      .map((file) => join(folder, file));
  });
  const sorted = all
    .filter((file) => !file.includes('/feeds/'))
    .sort((a, b) => statSync(a).size - statSync(b).size);
  const heads = Map.groupBy(sorted, (file) => `${dirname(file)} ${headOf(file)}`);
  return [...heads.values()].flatMap(([smallest = '']) => smallest);
}

/** The beginning of a file, which is the same for all files of one kind that a publisher has. */
function headOf(path: string): string {
  const [line = ''] = readFileSync(path, 'latin1').split('\n', 1);
  return /\.(?:zip|gz|xlsx)$/.test(path) ? path : line.slice(0, 60).replaceAll(/\d+/g, '0');
}

test('each option that a refusal of a real file names leads to an import', { skip }, async () => {
  const loaded = await loadUniverse(resolve(import.meta.dirname, '../../universe'));
  const universe = loaded.ok ? loaded.universe : assert.fail('the default universe has faults');
  await using rig = await ImportRig.open();
  const tried = async (path: string, options: ImportOptions): Promise<FileResult> => {
    const { summary } = await rig.import([path], {
      universe,
      options,
      dryRun: true,
    });
    return summary.files[0] ?? assert.fail(`no file ${path}`);
  };
  let count = 0;
  for (const path of sharedFiles()) {
    const isSmall = path.includes('/found/');
    const others = isSmall ? [{ ticker: 'SPY_US' }, { suffix: '_US' }, { suffix: '' }] : [];
    for (const options of [{}, ...others]) {
      const file = await tried(path, options);
      const advice = file.outcome === 'refused' ? file.advice : undefined;
      for (const suggestion of advice?.suggestions ?? []) {
        // The operator knows an instrument in the currency of the file, or the rate that it has.
        let followed = await tried(path, following(suggestion, options, 'BTC'));
        for (const ticker of ['GGAL', 'DOLAR BLUE', 'CAUCION 7D']) {
          if (followed.outcome === 'imported') break;
          followed = await tried(path, following(suggestion, options, ticker));
        }
        const shown = `${path} ${JSON.stringify(options)} ${suggestionText(suggestion)}`;
        assert.equal(followed.outcome, 'imported', `${shown}: ${JSON.stringify(followed)}`);
        const { counts, byTicker } =
          followed.outcome === 'imported' ? followed : assert.fail(shown);
        const letters = [...byTicker.keys()].filter((one) => /^.(?:_US)?$/.test(one));
        assert.deepEqual(letters, [], `${shown} takes a letter for a ticker`);
        assert.ok(counts.added > 0, `${shown} accepts no close`);
        count += 1;
      }
    }
  }
  assert.ok(count > 50, `only ${count} suggestions were followed`);
});
