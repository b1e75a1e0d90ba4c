/**
 * Loaded into the measured program with `node --import`: measures the steps of its event loop, between two
 * moments at which it can answer a request. On SIGUSR2, it prints the longest steps since the last one, in
 * milliseconds, and begins again.
 *
 * A step is as long as the clock says, without the time in which the thread waited for a processor. So what else
 * the machine does changes little. The program never rests meanwhile, so it is not measured beside requests.
 */
import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const stepsKept = 20;
/** Shorter steps are not looked at: reading the time of waiting takes some µs. */
const shortestMs = 0.2;

if (isMainThread) watch();

function watch(): void {
  let steps: number[] = [];
  let [since, waited] = [performance.now(), waitedMs()];
  const step = (): void => {
    const wall = performance.now() - since;
    if (wall >= shortestMs) {
      const waitedBefore = waited;
      waited = waitedMs();
      steps.push(wall - (waited - waitedBefore));
    }
    since = performance.now();
    setImmediate(step);
  };
  setImmediate(step);
  process.on('SIGUSR2', () => {
    const longest = steps.toSorted((a, b) => b - a).slice(0, stepsKept);
    process.stdout.write(`${JSON.stringify({ longest })}\n`);
    steps = [];
  });
}

/** The time in which this thread waited for a processor: the second number of schedstat, in nanoseconds. */
function waitedMs(): number {
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[1]) / 1e6;
}
