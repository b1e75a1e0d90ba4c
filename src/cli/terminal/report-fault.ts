import { printError } from './print.ts';
/** The exit code of a command that failed. */
const exitFailed = 1;

/** The exit code of an invalid call. */
export const exitUsage = 2;

/** The names of the errors whose message is written for the operator. */
const forOperators: ReadonlySet<string> = new Set(['OperatorFault', 'UsageFault', 'StoreFault']);

/**
 * Prints a fault on standard error, and gives the exit code. An unexpected error is a defect, so it is
 * printed with its stack.
 */
export function reportFault(fault: unknown): number {
  const text =
    fault instanceof Error && forOperators.has(fault.name)
      ? fault.message
      : `This is a defect of Pizarra. Please report it with this text:\n${fault instanceof Error ? fault.stack : String(fault)}`;
  printError(`pizarra: ${text}\n`);
  return fault instanceof Error && fault.name === 'UsageFault' ? exitUsage : exitFailed;
}
