import * as fc from 'fast-check';

// JSON has no -0. No price of the engine is -0.
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0 || 0);

/** Any bar without its day. */
export const arbitraryBar = fc.record(
  {
    minute: fc.integer(),
    open: number,
    high: number,
    low: number,
    last: number,
    volume: fc.option(number),
  },
  { noNullPrototype: true },
);
