/** The exit code of whatever was tried and failed. */
const exitFailed = 1;

/** The names of the errors whose message is a sentence for the operator. */
const forOperators: ReadonlySet<string> = new Set(['OperatorFault', 'StoreFault', 'ImportRefusal']);

/**
 * Tells on standard error what went wrong: the sentence of a fault, or the whole stack of what
 * nobody foresaw, because that is a defect and worth a report. Gives the exit code.
 */
export function reportFault(fault: unknown): number {
  const text =
    fault instanceof Error && forOperators.has(fault.name)
      ? fault.message
      : `This is a defect of Pizarra; please report it.\n${fault instanceof Error ? fault.stack : String(fault)}`;
  process.stderr.write(`pizarra: ${text}\n`);
  return exitFailed;
}
