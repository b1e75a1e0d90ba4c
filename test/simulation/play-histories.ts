import { faults } from './faults.ts';
import type { Guards } from './guards.ts';
import { Violation } from './violation.ts';
import { Counts, type Trace } from './watch.ts';
import { World } from './world.ts';

/** A history that showed what must not happen. */
export interface Failure {
  readonly seed: number;
  readonly kind: string;
  readonly message: string;
}

/** What some histories have shown. */
export interface Played {
  readonly counts: Counts;
  readonly failures: readonly Failure[];
}

/** Plays the histories of the seeds from `first` to before `end`. Stops after `failuresMax` failures. */
export function playHistories(
  { first, end, failuresMax }: { first: number; end: number; failuresMax: number },
  guards: Guards,
): Played {
  const counts = new Counts();
  const failures: Failure[] = [];
  for (let seed = first; seed < end && failures.length < failuresMax; seed += 1) {
    try {
      new World(seed, { guards, faults, counts }).play();
    } catch (fault) {
      const kind = fault instanceof Violation ? fault.kind : 'defect of the simulation';
      failures.push({ seed, kind, message: String(fault) });
    }
  }
  return { counts, failures };
}

/** The lines of a history, each with its time in milliseconds. The last one says how it ended. */
export function traceHistory(seed: number, guards: Guards): readonly string[] {
  const lines: string[] = [];
  const trace: Trace = (who, text) => {
    lines.push(`${String(world.agenda.now).padStart(6)}  ${who}: ${text()}`);
  };
  const world = new World(seed, { guards, faults, counts: new Counts(), trace });
  try {
    world.play();
    lines.push(`${world.agenda.now}  no rule was broken`);
  } catch (fault) {
    lines.push(`${String(world.agenda.now).padStart(6)}  ${String(fault)}`);
  }
  return lines;
}
