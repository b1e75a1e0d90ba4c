import { SourceOrder } from '../../domain/history/source-order.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import type { HistorySource } from '../../feeds/contract/history-source.ts';
import { systemClock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import { UsageFault } from '../../lib/reports/operator-fault.ts';
import { flagName } from '../../config/settings/settings.ts';
import { historySources } from '../../node/market/open-feeds.ts';
import { presetUniverse } from '../../config/feeds/presets.ts';
import { readFeeds } from '../../config/feeds/read-feeds.ts';
import { requireInstrument } from '../../operator/universe/require-instrument.ts';
import { requireUniverse } from '../../node/market/require-universe.ts';
import { pauseInRealTime } from '../../lib/time/pause.ts';
import type { Configuration } from '../form/command.ts';
import type { Report } from '../form/report.ts';
import { printable } from '../../lib/text/printable.ts';

/** The first day, unless the operator names another. No source begins earlier. */
export const firstHistoryDay = '1990-01-01' as PlainDate;

/** The instruments and the feed that a command names. */
interface NamedSources {
  readonly args: { readonly tickers: readonly string[] };
  readonly flags: { readonly source: string | undefined };
  readonly log: Log;
}

/**
 * Finds the sources and the instruments that a command names: all instruments if it names none, and all feeds that
 * have history. The order is that of all configured sources, also of those that the command does not name.
 *
 * @throws {UsageFault} when an instrument or a source does not exist, or no source has history.
 * @throws {OperatorFault} when the universe has faults.
 */
export async function findHistorySources(
  { settings, file }: Configuration,
  { args, flags, log }: NamedSources,
) {
  const universe = presetUniverse(await requireUniverse(settings.universe), settings);
  const configured = readFeeds({ settings, file }, universe);
  const all = historySources(configured, { universe, clock: systemClock, log });
  return {
    tickers: args.tickers.length === 0 ? undefined : findAll(args.tickers, universe),
    site: {
      universe,
      sources: selectSources(all, flags.source),
      order: new SourceOrder(all.map(({ name }) => name)),
      clock: systemClock,
      random: Math.random,
      pause: pauseInRealTime,
    },
  };
}

function selectSources(
  all: readonly HistorySource[],
  name: string | undefined,
): readonly HistorySource[] {
  if (all.length === 0) {
    throw new UsageFault(
      `No configured feed has daily history. Choose a preset with ${flagName('market')} argentina, or configure a feed that has it (docs/sources.md).`,
    );
  }
  if (name === undefined) return all;
  const chosen = all.filter((one) => one.name === name);
  if (chosen.length > 0) return chosen;
  const names = all.map((one) => one.name).join(', ');
  throw new UsageFault(`No configured feed with daily history is called ${name}. Valid: ${names}.`);
}

function findAll(spellings: readonly string[], universe: Universe): ReadonlySet<Ticker> {
  return new Set(spellings.map((one) => requireInstrument(universe, one).ticker));
}

/** What the report of a run needs of each source. */
interface SourceResult {
  readonly source: string;
  readonly failed: readonly { readonly ticker: string; readonly message: string }[];
  readonly stopped?: string | undefined;
}

/** A run has failed unless every source served every instrument that it was asked for. */
export function outcomeOf({
  sources,
  wasAborted,
}: {
  readonly sources: readonly SourceResult[];
  readonly wasAborted: boolean;
}): Report['outcome'] {
  if (wasAborted) return 'interrupted';
  const isComplete = sources.every(
    ({ failed, stopped }) => failed.length === 0 && stopped === undefined,
  );
  return isComplete ? undefined : 'failed';
}

/** The instruments that sources did not serve, one line each. */
export function failedLines(sources: readonly SourceResult[]): readonly string[] {
  return sources.flatMap((one) =>
    one.failed.map(({ ticker, message }) => `${ticker} of ${one.source}: ${message}`),
  );
}

/** The counts of a source, and why it was left early, with what to do. */
export function sourceLine(
  { source, stopped }: SourceResult,
  counts: string,
  remedy: string,
): string {
  const line = `${source}: ${counts}`;
  return stopped === undefined ? line : `${line}; stopped: ${stopped}. ${remedy}`;
}

/** The progress of a run as one line, without a line end. */
export function formatSourceProgress(
  {
    source,
    ticker,
    done,
    total,
    waiting,
  }: {
    readonly source: string;
    readonly ticker: string;
    readonly done: number;
    readonly total: number;
    readonly waiting?: { readonly ms: number; readonly cause: string };
  },
  detail: string,
): string {
  const line = `${source}  ${done + 1}/${total}  ${detail}  ${ticker}`;
  if (waiting === undefined) return printable(line);
  const seconds = Math.ceil(waiting.ms / 1_000);
  return printable(`${line}  waiting ${seconds} s: ${waiting.cause}`);
}
