import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DateFormat } from '../../src/import/cells/date-format.ts';
import type { ImportOptions } from '../../src/import/importer.ts';
import { makeUniverse } from '../support/make-universe.ts';
import { ImportRig } from './import-into.ts';

/**
 * A refusal that names an option must be correct: when the operator follows it, the file is imported, or
 * another refusal names the next option.
 */
const universe = makeUniverse([
  { ticker: 'ALUA' },
  { ticker: 'GGAL' },
  { ticker: 'GGAL_US', kind: 'adr', market: 'NYSE' },
  { ticker: 'KO', kind: 'cedear' },
  { ticker: 'KO_US', market: 'NYSE' },
  { ticker: 'TSLA_US', market: 'NYSE' },
  { ticker: 'MO', kind: 'cedear' },
  { ticker: 'MERVAL', kind: 'index' },
  { ticker: 'DOLAR OFICIAL', kind: 'exchange-rate' },
]);

/** Maximum number of refusals in a row until a file is imported. */
const refusalsMax = 3;

interface Case {
  readonly file: string;
  readonly text: string;
  readonly options?: ImportOptions;
  readonly refused: RegExp;
}

const ohlc = 'Date,Open,High,Low,Px,Otro\n2026-11-16,1,3,1,2,5\n2026-11-17,1,3,1,2,5';
const cases: readonly Case[] = [
  { file: 'KO.csv', text: 'Date,Close\n2026-11-16,70', refused: /KO may be KO .* or KO_US/ },
  { file: 'TSLA.csv', text: 'Date,Close\n2026-11-16,70', refused: /if it is TSLA_US, .*--ticker/ },
  { file: 'MO.csv', text: 'Date,Close\n2026-11-16,70', refused: /if it is MO, .*--suffix ""/ },
  {
    file: 'x.csv',
    text: 'symbol,date,close\nKO,2026-11-16,70',
    refused: /--suffix "" or --suffix/,
  },
  { file: 'x.csv', text: 'symbol,date,close\nTSLA,2026-11-16,70', refused: /--suffix _US/ },
  {
    file: 'nada.csv',
    text: 'Date,Close\n2026-11-16,70',
    refused: /unknown ticker nada; .*--ticker$/,
  },
  {
    file: 'MO.csv',
    text: 'Date,Close\n2026-11-16,70',
    options: { suffix: '_US' },
    refused: /unknown ticker MO; .*--ticker or --suffix ""/,
  },
  {
    file: 'x.csv',
    text: 'symbol,date,close\nNADA,2026-11-16,70',
    refused: /unknown ticker NADA; .*--ticker$/,
  },
  {
    file: 'x.csv',
    text: 'especie,fecha,apertura,maximo,minimo,cierre,volumen\nNADA,2026-11-16,1,3,1,2,1',
    refused: /unknown ticker NADA; .*--ticker$/,
  },
  {
    file: 'index.json',
    text: '[{"moneda":"EUR","compra":1600,"venta":1700,"fecha":"2026-11-16","casa":"oficial"}]',
    refused: /unknown ticker EUR; .*--ticker$/,
  },
  {
    file: 'index.json',
    text: '[{"casa":"oficial","compra":1400,"venta":1450,"fecha":"2026-11-16"}]',
    options: { ticker: 'DOLAR OFICIAL' },
    refused: /choose one column with --column: compra, venta$/,
  },
  {
    file: 'm.csv',
    text: 'Date,NADA,NADIE\n2026-11-16,70,80',
    refused: /unknown ticker NADA, NADIE; import one column with --column/,
  },
  {
    file: 'm.csv',
    text: 'Date,NADA,NADIE\n2026-11-16,70,80',
    options: { ticker: 'GGAL' },
    refused: /closes of 2 instruments; choose one column with --column: NADA, NADIE/,
  },
  {
    file: 'm.csv',
    text: 'Date,KO,GGAL\n2026-11-16,70,80',
    options: { ticker: 'KO' },
    refused: /choose one column with --column: KO, GGAL/,
  },
  { file: 'm.csv', text: 'Date,KO,TSLA\n2026-11-16,70,80', refused: /the column KO may be KO/ },
  { file: 'm.csv', text: 'Date,TSLA\n2026-11-16,70', refused: /the column TSLA may be TSLA_US/ },
  { file: 'm.csv', text: 'Date,MO\n2026-11-16,70', refused: /the column MO may be MO/ },
  {
    file: 'm.csv',
    text: 'Date,ALUA,KO\n2026-11-16,70,80',
    options: { suffix: '_US' },
    refused: /the column ALUA .*remove --suffix/,
  },
  {
    file: 'm.csv',
    text: 'Date,BTC:open,BTC:close,ETH:close\n2026-11-16,1,2,3',
    refused: /unknown ticker BTC, ETH; import one column/,
  },
  {
    file: 'x.csv',
    text: 'symbol,date,close\nALUA,2026-11-16,7\nMERVAL,2026-11-16,7',
    options: { ticker: 'ALUA' },
    refused: /the rows name ALUA, MERVAL; remove --ticker/,
  },
  {
    file: 'ALUA.csv',
    text: 'fecha,cierre,ultimo\n2026-11-16,1,2',
    refused: /"cierre" or "ultimo"; choose one with --column/,
  },
  { file: 'ALUA.csv', text: ohlc, refused: /"Px" or "Otro"; choose one with --column/ },
  { file: 'ALUA.csv', text: 'Fecha,Cierre\n02/11/2026,1', refused: /set --date-format/ },
  { file: 'ALUA.csv', text: 'Fecha,Cierre\n05/11/10,1', refused: /set --date-format/ },
  { file: 'ALUA.csv', text: 'Fecha,Cierre\n2026-11-16,1.234', refused: /set --decimal/ },
];

/** The options that a refusal names. */
function advised(reason: string, given: ImportOptions): readonly ImportOptions[] {
  const { ticker: _ticker, ...withoutTicker } = given;
  const { suffix: _suffix, ...withoutSuffix } = given;
  if (reason.includes('remove --ticker')) return [withoutTicker];
  const columns = /--column: (.+)$/.exec(reason)?.[1]?.split(', ');
  const quoted = [...reason.matchAll(/"([^"]+)"(?= or |; choose one with --column)/g)];
  const chosen =
    columns ?? (reason.includes('--column') ? quoted.map(([, name]) => name ?? '') : []);
  // For a matrix without known instruments, the refusal names the columns.
  const strangers = /unknown ticker (.+); import one column/.exec(reason)?.[1]?.split(', ') ?? [];
  return [
    ...(reason.includes('remove --suffix') ? [withoutSuffix, { ...given, column: 'KO' }] : []),
    ...[...reason.matchAll(/--suffix (""|_US)/g)].map(([, text = '']) => ({
      ...given,
      suffix: text === '""' ? '' : text,
    })),
    ...[...reason.matchAll(/--ticker( [A-Z_]{2,})?(?=[ ,;]|$)/g)]
      .filter(() => !reason.startsWith('--ticker') && strangers.length === 0)
      .map(([, name]) => ({ ...given, ticker: name?.trim() ?? 'GGAL' })),
    ...chosen.map((column) => ({ ...given, column })),
    ...strangers.map((column) => ({ ...given, column, ticker: 'GGAL' })),
    ...[...reason.matchAll(/is a date as (.+), and no other row/g)].flatMap(([, formats = '']) =>
      formats.split(' and as ').map((format) => ({ ...given, dateFormat: format as DateFormat })),
    ),
    ...(reason.includes('--decimal') ? (['.', ','] as const) : []).map((decimal) => ({
      ...given,
      decimal,
    })),
  ];
}

async function followed(
  rig: ImportRig,
  path: string,
  options: ImportOptions,
  trail: readonly string[],
): Promise<void> {
  const { summary } = await rig.import([path], { universe, options: { ...options, dryRun: true } });
  const [file] = summary.files;
  const shown = [...trail, JSON.stringify(options)];
  if (file?.outcome === 'imported') {
    assert.ok(file.counts.added > 0, `${shown.join(' → ')} imported no close`);
    return;
  }
  const reason = file?.reason ?? '';
  assert.ok(trail.length < refusalsMax, `${shown.join(' → ')}: ${reason}`);
  const next = advised(reason, options);
  assert.ok(next.length > 0, `the refusal names no option after ${shown.join(' → ')}: ${reason}`);
  for (const one of next) await followed(rig, path, one, [...shown, reason]);
}

test('following a refusal that names an option leads to an import', async (t) => {
  await using rig = await ImportRig.open();
  for (const { file, text, options = {}, refused } of cases) {
    await t.test(`${file}: ${text.split('\n')[0] ?? ''} ${JSON.stringify(options)}`, async () => {
      const path = await rig.file(file, text);
      const { summary } = await rig.import([path], { universe, options });
      const [result] = summary.files;
      assert.equal(result?.outcome, 'refused');
      assert.match(result?.outcome === 'refused' ? result.reason : '', refused);
      await followed(rig, path, options, []);
    });
  }
});
