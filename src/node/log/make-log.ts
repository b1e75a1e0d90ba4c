import { pino, type Logger } from 'pino';
import { BoundedOutput } from '../../lib/reports/bounded-output.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { instantText } from '../../lib/time/instant-text.ts';
import type { Log } from '../../lib/reports/log.ts';
import { printableJson } from '../../lib/text/printable.ts';
import type { Settings } from '../../config/settings/settings.ts';

/** Maximum size of log lines that wait for their reader, in bytes. Further lines are dropped. */
const waitingBytesMax = 2 ** 20;

/** Maximum time to write the last lines when the program ends, in milliseconds. */
const flushMsMax = 1_000;

/** What the service needs of a log. */
export interface ServiceLog {
  readonly log: Log;
  /** Number of lines that were dropped because the log was not read. */
  readonly dropped: () => number;
  /** Writes a line unchanged. The lines of a worker process are already formatted. */
  readonly writeLine: (line: string) => void;
}

/** The log of the program. */
export interface ProgramLog extends ServiceLog {
  readonly log: Logger;
  /** Waits until the last lines are written, at most one second. */
  readonly flush: () => Promise<void>;
}

/**
 * The log of the program, on standard error. Standard output carries only the result of a command. On a
 * terminal the lines are formatted for people; otherwise they are JSON. No secret is ever logged; the
 * redaction is a second line of defence.
 *
 * Writing a line never waits for the reader of the log ({@link BoundedOutput}), except on a terminal
 * that its user has stopped. When the process ends, also by an uncaught fault, queued lines are written
 * as far as the reader accepts them.
 */
export async function makeLog({
  logLevel,
  logFormat,
}: Pick<Settings, 'logLevel' | 'logFormat'>): Promise<ProgramLog> {
  // Reading `process.stderr` makes Node switch a pipe or a socket to non-blocking mode.
  const isPretty = logFormat === 'pretty' || (logFormat === 'auto' && process.stderr.isTTY);
  const output = new BoundedOutput(process.stderr.fd, {
    bytesMax: waitingBytesMax,
    onDropped: (lines) => log.warn({ lines }, 'log lines dropped'),
  });
  const formatLine = isPretty ? await linePrettifier() : undefined;
  const log = pino(
    {
      level: logLevel,
      base: null,
      // RFC 3339 with milliseconds.
      timestamp: () => `,"time":"${instantText(systemClock.now())}"`,
      formatters: { level: (level) => ({ level }) },
      redact: { paths: ['authorization', '*.authorization', 'key', '*.key'], censor: '…' },
    },
    { write: (line: string) => output.write(formatLine?.(line) ?? line) },
  );
  process.on('exit', () => output.end());
  return {
    log,
    dropped: () => output.dropped,
    writeLine: (line) => output.write(`${line}\n`),
    flush: () => output.flush(flushMsMax),
  };
}

/** Turns a JSON line into one for people. Loaded on demand: a service that logs JSON does not need it. */
async function linePrettifier(): Promise<(line: string) => string> {
  const { prettyFactory } = await import('pino-pretty');
  const inPretty = prettyFactory({
    // Not with NO_COLOR (https://no-color.org), nor on a terminal without colours.
    colorize: process.stderr.isTTY && process.stderr.hasColors(),
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,hostname',
  });
  // The prettifier prints texts as they are, so control characters are escaped before.
  return (line) => inPretty(printableJson(line));
}
