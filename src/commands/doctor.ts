import { settingNames } from '../config/settings/settings.ts';
import type { Finding } from '../lib/reports/finding.ts';
import { OperatorFault } from '../lib/reports/operator-fault.ts';
import { systemClock } from '../lib/time/clock.ts';
import { openPlace } from '../node/place/open-place.ts';
import { checkHealth } from '../operator/doctor/check-health.ts';
import { examine, unreadableConfiguration } from '../operator/doctor/examine.ts';
import { command, type Context } from './form/command.ts';
import { findingRows } from './form/report.ts';

/** The exit code is 1 if a check is wrong, and otherwise 0, also with warnings. */
export const doctor = command({
  name: 'doctor',
  summary: 'check the whole installation, and say what to do; a service may be running',
  description:
    'check the whole installation, and say what to do; a service may be running. Give the settings of the service: the same configuration file and variables, or the same flags as "pizarra serve", which are all accepted',
  flags: { json: { text: 'print one JSON array, with all cases' } },
  settings: settingNames,
  help: ['store'],
  examples: ['pizarra doctor --store /var/lib/pizarra --config /etc/pizarra/pizarra.yaml'],
  async run(context) {
    const findings = await findingsOf(context);
    const isWrong = findings.some(({ state }) => state === 'wrong');
    return { sections: [findingRows(findings)], outcome: isWrong ? 'failed' : undefined };
  },
});

async function findingsOf({
  configuration,
  progress,
}: Pick<Context, 'configuration' | 'progress'>): Promise<readonly Finding[]> {
  try {
    const installation = { ...(await configuration()), now: systemClock.now() };
    return await examine(installation, (name) => progress(() => `checking ${name}`));
  } catch (fault) {
    if (!(fault instanceof OperatorFault)) throw fault;
    return [unreadableConfiguration(fault.message)];
  }
}

/** The exit code is 0 if the service on this machine responds, and otherwise 1. */
export const health = command({
  name: 'health',
  summary: 'check that the service on this machine responds, for containers and monitors',
  description:
    'check that the service on this machine responds, for containers and monitors. The command finds it by its store, or by the addresses in the configuration file, the variables or the flags. It accepts all flags of "pizarra serve"',
  flags: { ready: { text: 'check that it is ready, with current data, and not only alive' } },
  settings: settingNames,
  help: ['store'],
  examples: ['pizarra health --store /var/lib/pizarra', 'pizarra health --ready'],
  async run({ flags: { ready }, configuration }) {
    const { settings } = await configuration();
    const place = openPlace(settings.store);
    return { sections: [`${await checkHealth(place, settings, { ready })} responds.`] };
  },
});
