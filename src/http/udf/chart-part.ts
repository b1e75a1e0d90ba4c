import { chartMembers, type ChartCells, type ChartMember } from '../../wire/udf/chart-cells.ts';
import { JoinedTexts } from './joined-texts.ts';

/** The memory of a part besides its bars, in bytes: the objects that refer to their texts. */
const bytesPerPart = 4 * 1024;

/** Consecutive bars of a chart, rendered once: a list of texts for each member of a response. */
export class ChartPart {
  readonly #times: Float64Array;
  /** The number of bars with a known open, high or low before each bar, and then before one more. */
  readonly #ranged: Uint32Array;
  readonly #texts: ReadonlyMap<ChartMember, JoinedTexts>;

  /** @param bars ascending by time. */
  constructor(bars: readonly ChartCells[]) {
    this.#times = Float64Array.from(bars, ({ time }) => time);
    this.#ranged = new Uint32Array(bars.length + 1);
    let ranged = 0;
    for (const [index, { hasRange }] of bars.entries()) {
      ranged += hasRange ? 1 : 0;
      this.#ranged[index + 1] = ranged;
    }
    this.#texts = new Map(
      chartMembers.map((member) => [member, new JoinedTexts(bars.map((bar) => bar[member]))]),
    );
  }

  /** The number of bars. */
  get length(): number {
    return this.#times.length;
  }

  /** Its memory, in bytes. */
  get bytesHeld(): number {
    let texts = 0;
    for (const { bytesHeld } of this.#texts.values()) texts += bytesHeld;
    return bytesPerPart + this.#times.byteLength + this.#ranged.byteLength + texts;
  }

  /** The number of bars that start before a second. */
  before(second: number): number {
    let low = 0;
    let high = this.#times.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#times[middle] ?? 0) < second) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Whether the open, the high or the low of one of the bars is known. */
  hasRange(first: number, end: number): boolean {
    return this.#ranged[first] !== this.#ranged[end];
  }

  /** The values of a member, with commas between them. `end` is greater than `first`. */
  texts(member: ChartMember, first: number, end: number): Buffer {
    return this.#texts.get(member)?.between(first, end) ?? Buffer.alloc(0);
  }
}
