import { Command, InvalidArgumentError, Option } from 'commander';
import {
  conventionNames,
  defaultConvention,
  type ConventionName,
} from '../../domain/bonds/conventions.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import { formatExactNumber } from '../../lib/numbers/exact-number.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { valueTicker } from '../../operator/bonds/value-ticker.ts';
import { parseDay } from '../flags/parse-day.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { print, printError } from '../terminal/print.ts';
import { formatTable } from '../terminal/table.ts';

interface CalcularFlags {
  readonly precio: number;
  readonly fecha?: PlainDate;
  readonly convencion: ConventionName;
  readonly coeficiente?: number;
  readonly json?: boolean;
}

/** `pizarra bonos calcular`: the figures of a bond at a price. */
export function calcularCommand(): Command {
  const command = new Command('calcular')
    .description('compute yield, duration, parity and accrued interest of a bond at a price')
    .argument('<TICKER>', 'any class of the bond')
    .requiredOption(
      '--precio <P>',
      'price of 100 nominal, in the currency of the flows and in the form of the convention',
      parsePrice,
    )
    .option('--fecha <D>', 'settlement date; by default, that of a trade of today', parseDay)
    .addOption(
      new Option('--convencion <C>', 'how the figures are counted')
        .choices(conventionNames)
        .default(defaultConvention),
    )
    .option(
      '--coeficiente <K>',
      'number that multiplies the flows in place of an index',
      parseCoefficient,
    )
    .option('--json', 'print one JSON object');
  return addSettingOptions(command, ['store', 'universe']).action(
    async (ticker: string, flags: CalcularFlags) => {
      const { settings } = await settingsOf({ ...flags });
      const { row, advice } = await valueTicker({
        ticker,
        price: flags.precio,
        settlement: flags.fecha,
        convention: flags.convencion,
        coefficient: flags.coeficiente,
        universeDirectory: settings.universe,
        storeAt: settings.store,
        now: systemClock.now(),
      });
      if (flags.json) print(`${JSON.stringify(row)}\n`);
      else {
        const cells = Object.entries(row).map(([name, value]) => [
          name,
          typeof value === 'number' ? formatExactNumber(value) : (value ?? '-'),
        ]);
        print(`${formatTable(['field', 'value'], cells)}\n`);
      }
      if (advice !== undefined) printError(`${advice}\n`);
    },
  );
}

/** A price without a solution, such as 0, is computed too: the state of the result says so. */
function parsePrice(text: string): number {
  const price = numberOf(text);
  if (price === undefined) throw new InvalidArgumentError('Valid: a number such as 60.84.');
  return price;
}

function parseCoefficient(text: string): number {
  const coefficient = numberOf(text);
  if (coefficient === undefined || coefficient <= 0) {
    throw new InvalidArgumentError('Valid: a number above zero, such as 29.5616.');
  }
  return coefficient;
}

function numberOf(text: string): number | undefined {
  return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : undefined;
}
