import { systemClock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import { repeat } from '../../lib/time/repeat.ts';
import type { StorePlace } from '../../store/contract/place.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { RunningNode } from '../roles/arrangement.ts';
import { ClockWatch } from './clock-watch.ts';
import { DatabaseClockWatch } from './database-clock-watch.ts';
import { OutageWatch } from './outage-watch.ts';
import { StaleWatch } from './stale-watch.ts';
import { damageAdvice, watchStore } from './store-watch.ts';

/** How often the clock and the feeds are checked, in milliseconds. */
const watchPauseMs = 1_000;

/** Checks the clock, the feeds and the store periodically. */
export function watchAll({
  serving,
  place,
  metrics,
  log,
}: {
  readonly serving: RunningNode;
  readonly place: StorePlace;
  readonly metrics: Metrics;
  readonly log: Log;
}): AsyncDisposable {
  const watching = new AsyncDisposableStack();
  watching.use(
    place.damage.onFound((fault) => {
      metrics.commitHealth.damaged();
      log.error({ err: fault }, damageAdvice[place.kind]);
    }),
  );
  const clockWatch = new ClockWatch({
    clock: systemClock,
    onJump: (ms) => {
      metrics.clockJumped();
      log.warn({ ms }, 'clock was set, or the process was suspended');
    },
  });
  const staleWatch = new StaleWatch(log);
  const { line } = place;
  if (line !== undefined) {
    watching.use(line.exchange());
    const onLine = (text: string): void => log.info({ line: text }, 'database is on a newer line');
    watching.use(line.subscribe(onLine));
  }
  const outageWatch = new OutageWatch(log);
  const databaseClockWatch = new DatabaseClockWatch(place, log);
  const look = async (): Promise<void> => {
    clockWatch.look();
    databaseClockWatch.look();
    const states = serving.measured.feeds();
    staleWatch.look(states);
    outageWatch.look(states);
  };
  const onFault = (fault: unknown): void =>
    log.error({ err: fault }, 'could not check the clock and the feeds');
  watching.use(repeat(look, { pauseMs: watchPauseMs, onFault }));
  watching.use(
    watchStore({
      isMine: () => serving.measured.claimToken !== 0,
      check: (signal) => place.check(signal),
      clock: systemClock,
      onDamaged: (fault) => place.damage.found(fault),
      log,
    }),
  );
  return watching;
}
