import type { Log } from '../../lib/reports/log.ts';
import { printError } from './print.ts';

/** A log that shows warnings and errors as lines on standard error. */
export function terminalLog(): Log {
  return { debug: () => undefined, info: () => undefined, warn: showLine, error: showLine };
}

function showLine(_details: object, message: string): void {
  printError(`${message}\n`);
}
