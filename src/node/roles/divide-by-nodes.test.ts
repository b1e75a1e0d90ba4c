import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nodeRecord } from '../../../test/support/program/node-record.ts';
import { RatePlans } from '../../auth/rate-plans.ts';
import { RateLimits, type RateLimitScope } from '../../http/admission/rate-limits.ts';
import { silentLog } from '../../lib/reports/log.ts';
import type { LiveNode, NodeRole } from '../../store/contract/nodes.ts';
import { StoreFault } from '../../store/contract/store-fault.ts';
import { divideByNodes } from './open-front.ts';

function node(instance: string, role: NodeRole = 'all'): LiveNode {
  return { ...nodeRecord({ instance, role }), silentMs: 0 };
}

/** The node `own` of a place whose live nodes the test sets. */
function rig({ kind = 'postgres', scope = 'cluster' }: Partial<Rigged> = {}) {
  const state: { live: readonly LiveNode[]; isDown: boolean; reads: number } = {
    live: [],
    isDown: false,
    reads: 0,
  };
  const nodes = {
    live: async () => {
      state.reads += 1;
      return state.isDown ? Promise.reject(new StoreFault('unavailable', 'down')) : state.live;
    },
    register: () => assert.fail(),
  };
  const plans = { plans: new Map() };
  const rateLimits = new RateLimits({ plans: new RatePlans(plans), scope });
  const open = () =>
    divideByNodes(
      { kind, nodes },
      // The test looks by itself.
      { instance: 'own', rateLimits, clock: { now: () => 0 }, log: silentLog, pollMs: 3_600_000 },
    );
  return { state, rateLimits, plans, open };
}

interface Rigged {
  readonly kind: 'postgres' | 'sqlite';
  readonly scope: RateLimitScope;
}

test('the nodes that serve are counted before the first request, this one included, published or not', async () => {
  const { state, rateLimits, open } = rig();
  state.live = [node('writer', 'write'), node('a'), node('b', 'serve')];
  await using division = await open();
  assert.equal(rateLimits.parts, 3);
  state.live = [...state.live, node('own')];
  await division.look();
  assert.equal(rateLimits.parts, 3);
});

test('a node that comes counts at once, and one that goes after four further reads', async () => {
  const { state, rateLimits, open } = rig();
  await using division = await open();
  const parts: number[] = [];
  const look = async (): Promise<void> => {
    await division.look();
    parts.push(rateLimits.parts);
  };
  state.live = [node('own'), node('a'), node('b')];
  await look();
  state.live = [node('own'), node('a')];
  for (let read = 0; read < 5; read += 1) await look();
  assert.deepEqual(parts, [3, 3, 3, 3, 3, 2]);
});

test('while the nodes cannot be read, the last number remains, and afterwards they have time to sign again', async () => {
  const { state, rateLimits, open } = rig();
  state.live = [node('own'), node('a')];
  await using division = await open();
  state.isDown = true;
  for (let read = 0; read < 10; read += 1) {
    await assert.rejects(division.look(), { code: 'unavailable' });
  }
  assert.equal(rateLimits.parts, 2);
  state.isDown = false;
  state.live = [];
  for (let read = 0; read < 4; read += 1) await division.look();
  assert.equal(rateLimits.parts, 2);
});

test('a start without the database counts this node alone until the database is back', async () => {
  const { state, rateLimits, open } = rig();
  state.isDown = true;
  state.live = [node('a')];
  await using division = await open();
  assert.equal(rateLimits.parts, 1);
  state.isDown = false;
  await division.look();
  assert.equal(rateLimits.parts, 2);
});

test('the nodes are read only where several can divide a limit, and from a reload on that demands it', async () => {
  const { state, rateLimits, plans, open } = rig({ scope: 'node' });
  state.live = [node('a')];
  await using division = await open();
  assert.deepEqual([rateLimits.parts, state.reads], [1, 0]);
  rateLimits.replace(plans, undefined, 'cluster');
  await division.look();
  assert.equal(rateLimits.parts, 2);

  const alone = rig({ kind: 'sqlite' });
  alone.state.live = [node('a')];
  await using solo = await alone.open();
  await solo.look();
  assert.deepEqual([alone.rateLimits.parts, alone.state.reads], [1, 0]);
});
