import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Settings } from '../config/settings/settings.ts';
import { Bonds } from '../domain/bonds/bonds.ts';
import { conventionNames, defaultConvention } from '../domain/bonds/conventions.ts';
import { warning, type Finding } from '../lib/reports/finding.ts';
import { systemClock } from '../lib/time/clock.ts';
import { requireUniverse } from '../node/market/require-universe.ts';
import { checkTerms, dayOfBonds, noTerms } from '../operator/bonds/check-terms.ts';
import { listFlows, valueTicker } from '../operator/bonds/value-ticker.ts';
import { universeFiles } from '../universe/files/universe-fault.ts';
import { command, type Group } from './form/command.ts';
import { parseDay, valid } from './form/flags.ts';
import { cellText, findingRows, formatTable } from './form/report.ts';

/** Lists every fault of the universe, or what of the terms needs attention. */
const check = command({
  name: 'check',
  summary: 'check the terms of bonds, and list every fault with file, line and column',
  args: { directory: ['[DIR]', 'directory of the universe; by default, that of the settings'] },
  flags: { json: { text: 'print the findings as one JSON array' } },
  settings: ['universe'],
  examples: ['pizarra bonos check', 'pizarra bonos check /etc/pizarra/universe'],
  async run({ args, configuration }) {
    const { settings } = await configuration();
    const { directory = settings.universe } = args;
    const universe = await requireUniverse(directory);
    const today = dayOfBonds(universe, systemClock.now());
    const findings = [
      ...(await checkEnd(directory)),
      ...(today === undefined
        ? [noTerms]
        : checkTerms({ universe, bonds: new Bonds(universe), today })),
    ];
    const issues = universe.bondTerms.length;
    return {
      sections: [`${directory}: terms of ${issues} issues; no faults.`, findingRows(findings)],
    };
  },
});

/** A file that was cut within its last cell has as many cells as a whole one. */
async function checkEnd(directory: string): Promise<readonly Finding[]> {
  // The universe was loaded: a file that cannot be read does not exist.
  const bytes = await readFile(join(directory, universeFiles.bonds)).catch(() => undefined);
  if (bytes === undefined || bytes.at(-1) === lineFeed) return [];
  return [
    warning(
      'end of file',
      `${universeFiles.bonds} does not end with a line break: it may have been cut within its last row.`,
      { todo: 'Compare the last row with its source, and end it with a line break.' },
    ),
  ];
}

const lineFeed = 10;

/** A price without a solution, such as 0, is computed too: the state of the result says so. */
const parsePrice = valid(numberOf, 'Valid: a number such as 60.84.');

const parseCoefficient = valid((text) => {
  const coefficient = numberOf(text) ?? 0;
  return coefficient > 0 ? coefficient : undefined;
}, 'Valid: a number above zero, such as 29.5616.');

function numberOf(text: string): number | undefined {
  return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : undefined;
}

const calcular = command({
  name: 'calcular',
  summary: 'compute yield, duration, parity and accrued interest of a bond at a price',
  args: { ticker: ['<TICKER>', 'any class of the bond'] },
  flags: {
    precio: {
      value: '<P>',
      text: 'price of 100 nominal, in the currency of the flows and in the form of the convention',
      parse: parsePrice,
      isRequired: true,
    },
    fecha: {
      value: '<D>',
      text: 'settlement date; by default, that of a trade of today',
      parse: parseDay,
    },
    convencion: {
      value: '<C>',
      text: 'how the figures are counted',
      choices: conventionNames,
      fallback: defaultConvention,
    },
    coeficiente: {
      value: '<K>',
      text: 'number that multiplies the flows in place of an index',
      parse: parseCoefficient,
    },
    json: { text: 'print one JSON object' },
  },
  settings: ['store', 'universe'],
  examples: [
    'pizarra bonos calcular AL30D --precio 60.84 --convencion bonarg',
    'pizarra bonos calcular TZX28 --precio 183.2 --fecha 2024-11-25 --coeficiente 2.4635 --json',
  ],
  async run({ args, flags, configuration }) {
    const { settings } = await configuration();
    const { row, advice } = await valueTicker({
      ...askedIn(args, settings),
      price: flags.precio,
      settlement: flags.fecha,
      convention: flags.convencion,
      coefficient: flags.coeficiente,
    });
    const cells = Object.entries(row).map(([name, value]) => [name, cellText(value)]);
    return { sections: [formatTable(['field', 'value'], cells)], json: row, notes: advice };
  },
});

const flowColumns = ['fecha', 'pago', 'interes', 'amortizacion', 'total', 'residual', 'ajustado'];

const flujos = command({
  name: 'flujos',
  summary: 'list the payments of a bond, per 100 of its original nominal',
  args: { ticker: ['<TICKER>', 'any class of the bond'] },
  flags: {
    desde: { value: '<D>', text: 'first day; by default, today', parse: parseDay },
    json: { text: 'print one JSON array' },
  },
  settings: ['store', 'universe'],
  examples: ['pizarra bonos flujos AL30', 'pizarra bonos flujos GD35 --desde 2030-01-01 --json'],
  async run({ args, flags, configuration }) {
    const { settings } = await configuration();
    const { rows, advice } = await listFlows({ ...askedIn(args, settings), from: flags.desde });
    const cells = rows.map((row) => flowColumns.map((name) => String(row[name] ?? '-')));
    return { sections: [formatTable(flowColumns, cells)], json: rows, notes: advice };
  },
});

function askedIn({ ticker }: { readonly ticker: string }, { universe, store }: Settings) {
  return { ticker, universeDirectory: universe, storeAt: store, now: systemClock.now() };
}

export const bonos: Group = {
  name: 'bonos',
  summary: 'check the terms of bonds, compute their yields, list their payments',
  commands: [check, calcular, flujos],
};
