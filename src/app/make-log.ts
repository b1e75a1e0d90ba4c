import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import { build as pretty } from 'pino-pretty';
import { printableJson } from '../lib/printable.ts';
import type { Settings } from './settings.ts';

/**
 * The program's log, on standard error, so that standard output carries only what a command gives.
 * Lines for people on a terminal, JSON elsewhere. Nothing that opens a door is ever handed to it;
 * the redaction is the second net below.
 */
export function makeLog({ logLevel, logFormat }: Pick<Settings, 'logLevel' | 'logFormat'>): Logger {
  const isPretty = logFormat === 'pretty' || (logFormat === 'auto' && process.stderr.isTTY);
  const options = {
    level: logLevel,
    base: null,
    redact: { paths: ['authorization', '*.authorization', 'key', '*.key'], censor: '…' },
  };
  // Written at once: a line about a crash must not be lost in a buffer.
  return pino(options, isPretty ? prettyDestination() : pino.destination({ fd: 2, sync: true }));
}

/** Lines for people. The prettifier prints texts as they are, so they are made printable before. */
function prettyDestination(): DestinationStream {
  const stream = pretty({
    destination: 2,
    sync: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,hostname',
  });
  return { write: (line) => void stream.write(printableJson(line)) };
}
