import { StoreFault, type StoreFaultCode } from '../../contract/store-fault.ts';

/**
 * An error in a message between threads. Structured clone preserves the message, the stack and the cause
 * of an error. It preserves the class only of the language's built-in errors.
 */
export interface PackedError {
  readonly error: unknown;
  /** Present when the error was a {@link StoreFault}. */
  readonly fault?: StoreFaultCode;
}

/** Packs an error. */
export function packError(error: unknown): PackedError {
  return error instanceof StoreFault ? { error, fault: error.code } : { error };
}

/** Restores a packed error, including the class {@link StoreFault}. */
export function unpackError({ error, fault }: PackedError): unknown {
  if (fault === undefined || !(error instanceof Error)) return error;
  return new StoreFault(fault, error.message, { cause: error.cause });
}
