import { claimTiming } from '../../src/cluster/timing.ts';
import type { Faults, World } from './world.ts';

/** All faults of the simulation. */
export const faults: Faults = { happen: happenFault, fork: forkDatabase };

/** Lets one fault happen, mostly to the writer, and arranges for its end. */
function happenFault(world: World): void {
  const { random } = world;
  const writer = world.machines.findIndex(({ run }) => run.isWriting);
  const index = writer !== -1 && !random.oneIn(3) ? writer : random.below(world.machines.length);
  world.disturb();
  // A server that was replaced must not start again by itself.
  const ofDatabase = world.profile.forks ? jumpClocks : crashDatabase;
  const kinds = [crash, crash, freeze, freeze, cut, cut, stop, stop, ofDatabase, jumpClocks];
  const chosen = kinds[random.below(kinds.length)];
  if (world.profile.wrongClocks && random.oneIn(2)) setWrong(world, index);
  else chosen?.(world, index);
}

/** The clock of a machine is set wrong by more than any round trip, and right again later. */
function setWrong(world: World, index: number): void {
  const { random } = world;
  const errorMs = random.between(8_000, 60_000) * (random.oneIn(2) ? 1 : -1);
  world.trace?.(`node ${index}`, () => `has its clock wrong by ${errorMs} ms`);
  world.setClock(index, errorMs);
  world.agenda.after(random.between(2_000, 6_000), () => {
    world.trace?.(`node ${index}`, () => 'has its clock right again');
    world.setClock(index, 0);
  });
}

/**
 * The server is frozen, or stopped, until a copy of it is promoted. It accepts writes again some time after a node has
 * used the new one, and ends some time later. Its sessions survive if it was frozen.
 */
function forkDatabase(world: World): void {
  const { agenda, random, database: former } = world;
  if (!former.isUp || world.isHealed) return;
  const wasFrozen = random.oneIn(2);
  world.trace?.('database', () => (wasFrozen ? 'is frozen' : 'is stopped'));
  world.disturb();
  former.keys.crash();
  if (wasFrozen) former.freeze();
  else former.crash();
  agenda.after(random.between(claimTiming.leaseMs, 4_000), () => {
    if (world.isHealed) return;
    world.trace?.('database', () => 'is replaced by a copy that was promoted');
    world.disturb();
    world.promote();
    agenda.after(random.between(500, 3_000), () => {
      if (world.isHealed || world.database === former) return;
      world.trace?.('database', () => 'accepts writes again, on the former line');
      world.disturb();
      world.watch.counts.forks += 1;
      world.addressed = former;
      if (wasFrozen) former.thaw();
      else former.isUp = true;
      agenda.after(random.between(1_500, 6_000), () => {
        if (world.isHealed) return;
        world.trace?.('database', () => 'is on the newer line only');
        world.disturb();
        former.crash();
        world.addressed = world.database;
      });
    });
  });
}

function crash(world: World, index: number): void {
  world.trace?.(`node ${index}`, () => 'crashes');
  world.machine(index).run.crash();
  world.agenda.after(world.random.between(100, 4_500), () => {
    world.restart(index);
  });
}

function freeze(world: World, index: number): void {
  const forMs = world.random.between(100, 5_000);
  const { run } = world.machine(index);
  world.trace?.(`node ${index}`, () => `freezes for ${forMs} ms`);
  run.freeze();
  world.agenda.after(forMs, () => {
    world.trace?.(`node ${index}`, () => 'thaws');
    world.disturb();
    run.thaw();
  });
}

function cut(world: World, index: number): void {
  const { random } = world;
  const { link } = world.machine(index);
  const which = random.below(4);
  link.isCut.toDatabase ||= which !== 1;
  link.isCut.toNode ||= which !== 2;
  link.isRetransmitted = random.oneIn(2);
  if (link.isCut.toNode && !link.isCut.toDatabase) world.wasDeaf = true;
  const forMs = random.between(100, 5_000);
  world.trace?.(`node ${index}`, () => `is cut off for ${forMs} ms: ${JSON.stringify(link.isCut)}`);
  world.agenda.after(forMs, () => {
    world.trace?.(`node ${index}`, () => 'is connected again');
    world.disturb();
    link.heal(false);
  });
}

function stop(world: World, index: number): void {
  const { run } = world.machine(index);
  if (!run.isAlive || run.isFrozen) return;
  world.trace?.(`node ${index}`, () => 'stops as planned');
  world.expectHandOver(run);
  run.stop();
}

function crashDatabase(world: World): void {
  const forMs = world.random.between(50, 3_000);
  world.trace?.('database', () => `crashes, and starts again in ${forMs} ms`);
  world.database.crash();
  world.agenda.after(forMs, () => {
    world.startDatabase();
  });
}

function jumpClocks(world: World, index: number): void {
  const byMs = world.random.between(-6_000, 6_000);
  world.machine(index).wallSkew += byMs;
  if (world.profile.databaseClockJumps) world.database.jumpClock(byMs);
  world.trace?.(`node ${index}`, () => `has its wall clock set by ${byMs} ms`);
}
