import { Command } from 'commander';
import { confirmClose } from '../../operator/history/confirm-close.ts';
import { addSettingOptions, settingsOf } from '../flags/setting-options.ts';
import { print } from '../terminal/print.ts';

/** `pizarra history confirm`: the close that live prices contradict is right. */
export function confirmCommand(): Command {
  const command = new Command('confirm')
    .description(
      'confirm the stored close of an instrument that live prices contradict: the price has really moved so far',
    )
    .argument('<TICKER>', 'the instrument, as "pizarra doctor" names it');
  return addSettingOptions(command, ['store']).action(async (ticker: string, flags: object) => {
    const { settings } = await settingsOf({ ...flags });
    const { day, close, wasConfirmed, ticker: name } = await confirmClose(ticker, settings.store);
    const how = wasConfirmed ? 'was confirmed before' : 'is confirmed';
    print(`The close ${close} of ${name} of ${day} ${how}.\n`);
  });
}
