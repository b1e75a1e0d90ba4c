import type { Log } from '../lib/reports/log.ts';

const levels = ['debug', 'info', 'warn', 'error'] as const;

/**
 * Passes the log lines of worker processes, which are JSON, to a log. A line that is no JSON is what Node
 * itself wrote as the process failed, so it is an error.
 */
export function workerLines(log: Log): (line: string) => void {
  return (line) => {
    const fields = fieldsOf(line);
    if (fields === undefined) return log.error({}, line);
    const { level, time: _, msg, ...details } = fields;
    const name = level === 'fatal' ? 'error' : levels.find((one) => one === level);
    log[name ?? 'debug'](details, String(msg));
  };
}

function fieldsOf(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}
