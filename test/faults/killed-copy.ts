import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { openPlace } from '../../src/node/place/open-place.ts';
import type { DailyClose } from '../../src/domain/history/daily-close.ts';
import type { EpochDay } from '../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { launcher } from '../support/program/launcher.ts';
import { once, processMsMax, until } from '../support/wait.ts';
import { testStamp } from '../support/market/test-change.ts';

/** The closes of each instrument, and how many instruments a copy has until one is caught under way. */
const closesPerInstrument = 5_000;
const instrumentsToTry = [12, 48, 192];

/** A copy of a store. */
interface Copy {
  readonly from: string;
  readonly to: string;
}

/** A copy that was killed when its target had some rows and not all. A larger one is tried if one was too fast. */
export async function killedCopy(
  directory: string,
  target: (name: string) => string,
): Promise<Copy> {
  for (const instruments of instrumentsToTry) {
    const from = join(directory, `from-${instruments}`);
    await fill(from, instruments);
    const copy = { from, to: target(`to-${instruments}`) };
    if (await killDuring(copy)) return copy;
  }
  return assert.fail('every copy ended before it could be killed');
}

/** Copies, and kills the copy when its target has some rows. Returns whether the copy was still running. */
async function killDuring({ from, to }: Copy): Promise<boolean> {
  const child = spawn(process.execPath, [launcher, 'store', 'copy', '--from', from, '--to', to], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'close', { withinMs: processMsMax });
  await using target = openPlace(to);
  const hasCloses = async (): Promise<boolean> => {
    try {
      await using store = await target.open({ mode: 'read', isCopyTarget: true });
      return (await store.history.changesSince(0)).tickers.length > 0;
    } catch {
      // The store does not exist yet.
      return false;
    }
  };
  await until('some closes are copied', hasCloses, { withinMs: 180_000 });
  child.kill('SIGKILL');
  const [, signal] = await ended;
  if (signal !== 'SIGKILL') return false;
  // The claim of a database ends after some seconds.
  const isFree = async (): Promise<boolean> => (await target.holder()) === undefined;
  await until('the claim of the killed copy has ended', isFree, { withinMs: 180_000 });
  return true;
}

async function fill(at: string, instruments: number): Promise<void> {
  await using place = openPlace(at);
  await using store = await place.open({ mode: 'create' });
  await store.history.transaction(async (transaction) => {
    for (let instrument = 0; instrument < instruments; instrument += 1) {
      const closes = Array.from({ length: closesPerInstrument }, (_, day): DailyClose => ({
        day: day as EpochDay,
        close: day + instrument,
        volume: day,
      }));
      await transaction.put(`T${instrument}` as Ticker, closes);
    }
  }, testStamp);
}
