import { runExport } from '../operator/history/export-history.ts';
import { command } from './form/command.ts';
import { given, parseDay } from './form/flags.ts';

export const exportCommand = command({
  name: 'export',
  summary: 'write daily closes as CSV, which "import" reads back unchanged',
  args: { tickers: ['[TICKER...]', 'the instruments; if absent, the whole universe'] },
  flags: {
    panel: { value: '<CODE>', text: 'export the instruments of a panel' },
    from: { value: '<DATE>', text: 'first day (YYYY-MM-DD)', parse: parseDay },
    to: { value: '<DATE>', text: 'last day (YYYY-MM-DD)', parse: parseDay },
    withChanges: {
      text: 'also the closes that others have replaced, with the instant and the origin of each change',
    },
    output: { short: '-o', value: '<FILE>', text: 'a new file; by default, standard output' },
  },
  settings: ['store', 'universe'],
  examples: [
    'pizarra export > closes.csv',
    'pizarra export --panel LID --from 2026-01-01 -o leaders.csv',
  ],
  async run({ args, flags, configuration }) {
    const { settings } = await configuration();
    const { output = process.stdout } = flags;
    const { store: storeAt, universe: universeDirectory } = settings;
    const request = { ...args, ...given(flags), output, storeAt, universeDirectory };
    const summary = await runExport(request).catch((fault: NodeJS.ErrnoException) => {
      // The reader of standard output may stop early (`| head`).
      if (fault.code !== 'EPIPE') throw fault;
      return undefined;
    });
    if (summary === undefined) return {};
    const { instruments, closes, replaced, strangers } = summary;
    const shown = strangers.slice(0, 5).join(', ');
    const more = strangers.length > 5 ? ' and others' : '';
    return {
      notes: [
        `${closes} closes of ${instruments} instruments.`,
        ...(flags.withChanges ? [`${replaced} closes that others have replaced.`] : []),
        ...(strangers.length > 0
          ? [
              `${strangers.length} instruments with a history are not in the universe, and were not exported: ${shown}${more}.`,
            ]
          : []),
      ],
    };
  },
});
