import { setTimeout as delay } from 'node:timers/promises';
import { processorTime } from '../support/process-tree.ts';
import type { Contender, Plan } from './measure.ts';
import { updatesPerSecond, withUpdates } from './updates.ts';

/**
 * Microseconds of processor time that each side takes for an update while nobody asks anything. It
 * tells how much of a case with updates is the updates': where few requests are answered, each bears
 * a larger part of them.
 */
export async function measureUpdatesAlone(
  contenders: readonly Contender[],
  plan: Plan,
): Promise<Readonly<Record<string, number>>> {
  const costs: Record<string, number> = {};
  for (const { name, side } of contenders) {
    if (side.updates === undefined) continue;
    const { result } = await withUpdates(side.updates, plan, async () => {
      const before = processorTime(side.pids);
      await delay(plan.seconds * 1e3);
      const after = processorTime(side.pids);
      return after.user + after.kernel - before.user - before.kernel;
    });
    costs[name] = (result / (plan.seconds * updatesPerSecond)) * 1e6;
  }
  return costs;
}
