import { printError } from './print.ts';
/** The exit code of whatever was tried and failed. */
const exitFailed = 1;

/** The exit code of a call that asks for what cannot be. */
export const exitUsage = 2;

/** The names of the errors whose message is a sentence for the operator. */
const forOperators: ReadonlySet<string> = new Set(['OperatorFault', 'UsageFault', 'StoreFault']);

/**
 * Tells on standard error what went wrong: the sentence of a fault, or the whole stack of what
 * nobody foresaw, because that is a defect and worth a report. Gives the exit code.
 */
export function reportFault(fault: unknown): number {
  const text =
    fault instanceof Error && forOperators.has(fault.name)
      ? fault.message
      : `This is a defect of Pizarra; please report it.\n${fault instanceof Error ? fault.stack : String(fault)}`;
  printError(`pizarra: ${text}\n`);
  return fault instanceof Error && fault.name === 'UsageFault' ? exitUsage : exitFailed;
}
