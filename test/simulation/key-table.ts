import type { Agenda } from './tools/agenda.ts';
import type { Prng } from './tools/prng.ts';
import { instruments } from './watch.ts';

/**
 * A table that several programs change, with a revision, as keys, closes and corporate actions. Their
 * transactions run at the same time.
 */
export class KeyTable {
  readonly revisions = new Int32Array(instruments);
  #counter = 0;
  /** The transactions that wait for the lock of the revision; undefined when nobody has it. */
  #waiting: (() => void)[] | undefined;
  #losses = 0;
  readonly #agenda: Agenda;
  readonly #random: Prng;
  readonly #isRevisionUnderLock: boolean;
  readonly #onChange: (revision: number) => void;

  constructor(deps: {
    readonly agenda: Agenda;
    readonly random: Prng;
    readonly isRevisionUnderLock: boolean;
    readonly onChange: (revision: number) => void;
  }) {
    this.#agenda = deps.agenda;
    this.#random = deps.random;
    this.#isRevisionUnderLock = deps.isRevisionUnderLock;
    this.#onChange = deps.onChange;
  }

  /** Takes what is committed in another server. */
  copy(other: KeyTable): void {
    this.revisions.set(other.revisions);
    this.#counter = Math.max(...other.revisions);
  }

  /** A transaction changes a key. It takes its revision at its end, under a lock until it commits. */
  change(key: number): void {
    const workMs = this.#random.between(1, 60);
    if (!this.#isRevisionUnderLock) {
      this.#counter += 1;
      const revision = this.#counter;
      this.#later(workMs, () => {
        this.#store(key, revision);
      });
      return;
    }
    this.#later(workMs, () => {
      this.#lock(() => {
        const revision = this.#counter + 1;
        this.#later(this.#random.between(1, 10), () => {
          this.#counter = revision;
          this.#store(key, revision);
          this.#unlock();
        });
      });
    });
  }

  /** The database crashes: what is not committed is lost. */
  crash(): void {
    this.#losses += 1;
    this.#waiting = undefined;
  }

  #store(key: number, revision: number): void {
    // The lock of the row of the key orders two changes of one key.
    this.revisions[key] = Math.max(revision, this.revisions[key] as number);
    this.#onChange(revision);
  }

  #later(pauseMs: number, event: () => void): void {
    const losses = this.#losses;
    this.#agenda.after(pauseMs, () => {
      if (losses === this.#losses) event();
    });
  }

  #lock(locked: () => void): void {
    if (this.#waiting === undefined) {
      this.#waiting = [];
      locked();
    } else {
      this.#waiting.push(locked);
    }
  }

  #unlock(): void {
    const next = this.#waiting?.shift();
    if (next === undefined) this.#waiting = undefined;
    else next();
  }
}
