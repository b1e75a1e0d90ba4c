import { getSystemErrorMessage } from 'node:util';

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
  // What was disposed after a fault has failed too, often for the same reason.
  if (fault instanceof SuppressedError) return reportFault(fault.suppressed);
  const text =
    fault instanceof Error && forOperators.has(fault.name)
      ? fault.message
      : isOfDisk(fault)
        ? diskText(fault)
        : `This is a defect of Pizarra. Please report it with this text:\n${fault instanceof Error ? fault.stack : String(fault)}`;
  printError(`pizarra: ${text}\n`);
  return fault instanceof Error && fault.name === 'UsageFault' ? exitUsage : exitFailed;
}

/** What the operating system reports of a disk that cannot store more, or fails. No program can prevent it. */
const diskCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EFBIG']);

function isOfDisk(fault: unknown): fault is NodeJS.ErrnoException {
  const { code } = Object(fault) as NodeJS.ErrnoException;
  return fault instanceof Error && code !== undefined && diskCodes.has(code);
}

function diskText({ path, errno, message }: NodeJS.ErrnoException): string {
  const reason = errno === undefined ? message : (getSystemErrorMessage(errno) ?? message);
  const where = path === undefined ? 'a file' : path;
  return `Cannot write ${where}: ${reason}. Check the disk and its free space, then run the command again.`;
}
