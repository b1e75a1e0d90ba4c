import { Command } from 'commander';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { listFlows } from '../../operator/bonds/list-flows.ts';
import { parseDay } from '../flags/parse-day.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { print, printError } from '../terminal/print.ts';
import { formatTable } from '../terminal/table.ts';

interface FlujosFlags {
  readonly desde?: PlainDate;
  readonly json?: boolean;
}

const columns = ['fecha', 'pago', 'interes', 'amortizacion', 'total', 'residual', 'ajustado'];

/** `pizarra bonos flujos`: the payments of a bond. */
export function flujosCommand(): Command {
  const command = new Command('flujos')
    .description('list the payments of a bond, per 100 of its original nominal')
    .argument('<TICKER>', 'any class of the bond')
    .option('--desde <D>', 'first day; by default, today', parseDay)
    .option('--json', 'print one JSON array');
  return addSettingOptions(command, ['store', 'universe']).action(
    async (ticker: string, flags: FlujosFlags) => {
      const { settings } = await settingsOf({ ...flags });
      const { rows, advice } = await listFlows({
        ticker,
        from: flags.desde,
        universeDirectory: settings.universe,
        storeAt: settings.store,
        now: systemClock.now(),
      });
      const cells = rows.map((row) => columns.map((name) => String(row[name] ?? '-')));
      print(`${flags.json ? JSON.stringify(rows) : formatTable(columns, cells)}\n`);
      if (advice !== undefined) printError(`${advice}\n`);
    },
  );
}
