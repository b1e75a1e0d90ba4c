/**
 * Something that keeps the program from doing what its operator asked, told in a clear sentence or
 * a few, with what to do. The command line prints the message and nothing else, and exits with 1.
 */
export class OperatorFault extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OperatorFault';
  }
}

/** A mistake in how the program was called or configured; the command line exits with 2. */
export class UsageFault extends OperatorFault {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UsageFault';
  }
}
