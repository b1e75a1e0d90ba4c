import { Command } from 'commander';
import { readKeyEvents } from '../../node/keys/keys.ts';
import { instantText } from '../../lib/time/instant-text.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { formatTable } from '../terminal/table.ts';
import { parseCount } from './parse-key-flags.ts';
import { print } from '../terminal/print.ts';

/** Default maximum number of entries that are shown. */
const linesDefault = 100;

interface AuditFlags {
  readonly key?: string;
  readonly last: number;
  readonly json?: boolean;
}

/** `pizarra keys audit` */
export function auditCommand(): Command {
  const command = new Command('audit')
    .description('show the changes of keys: who, when and what, newest last')
    .option('--key <ID>', 'only changes of this key')
    .option('--last <N>', 'maximum number of changes to show', parseCount, linesDefault)
    .option('--json', 'print one JSON array');
  return addSettingOptions(command, ['store']).action(async (flags: AuditFlags) => {
    const { settings } = await settingsOf({ ...flags });
    const { key, last } = flags;
    const options = key === undefined ? { max: last } : { max: last, keyId: key };
    const events = await readKeyEvents(settings.store, options);
    const text = flags.json
      ? JSON.stringify(events.map(({ at, ...event }) => ({ at: instantText(at), ...event })))
      : formatTable(
          ['AT', 'WHO', 'KEY', 'WHAT', 'DETAIL'],
          events.map(({ at, who, keyId, what, detail }) => [
            instantText(at),
            who,
            keyId,
            what,
            detail,
          ]),
        );
    print(`${text}\n`);
  });
}
