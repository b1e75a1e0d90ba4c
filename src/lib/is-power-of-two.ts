/** Whether a count is 1, 2, 4 and so on: when to tell of something that happens again and again. */
export function isPowerOfTwo(count: number): boolean {
  return Number.isInteger(Math.log2(count));
}
