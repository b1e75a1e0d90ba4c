import { Command } from 'commander';
import { acceptStore } from '../../operator/store/accept-store.ts';
import { checkStore, checkStores } from '../../operator/store/check-store.ts';
import { copyStore } from '../../operator/store/copy-store.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { print } from '../terminal/print.ts';
import { ProgressLine } from '../terminal/progress-line.ts';
import { comparisonText, digestText } from './store-report.ts';

interface JsonFlag {
  readonly json?: boolean;
}

/** `pizarra store`: the commands for the place of the data. */
export function storeCommand(): Command {
  return new Command('store')
    .description('copy and check the store: a data directory, or a PostgreSQL database')
    .addCommand(copyCommand())
    .addCommand(checkCommand())
    .addCommand(acceptCommand());
}

/** The exit code is 1 if the copy differs from the source. */
function copyCommand(): Command {
  return new Command('copy')
    .description('copy a whole installation to an empty place, and compare both row by row')
    .requiredOption('--from <PLACE>', 'the source; stop its service first')
    .requiredOption('--to <PLACE>', 'the target; it must be empty')
    .option('--json', 'print the tables and the differences as one JSON object')
    .action(async (flags: JsonFlag & { readonly from: string; readonly to: string }) => {
      const progress = ProgressLine.on(process.stderr);
      const copy = await copyStore({
        from: flags.from,
        to: flags.to,
        onProgress: ({ done }) => progress?.show(() => done),
      });
      progress?.clear();
      const title = `Copied ${copy.from} to ${copy.to}.`;
      print(`${flags.json ? JSON.stringify(copy) : comparisonText(title, copy)}\n`);
      if (copy.differences.length > 0) process.exitCode = 1;
    });
}

/** The exit code is 1 if the stores differ. */
function checkCommand(): Command {
  const command = new Command('check')
    .description('check the store for damage and digest its rows, or compare it with another')
    .option('--with <PLACE>', 'another place, to compare row by row')
    .option('--json', 'print the result as one JSON object');
  return addSettingOptions(command, ['store']).action(
    async (flags: JsonFlag & { readonly with?: string }) => {
      const { with: other, ...rest } = flags;
      const { settings } = await settingsOf({ ...rest });
      if (other === undefined) {
        const check = await checkStore(settings.store);
        print(`${flags.json ? JSON.stringify(check) : digestText(check)}\n`);
        return;
      }
      const comparison = await checkStores(settings.store, other);
      const title = `Compared ${comparison.names.join(' with ')}.`;
      print(`${flags.json ? JSON.stringify(comparison) : comparisonText(title, comparison)}\n`);
      if (comparison.differences.length > 0) process.exitCode = 1;
    },
  );
}

function acceptCommand(): Command {
  const command = new Command('accept')
    .description(
      'declare that a PostgreSQL database replaces another one, for example after a restore',
    )
    .requiredOption(
      '--instead-of <LINE>',
      'the replaced line, as the refusal of this database names it',
    );
  return addSettingOptions(command, ['store']).action(
    async (flags: { readonly insteadOf: string }) => {
      const { insteadOf, ...rest } = flags;
      const { settings } = await settingsOf({ ...rest });
      const { name, line } = await acceptStore(settings.store, insteadOf);
      print(
        `${name} (line ${line}) replaces line ${insteadOf}. Nodes that know that line use it from now on.\n`,
      );
    },
  );
}
