import { makeLiveBar, type LiveBar } from '../../domain/quotes/minute-bar.ts';
import type { EpochDay } from '../../domain/calendar/plain-date.ts';
import { damaged } from './damaged.ts';

/** The number of numbers of a bar. Each one takes 8 bytes. */
const numbers = 9;

/**
 * Packs the bar under way of a quote as its nine numbers, in the byte order of all supported processors.
 * NaN stands for a volume of null. The bytes are those of one buffer, because allocating one for each bar
 * takes longer than all the rest: they are valid until the next call.
 */
export class LiveBarPacker {
  readonly #packed = new Float64Array(numbers);
  readonly #bytes = new Uint8Array(this.#packed.buffer);

  pack(bar: LiveBar | undefined): Uint8Array | null {
    if (bar === undefined) return null;
    const packed = this.#packed;
    packed[0] = bar.day;
    packed[1] = bar.minute;
    packed[2] = bar.open;
    packed[3] = bar.high;
    packed[4] = bar.low;
    packed[5] = bar.last;
    packed[6] = bar.volumeFrom;
    packed[7] = bar.volumeTo ?? Number.NaN;
    packed[8] = bar.isRecorded ? 1 : 0;
    return this.#bytes;
  }
}

/**
 * Restores a packed bar.
 *
 * @throws StoreFault `corrupt`
 */
export function unpackLiveBar(path: string, packed: Uint8Array): LiveBar {
  if (packed.byteLength !== numbers * Float64Array.BYTES_PER_ELEMENT) {
    throw damaged(path, 'a bar under way is incomplete');
  }
  // The bytes of a row need not be aligned, and those of a Buffer are part of a larger one.
  const [day, minute, open, high, low, last, volumeFrom, volumeTo, isRecorded] = new Float64Array(
    Uint8Array.from(packed).buffer,
  ) as unknown as readonly [number, number, number, number, number, number, number, number, number];
  return makeLiveBar({
    day: day as EpochDay,
    minute,
    open,
    high,
    low,
    last,
    volumeFrom,
    volumeTo: Number.isNaN(volumeTo) ? null : volumeTo,
    isRecorded: isRecorded === 1,
  });
}
