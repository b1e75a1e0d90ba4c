import type { Command, Configuration, Context } from '../../../src/commands/form/command.ts';
import { installationOf } from '../../../src/commands/form/installation.ts';
import type { Report } from '../../../src/commands/form/report.ts';
import { settingsTable, type Settings } from '../../../src/config/settings/settings.ts';
import { silentLog } from '../../../src/lib/reports/log.ts';

/** What a command is called with in a test. What is absent is not given. */
interface Call<A, F> {
  readonly args?: Context<A, F>['args'];
  readonly flags?: Partial<Context<A, F>['flags']>;
  readonly settings: Partial<Settings>;
  readonly stdin?: AsyncIterable<Uint8Array>;
}

/** Runs a command within this process, without a configuration file. */
export async function runCommand<A, F>(
  command: Command<A, F>,
  { args, flags, settings, stdin }: Call<A, F>,
): Promise<Report & { readonly printed: string }> {
  let printed = '';
  const print = (text: string): void => void (printed += text);
  const configuration = () =>
    Promise.resolve({
      settings: { universe: settingsTable.universe.fallback, ...settings },
      file: undefined,
    } as Configuration);
  await using open = new AsyncDisposableStack();
  const report = await command.run({
    ...installationOf(configuration, open),
    stdin,
    args: args ?? {},
    flags: flags ?? {},
    configuration,
    print,
    printCsv: print,
    printError: print,
    progress: () => undefined,
    log: silentLog,
    signal: new AbortController().signal,
    readerGone: new AbortController().signal,
    onInterrupt: () => undefined,
    askSecret: undefined,
  } as Context<A, F>);
  return { ...report, printed };
}

/** The text of a report, as a terminal shows it. */
export function textOf({ sections = [] }: Report): string {
  const texts = sections.map((one) => (typeof one === 'string' ? one : one.text));
  return `${texts.join('\n')}\n`;
}
