import { pino } from 'pino';
import type { Logger } from 'pino';
import { BoundedOutput } from '../../lib/bounded-output.ts';
import { systemClock } from '../../lib/clock.ts';
import { instantText } from '../../lib/instant-text.ts';
import { printableJson } from '../../lib/printable.ts';
import type { Settings } from '../settings/settings.ts';

/** Maximum size of log lines that wait for their reader, in bytes. Further lines are dropped. */
const waitingBytesMax = 2 ** 20;

/** Maximum time to write the last lines when the program ends, in milliseconds. */
const flushMsMax = 1_000;

/** The log of the program. */
export interface ProgramLog {
  readonly log: Logger;
  /** Lines that were dropped because nobody read the log. */
  readonly dropped: () => number;
  /** Writes a line as it is: the lines of a worker process come ready. */
  readonly writeLine: (line: string) => void;
  /** Waits until the last lines are written, for a second at most. */
  readonly flush: () => Promise<void>;
}

/**
 * The program's log, on standard error, so that standard output carries only what a command gives.
 * Lines for people on a terminal, JSON elsewhere. No secret is ever passed to it; the redaction is a
 * second net.
 *
 * Writing a line never waits for the reader of the log ({@link BoundedOutput}), except on a terminal
 * that its user has stopped. Lines that are queued when the process ends, by an uncaught fault too, are
 * written as far as the reader takes them.
 */
export async function makeLog({
  logLevel,
  logFormat,
}: Pick<Settings, 'logLevel' | 'logFormat'>): Promise<ProgramLog> {
  // As a side effect Node puts a pipe or a socket into non-blocking mode here.
  const isPretty = logFormat === 'pretty' || (logFormat === 'auto' && process.stderr.isTTY);
  const output = new BoundedOutput(process.stderr.fd, {
    bytesMax: waitingBytesMax,
    onDropped: (lines) => log.warn({ lines }, 'log lines dropped, because nobody read them'),
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
    colorize: process.stderr.isTTY,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,hostname',
  });
  // The prettifier prints texts as they are, so control characters are escaped before.
  return (line) => inPretty(printableJson(line));
}
