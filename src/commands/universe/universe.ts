import { systemClock } from '../../lib/time/clock.ts';
import { requireUniverse } from '../../node/site/require-universe.ts';
import { checkMaturities } from '../../operator/doctor/check-universe.ts';
import { command, type Group } from '../form/command.ts';
import { findingRows } from '../form/report.ts';
import { pull } from './pull.ts';

/** Lists every fault of the files, or summarises their content and names the instruments that have matured. */
const check = command({
  name: 'check',
  summary: 'check the universe files, and list every fault with file and line',
  args: { directory: ['[DIR]', 'directory of the files; by default, that of the settings'] },
  settings: ['universe'],
  examples: ['pizarra universe check', 'pizarra universe check /etc/pizarra/universe'],
  async run({ args, configuration }) {
    const { settings } = await configuration();
    const { directory = settings.universe } = args;
    const universe = await requireUniverse(directory);
    const { instruments, markets, derived, bondTerms } = universe;
    return {
      sections: [
        `${directory}: ${instruments.length} instruments, ${markets.size} markets, ${derived.length} derived, terms of ${bondTerms.length} issues; no faults.`,
        findingRows([checkMaturities(universe, systemClock.now())]),
      ],
    };
  },
});

export const universe: Group = {
  name: 'universe',
  summary: 'commands for the universe files',
  commands: [check, pull],
};
