import type { Clock } from '../../lib/time/clock.ts';
import type { ReplaySpeed } from './replay-config.ts';

/**
 * The clock of a recording. Decisions that depend on the time (whether an instant is in the future,
 * whether a session has ended) are then the same as at the time of the recording. It never goes
 * back.
 *
 * Before the first record it stands at 1970, so that no session ends. During the recording it runs
 * at the replay's speed; at `max` it stands at each record. After the last record it continues at
 * the replay's speed, or at `max` in real time, so that the last session ends too.
 */
export class ReplayClock implements Clock {
  readonly #real: Clock;
  readonly #speed: ReplaySpeed;
  /** The speed of this clock since the last mark. */
  #pace: number;
  #mark: { readonly recorded: number; readonly real: number } | undefined;

  constructor(options: { readonly real: Clock; readonly speed: ReplaySpeed }) {
    this.#real = options.real;
    this.#speed = options.speed;
    this.#pace = options.speed === 'max' ? 0 : options.speed;
  }

  now(): number {
    const mark = this.#mark;
    if (mark === undefined) return 0;
    return mark.recorded + Math.max(0, this.#real.now() - mark.real) * this.#pace;
  }

  /** Durations are real ones, whatever the speed of the replay. */
  monotonic(): number {
    return this.#real.monotonic();
  }

  /**
   * The real time to wait until the recording reaches an instant, in milliseconds. The first call
   * sets the clock to its instant.
   */
  realMsUntil(recorded: number): number {
    if (this.#mark === undefined) this.#set(recorded);
    if (this.#speed !== 'max') return Math.max(0, (recorded - this.now()) / this.#speed);
    if (recorded > this.now()) this.#set(recorded);
    return 0;
  }

  /** Continues after the end of the recording. */
  runOn(): void {
    if (this.#speed !== 'max' || this.#mark === undefined) return;
    this.#set(this.now());
    this.#pace = 1;
  }

  #set(recorded: number): void {
    this.#mark = { recorded, real: this.#real.now() };
  }
}
