import { Command } from 'commander';
import { readKeyEvents } from '../../app/keys/keys.ts';
import { instantText } from '../../lib/instant-text.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { formatTable } from '../terminal/table.ts';
import { parseCount } from './parse-key-flags.ts';
import { print } from '../terminal/print.ts';

/** Lines of the log that are shown unless more are asked for. */
const linesDefault = 100;

interface AuditFlags {
  readonly key?: string;
  readonly last: number;
  readonly json?: boolean;
}

/** `pizarra keys audit` */
export function auditCommand(): Command {
  const command = new Command('audit')
    .description('show who changed which key, and when; the newest last')
    .option('--key <ID>', 'of this key only')
    .option('--last <N>', 'at most as many lines', parseCount, linesDefault)
    .option('--json', 'one JSON array, for programs');
  return addSettingOptions(command, ['data']).action(async (flags: AuditFlags) => {
    const { settings } = await settingsOf({ ...flags });
    const { key, last } = flags;
    const options = key === undefined ? { max: last } : { max: last, keyId: key };
    const events = await readKeyEvents(settings.data, options);
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
