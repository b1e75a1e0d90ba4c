/** Whether a count is 1, 2, 4 and so on. A repeated failure is logged only at these counts. */
export function isPowerOfTwo(count: number): boolean {
  return Number.isInteger(Math.log2(count));
}
