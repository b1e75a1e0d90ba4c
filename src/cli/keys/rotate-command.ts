import { Command } from 'commander';
import { rotateKey } from '../../node/keys/keys.ts';
import { instantText } from '../../lib/time/instant-text.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { parseDuration, personOption } from './parse-key-flags.ts';
import { print } from '../terminal/print.ts';

interface RotateFlags {
  readonly overlap: number;
  readonly as?: string;
  readonly json?: boolean;
}

/** `pizarra keys rotate` */
export function rotateCommand(): Command {
  const command = new Command('rotate')
    .description('create a key that replaces another; both are valid until the old one expires')
    .argument('<ID>', 'the id of the old key')
    .requiredOption(
      '--overlap <TIME>',
      'how long the old key remains valid: 90s, 30m, 24h, 7d, or 0',
      parseDuration,
    )
    .addOption(personOption())
    .option('--json', 'print {"id","key","replaces","oldExpiresAt"} as JSON');
  return addSettingOptions(command, ['store']).action(async (old: string, flags: RotateFlags) => {
    const { settings } = await settingsOf({ ...flags });
    const { id, key, replaces, oldEndsAt } = await rotateKey(settings.store, old, {
      overlapMs: flags.overlap,
      person: flags.as,
    });
    const oldExpiresAt = instantText(oldEndsAt);
    const text = flags.json
      ? JSON.stringify({ id, key, replaces, oldExpiresAt })
      : `Key ${id} replaces ${replaces}, which expires at ${oldExpiresAt}. ` +
        `It is shown only now; keep it safe:\n\n  ${key}\n`;
    print(`${text}\n`);
  });
}
