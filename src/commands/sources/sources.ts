import { systemClock } from '../../lib/time/clock.ts';
import { checkSources } from '../../operator/sources/check-sources.ts';
import { command, type Group } from '../form/command.ts';
import { valid } from '../form/flags.ts';
import { formatCheck } from './check-report.ts';

/** The longest limit, in seconds. */
const secondsMax = 86_400;

const parseSeconds = valid((text) => {
  const seconds = Number(text);
  if (!/^\d+(?:\.\d+)?$/.test(text) || seconds <= 0 || seconds > secondsMax) return undefined;
  return seconds;
}, `It must be a number of seconds up to ${secondsMax}.`);

/** The exit code is 1 if a source is wrong. */
const check = command({
  name: 'check',
  summary:
    'connect once to each configured source, and say what came and what to do; stores nothing, and a service may be running',
  args: { names: ['[NAME...]', 'the names of feeds; if absent, all that are configured'] },
  flags: {
    save: { value: '<DIR>', text: 'save what came in a new directory, without keys and tokens' },
    json: { text: 'print one JSON array, with every path and every missing instrument' },
    wait: {
      value: '<SECONDS>',
      text: 'time for a WebSocket to send a price of each instrument',
      parse: parseSeconds,
      fallback: 30,
    },
    // A poll of every instrument of `yahoo` takes about nine minutes.
    timeout: {
      value: '<SECONDS>',
      text: 'time for the check of one source',
      parse: parseSeconds,
      fallback: 900,
    },
  },
  settings: ['universe', 'market'],
  examples: [
    'pizarra sources check --market argentina',
    'pizarra sources check --save bodies --timeout 60 bcra',
  ],
  async run(context) {
    const { save, wait, timeout } = context.flags;
    const { settings, file } = await context.configuration();
    const { signal } = context;
    const startedAt = systemClock.monotonic();
    const secondsSince = () => Math.round((systemClock.monotonic() - startedAt) / 1_000);
    const json = await checkSources({
      settings,
      file,
      names: context.args.names,
      save,
      waitMs: wait * 1_000,
      timeoutMs: timeout * 1_000,
      signal,
      onProgress: (waitingFor) =>
        context.progress(() => `${secondsSince()} s, waiting for ${waitingFor.join(', ')}`),
    });
    const isWrong = json.some(({ state }) => state === 'wrong');
    return {
      sections: [formatCheck(json, { save })],
      json,
      outcome: signal.aborted ? 'interrupted' : isWrong ? 'failed' : undefined,
    };
  },
});

export const sources: Group = {
  name: 'sources',
  summary: 'commands for the configured sources of live prices',
  commands: [check],
};
