/**
 * A fault that the operator can remove. The message says what is wrong, where, and what to do. The
 * command line prints the message alone, and exits with 1.
 */
export class OperatorFault extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OperatorFault';
  }
}

/** A mistake in the command line or in the configuration. The command line exits with 2. */
export class UsageFault extends OperatorFault {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UsageFault';
  }
}
