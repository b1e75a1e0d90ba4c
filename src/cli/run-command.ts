import type { Command as Parsed } from 'commander';

import { readConfig } from '../config/settings/read-config.ts';
import { configVariable, isSettingName } from '../config/settings/settings.ts';
import type { Command, Configuration, Context } from '../commands/form/command.ts';
import { agentKeyVariable, agentUrlVariable } from '../commands/form/flags.ts';
import { installationOf } from '../commands/form/installation.ts';
import type { Report, Section } from '../commands/form/report.ts';
import { resolveConfiguration } from '../node/service/resolve-configuration.ts';
import { askSecret, exitInterrupted, Terminal } from './terminal/terminal.ts';
import { print, printCsv, printError, readerGone } from './terminal/print.ts';

/** Runs a command with what commander has parsed, prints its report and sets the exit code. */
export async function runCommand(command: Command, parsed: Parsed): Promise<void> {
  const flags: Readonly<Record<string, unknown>> = parsed.opts();
  using terminal = new Terminal();
  const report = await (async () => {
    await using open = new AsyncDisposableStack();
    return await command.run(contextOf(command, parsed, terminal, open));
  })();
  terminal.clear();
  if (report === undefined) return;
  printReport(report, flags);
}

function contextOf(
  { args = {}, flags: declared = {} }: Command,
  parsed: Parsed,
  terminal: Terminal,
  open: AsyncDisposableStack,
): Context {
  const given: Readonly<Record<string, unknown>> = parsed.opts();
  const flags = Object.entries(declared).map(([name, { value }]) => [
    name,
    value === undefined ? given[name] === true : given[name],
  ]);
  const say = terminal.over(printError);
  const configuration = () => configurationOf(given);
  return {
    ...installationOf(configuration, open),
    args: Object.fromEntries(
      Object.keys(args).map((name, index) => [name, parsed.processedArgs[index] as unknown]),
    ) as Context['args'],
    flags: Object.fromEntries(flags) as Context['flags'],
    configuration,
    // What a command does not read has no effect: neither a listener of SIGINT, nor an open input.
    get signal() {
      return terminal.signal;
    },
    get stdin() {
      return process.stdin;
    },
    get askSecret() {
      if (!process.stdin.isTTY) return undefined;
      return (question: string) => askSecret(question, terminal.signal);
    },
    print: terminal.over(print),
    printCsv: terminal.over(printCsv),
    printError: say,
    progress: (line) => terminal.show(line),
    log: {
      debug: () => undefined,
      info: () => undefined,
      warn: (_, message) => say(`${message}\n`),
      error: (_, message) => say(`${message}\n`),
    },
    readerGone,
    onInterrupt: (text) => terminal.sayOnInterrupt(text),
  };
}

function printReport(report: Report, flags: Readonly<Record<string, unknown>>): void {
  const { sections = [], csv, notes = [], outcome } = report;
  if (flags['json'] === true && 'json' in report) print(`${JSON.stringify(report.json)}\n`);
  else if (flags['json'] === true && sections.length > 0) {
    print(`${JSON.stringify(sections.flatMap(objectsOf))}\n`);
  } else if (flags['csv'] === true && csv !== undefined) printCsv(csv);
  else if (sections.length > 0) print(`${sections.map(textOf).join('\n')}\n`);
  for (const note of notes) printError(`${note}\n`);
  if (outcome !== undefined) process.exitCode = outcome === 'failed' ? 1 : exitInterrupted;
}

function objectsOf(section: Section): readonly object[] {
  return typeof section === 'string' ? [] : section.objects;
}

function textOf(section: Section): string {
  return typeof section === 'string' ? section : section.text;
}

/** Reads the settings of a command from its flags, the environment and the configuration file. */
async function configurationOf(flags: Readonly<Record<string, unknown>>): Promise<Configuration> {
  const {
    [configVariable]: variable,
    [agentKeyVariable]: _key,
    [agentUrlVariable]: _url,
    ...environment
  } = process.env;
  const flag = typeof flags['config'] === 'string' ? flags['config'] : undefined;
  const file = await readConfig(flag ?? variable);
  const given = Object.entries(flags).filter((entry): entry is [string, string] =>
    isSettingName(entry[0]),
  );
  const sources = { flags: Object.fromEntries(given), environment, ...(file && { file }) };
  const namedBy = flag === undefined ? configVariable : '--config';
  return {
    settings: await resolveConfiguration(sources, file),
    sources,
    file,
    fileNamedBy: flag === undefined && variable === undefined ? undefined : namedBy,
  };
}
