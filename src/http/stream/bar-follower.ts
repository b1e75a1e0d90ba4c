import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { BarState } from '../../wire/bodies/bar-event.ts';

/**
 * Maximum number of bars of one instrument that are pending for a reader: the one under way, and ended
 * ones. There are more than two only if the reader, or the disk, was blocked for minutes. Then the oldest
 * ones are dropped.
 */
const pendingPerInstrumentMax = 60;

/**
 * The pending bars of one reader: of each instrument the latest state of each of its latest bars. A slow
 * reader skips states of a bar, and gets its last state.
 */
export class BarFollower implements Disposable {
  readonly #pending = new Map<Instrument, Map<number, BarState>>();
  readonly #onReady: () => void;
  readonly #onDispose: (follower: BarFollower) => void;

  constructor(options: {
    /** Called whenever a bar becomes pending while none was. */
    readonly onReady: () => void;
    readonly onDispose: (follower: BarFollower) => void;
  }) {
    this.#onReady = options.onReady;
    this.#onDispose = options.onDispose;
  }

  /** Whether any bar is pending. */
  get isReady(): boolean {
    return this.#pending.size > 0;
  }

  /** Adds a pending bar. It replaces an older state of the same bar. */
  offer(state: BarState): void {
    const wasReady = this.isReady;
    const { instrument, bar } = state;
    const ofInstrument = this.#pending.get(instrument) ?? new Map<number, BarState>();
    this.#pending.set(instrument, ofInstrument);
    ofInstrument.set(bar.minute, state);
    if (ofInstrument.size > pendingPerInstrumentMax) {
      ofInstrument.delete(Math.min(...ofInstrument.keys()));
    }
    if (!wasReady) this.#onReady();
  }

  /** Removes and returns pending bars, ascending for each instrument: those of at most `max` instruments. */
  take(max: number): readonly BarState[] {
    const taken: BarState[] = [];
    for (const [instrument, states] of [...this.#pending].slice(0, max)) {
      this.#pending.delete(instrument);
      taken.push(...[...states.values()].sort((a, b) => a.bar.minute - b.bar.minute));
    }
    return taken;
  }

  /** Discards the pending bars and stops following. */
  [Symbol.dispose](): void {
    this.#pending.clear();
    this.#onDispose(this);
  }
}
