import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Universe } from '../../../src/domain/instruments/universe.ts';
import { cores, PinnedProcess } from '../../support/pinned-process.ts';
import { oneTicker } from '../cases/cases.ts';
import type { UpdateTarget } from '../cases/side.ts';

const program = resolve(import.meta.dirname, 'clients/update-pusher.ts');

/** Number of updates per second, for all instruments in turn. */
export const updatesPerSecond = 1_000;

/**
 * Pushes updates while `work` runs. Also returns the rate at which they were accepted, because a side may not
 * keep up.
 */
export async function withUpdates<T>(
  target: UpdateTarget,
  { universe, scratch }: { readonly universe: Universe; readonly scratch: string },
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly taken: number }> {
  const tickersFile = await writePushedTickers(universe, scratch);
  await using pusher = new PinnedProcess({
    core: cores.load,
    command: process.execPath,
    args: [program, target.url, target.format, tickersFile, String(updatesPerSecond)],
    env: { BENCH_AUTHORIZATION: target.authorization },
  });
  await pusher.printed(/^pushing$/m);
  const result = await work();
  await pusher[Symbol.asyncDispose]();
  const [, figures = ''] = /^(\{.+\})$/m.exec(pusher.output) ?? [];
  if (figures === '') throw new Error(`updates failed: ${pusher.output}`);
  const { pushed, seconds } = JSON.parse(figures) as Record<'pushed' | 'seconds', number>;
  return { result, taken: pushed / seconds };
}

/**
 * Writes the list of the pushed instruments. It excludes derived instruments, and the instrument of the
 * conditional requests, whose response would not stay 304.
 */
export async function writePushedTickers(universe: Universe, scratch: string): Promise<string> {
  const derived = new Set(universe.derived.map(({ instrument }) => instrument.ticker));
  const tickers = universe.instruments
    .map(({ ticker }) => ticker)
    .filter((ticker) => !derived.has(ticker) && ticker !== oneTicker);
  const file = join(scratch, 'pushed-tickers.txt');
  await writeFile(file, `${tickers.join('\n')}\n`);
  return file;
}
