import type { StopStep } from '../../http/carriers/stop/listener-stop.ts';

/** Maximum wait for the other processes at a step, in milliseconds. A process may be blocked. */
const waitMsMax = 1_000;

/** A process that takes part in a {@link StopMeeting}. */
export interface StopMember {
  /** Resolves when all processes have reached a step. */
  reach(step: StopStep): Promise<void>;
  /** The process has ended. The others no longer wait for it. */
  leave(): void;
}

/**
 * Lets the processes that listen on one port take the steps of a stop together. Otherwise, a process that
 * answers again sends its clients to the listening socket of another one, just when that one closes it.
 */
export class StopMeeting {
  readonly #members = new Set<StopMember>();
  readonly #steps = { held: new Gathering(), closed: new Gathering() };

  join(): StopMember {
    const member: StopMember = {
      reach: (step) => this.#steps[step].reach(member, this.#members),
      leave: () => {
        this.#members.delete(member);
        for (const step of Object.values(this.#steps)) step.look(this.#members);
      },
    };
    this.#members.add(member);
    return member;
  }
}

/** The processes that have reached a step. */
class Gathering {
  readonly #present = new Set<StopMember>();
  readonly #complete = Promise.withResolvers<void>();

  reach(member: StopMember, all: ReadonlySet<StopMember>): Promise<void> {
    if (this.#present.size === 0) {
      const late = setTimeout(() => this.#complete.resolve(), waitMsMax);
      void this.#complete.promise.then(() => clearTimeout(late));
    }
    this.#present.add(member);
    this.look(all);
    return this.#complete.promise;
  }

  /** Ends the wait if all processes are present. */
  look(all: ReadonlySet<StopMember>): void {
    if (all.isSubsetOf(this.#present)) this.#complete.resolve();
  }
}
