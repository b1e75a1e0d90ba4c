import { resolve } from 'node:path';

import { flagName, settingOf } from '../config/settings/settings.ts';
import { UsageFault } from '../lib/reports/operator-fault.ts';
import { systemClock } from '../lib/time/clock.ts';
import { pauseInRealTime } from '../lib/time/pause.ts';
import { requireUniverse } from '../node/market/require-universe.ts';
import { checkMaturities } from '../operator/doctor/check-universe.ts';
import {
  openOrigin,
  pullUniverse,
  type ChangedFile,
  type PullSummary,
} from '../operator/universe/pull-universe.ts';
import { command, type Group } from './form/command.ts';
import { agentKeyVariable } from './form/flags.ts';
import { findingRows, type Report } from './form/report.ts';

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

/**
 * Adds what another Pizarra has and the universe lacks. The key is never an argument, because all users of a machine
 * see the arguments of a program.
 */
const pull = command({
  name: 'pull',
  summary: 'add the instruments, markets and terms of bonds that another Pizarra has',
  args: {
    url: ['<URL>', 'the public listener of the other Pizarra, base path included'],
    directory: ['[DIR]', 'directory of the files; by default, that of the settings'],
  },
  flags: {
    keyFile: {
      value: '<FILE>',
      text: `a file with a key of the other one (default: the key in ${agentKeyVariable}, or a question)`,
    },
    ca: { value: '<FILE>', text: 'a PEM file with the authority of its certificate' },
    dryRun: { text: 'show what would be written without writing anything' },
  },
  settings: ['universe'],
  examples: [
    'pizarra universe pull https://quotes.example.com universe --dry-run',
    'pizarra universe pull https://quotes.example.com universe --key-file key.txt',
  ],
  async run(context) {
    const { url } = context.args;
    const { keyFile, ca, dryRun: isDryRun } = context.flags;
    const { askSecret, printError } = context;
    const { settings } = await context.configuration();
    const { directory = settings.universe } = context.args;
    if (!isDryRun && resolve(directory) === settingOf('universe').fallback) {
      throw new UsageFault(
        `${directory} is the universe of the program, which an upgrade replaces. Name another directory, which need not exist, and set ${flagName('universe')} to it.`,
      );
    }
    const { signal } = context;
    try {
      const origin = await openOrigin({
        url,
        keyFile,
        ca,
        key: process.env[agentKeyVariable],
        ask: askSecret && (() => askSecret(`Key of ${url}: `)),
        pause: pauseInRealTime,
        signal,
        onWait: (seconds) => printError(`${url} limits requests; waiting ${seconds} s.\n`),
      });
      const summary = await pullUniverse({ origin, directory, isDryRun });
      return pullReport(summary, { directory, url, isDryRun });
    } catch (fault) {
      if (!signal.aborted) throw fault;
      return { notes: ['Interrupted. Nothing was written.'], outcome: 'interrupted' };
    }
  },
});

/** What a pull has done. A dry run shows the lines that it would write. */
export function pullReport(
  { instruments, markets, terms, files, leftAlone, notes }: PullSummary,
  {
    directory,
    url,
    isDryRun,
  }: { readonly directory: string; readonly url: string; readonly isDryRun: boolean },
): Report {
  const warnings = [
    ...notes.map((note) => `${url}: ${note}.`),
    ...(leftAlone.length === 0
      ? []
      : ['Left alone, because it differs:', ...leftAlone.map((one) => `  ${one}`)]),
  ];
  const counts = `${instruments.length} instruments, ${markets.length} markets, terms of ${terms.length} issues`;
  const names = files.map(({ name }) => name).join(', ');
  const next = 'Then reload the service (SIGHUP), if it uses this directory.';
  const sections =
    files.length === 0
      ? [`${directory} has all that ${url} has. Nothing was written.`]
      : isDryRun
        ? [
            ...files.flatMap(addedLines),
            `Would add ${counts} to ${directory}: ${names}. Nothing was written.`,
          ]
        : [`${directory}: added ${counts}.`, `Written: ${names}. ${next}`];
  return { sections, notes: warnings };
}

/** The lines that a file gets, each after a `+`. Lines are only added, apart from a longer first line of a CSV. */
function addedLines({ name, before, after }: ChangedFile): readonly string[] {
  const left = new Map<string, number>();
  for (const line of before.split(/\r?\n/)) left.set(line, (left.get(line) ?? 0) + 1);
  const added = after
    .split(/\r?\n/)
    .slice(0, -1)
    .filter((line) => {
      const count = left.get(line) ?? 0;
      left.set(line, count - 1);
      return count <= 0;
    });
  return [`${name}:`, ...added.map((line) => `+ ${line}`)];
}

export const universe: Group = {
  name: 'universe',
  summary: 'commands for the universe files',
  commands: [check, pull],
};
