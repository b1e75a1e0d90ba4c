import { Command } from 'commander';
import { checkIndices, requireIndex } from '../../operator/indices/stored-indices.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { print } from '../terminal/print.ts';
import { checkLines, faultObject } from './index-view.ts';

/** `pizarra indices check`: the exit code is 1 if there is a fault, or if nothing is stored. */
export function checkCommand(): Command {
  const command = new Command('check')
    .description('find gaps, jumps and indices that do not cover the next settlement')
    .argument('[INDEX]', 'the index; if absent, all that have values')
    .option('--json', 'print the faults as one JSON array');
  return addSettingOptions(command, ['store', 'universe']).action(
    async (name: string | undefined, flags: { readonly json?: boolean }) => {
      const index = name === undefined ? undefined : requireIndex(name);
      const { settings } = await settingsOf({ ...flags });
      const checked = await checkIndices({
        storeAt: settings.store,
        universeDirectory: settings.universe,
        index,
      });
      const faults = checked.flatMap((one) =>
        one.faults.map((fault) => faultObject(one.index, fault)),
      );
      const nothing = `No values of ${index ?? 'any index'} are stored. Fetch them ("pizarra indices fetch") or import them ("pizarra indices import").`;
      const lines = checked.length === 0 ? [nothing] : checked.flatMap(checkLines);
      print(`${flags.json ? JSON.stringify(faults) : lines.join('\n')}\n`);
      if (faults.length > 0 || checked.length === 0) process.exitCode = 1;
    },
  );
}
