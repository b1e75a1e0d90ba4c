/**
 * Why the service gave no rows. The message is in Spanish, as the errors of the contract, because an agent
 * shows it to its user. It says what to do, and contains no key.
 */
export class ServiceFault extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ServiceFault';
  }
}
