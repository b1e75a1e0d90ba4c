/** A state machine that has no timer of its own, such as those of `cluster/`. */
interface Machine<Action> {
  /** When {@link Machine.step} must be called again, at the latest. Infinity when nothing is due. */
  readonly wakeAt: number;
  /** What to do now. `wait`: nothing. */
  step(now: number): Action;
}

/**
 * Carries out the actions of a state machine when they are due, until the driver is stopped. The owner calls
 * {@link drive} to begin, and after each event that it has reported to the machine.
 */
export class Driver<Action extends string> {
  readonly #machine: Machine<Action>;
  readonly #monotonic: () => number;
  readonly #act: (action: Action, now: number) => void;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  /**
   * @param own.monotonic gives milliseconds since an arbitrary instant.
   * @param own.act carries out one action. It may stop the driver.
   */
  constructor(
    machine: Machine<Action>,
    own: {
      readonly monotonic: () => number;
      readonly act: (action: Action, now: number) => void;
    },
  ) {
    this.#machine = machine;
    this.#monotonic = own.monotonic;
    this.#act = own.act;
  }

  /** Carries out the actions that are due, and sets the timer for the next ones. */
  drive(): void {
    clearTimeout(this.#timer);
    const now = this.#monotonic();
    while (!this.#isStopped) {
      const action = this.#machine.step(now);
      if (action === 'wait') return this.#sleep(now);
      this.#act(action, now);
    }
  }

  /** Ends the driver. It carries out no further action. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #sleep(now: number): void {
    const { wakeAt } = this.#machine;
    if (wakeAt === Infinity) return;
    this.#timer = setTimeout(() => this.drive(), Math.max(0, wakeAt - now));
  }
}
