import { setTimeout as delay } from 'node:timers/promises';
import { processorTime } from '../../support/process-tree.ts';
import type { Contender, Plan } from './measure.ts';
import { updatesPerSecond, withUpdates } from './updates.ts';

/**
 * Each side's processor time per update without other requests, in microseconds. In a case with updates, this
 * time is included in the time per request. The fewer requests a side serves, the larger is that share.
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
