import { storedValue } from '../../ui/stored-value.ts';
import { defaultStrip, readStrip, type StripChoice } from './strip-choice.ts';

/** The strip of this browser. */
export const strip = storedValue<StripChoice>({
  name: 'pizarra.strip',
  initial: defaultStrip,
  read: readStrip,
});

/** Changes the instruments of the strip, or whether it is shown. */
export function changeStrip(changes: Partial<StripChoice>): void {
  strip.value = { ...strip.value, ...changes };
}
