/** A JSON Schema of draft 7, which editors and validators read. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The pattern of a text whose letters may be upper or lower case: `[hH][tT]…`. */
export function caseless(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
}

/** The pattern of the decimal numbers from `min` to `max`, both included, with zeros before them or none. */
export function rangePattern(min: number, max: number): string {
  return `^0*(?:${partsOf(min, max).join('|')})$`;
}

/** Patterns of ranges that together make a range: each has fixed digits, one varying digit, and free digits. */
function partsOf(min: number, max: number): readonly string[] {
  const parts: string[] = [];
  for (let start = min; start <= max;) {
    const [end, free] = endOfPart(start, max);
    const [first, last] = [String(start), String(end)].map((text) =>
      text.slice(0, text.length - free),
    ) as [string, string];
    const varying = first.length - 1;
    const digits =
      first === last ? first.slice(varying) : `[${first[varying] ?? ''}-${last[varying] ?? ''}]`;
    parts.push(`${first.slice(0, varying)}${digits}${free === 0 ? '' : `\\d{${free}}`}`);
    start = end + 1;
  }
  return parts;
}

/** The last number of the longest part that begins with a number, and how many of its digits are free. */
function endOfPart(start: number, max: number): readonly [number, number] {
  // Digits are free while the number ends with zeros there, and the whole power of ten is within the range.
  const areFree = (digits: number): boolean =>
    start > 0 && start % 10 ** digits === 0 && start + 10 ** digits - 1 <= max;
  let free = 0;
  while (areFree(free + 1)) free += 1;
  const step = 10 ** free;
  const digit = Math.floor(start / step) % 10;
  const steps = Math.min(9 - digit, Math.floor((max + 1 - start) / step) - 1);
  return [start + (steps + 1) * step - 1, free];
}
