import type { Clock } from '../../lib/clock.ts';
import type { ReplaySpeed } from './replay-config.ts';

/**
 * Tells the time of a recording, so that what is judged by the clock (what lies in the future, which
 * session has ended) comes out as it did then. It never goes back.
 *
 * Before the first record it is 1970, and nothing has ended yet. Then it runs at the replay's speed,
 * or, at `max`, stands at each record. After the last record it runs on from there, at `max` at the
 * pace of real time, so that the last session ends too.
 */
export class ReplayClock implements Clock {
  readonly #real: Clock;
  readonly #speed: ReplaySpeed;
  /** The pace of this clock from the last mark on. */
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
   * How long to wait in real time, in milliseconds, until the recording has come to an instant. The
   * first instant that is asked for is where it begins.
   */
  realMsUntil(recorded: number): number {
    if (this.#mark === undefined) this.#set(recorded);
    if (this.#speed !== 'max') return Math.max(0, (recorded - this.now()) / this.#speed);
    if (recorded > this.now()) this.#set(recorded);
    return 0;
  }

  /** The recording has ended. */
  runOn(): void {
    if (this.#speed !== 'max' || this.#mark === undefined) return;
    this.#set(this.now());
    this.#pace = 1;
  }

  #set(recorded: number): void {
    this.#mark = { recorded, real: this.#real.now() };
  }
}
