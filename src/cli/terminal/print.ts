import { printable, printableLines } from '../../lib/text/printable.ts';

const gone = new AbortController();

/**
 * Aborted when the program that reads standard output has ended, as `head` does. Everything printed
 * afterwards is discarded. A command that changes stored data continues. One that only reads may stop.
 */
export const readerGone: AbortSignal = gone.signal;

/** The streams whose errors are handled. Reading `process.stdout` has effects, so it waits for the first text. */
const handled = new WeakSet<NodeJS.WriteStream>();

/**
 * Writes text to standard output. All commands write through this, so that no escape sequence from
 * outside reaches a terminal. JSON remains the same JSON.
 */
export function print(text: string): void {
  write(process.stdout, printableLines(text));
}

/** As {@link print}, to standard error. */
export function printError(text: string): void {
  write(process.stderr, printableLines(text));
}

/** As {@link print}, for CSV: the line ends stay. */
export function printCsv(text: string): void {
  write(process.stdout, text.split('\r\n').map(printable).join('\r\n'));
}

function write(stream: NodeJS.WriteStream, text: string): void {
  if (!handled.has(stream)) {
    handled.add(stream);
    stream.on('error', (fault: NodeJS.ErrnoException) => onError(stream, fault));
  }
  if (stream !== process.stdout || !readerGone.aborted) stream.write(text);
}

/** Without a reader the rest is discarded. Any other fault, such as a full disk, fails the command. */
function onError(stream: NodeJS.WriteStream, fault: NodeJS.ErrnoException): void {
  if (fault.code === 'EPIPE') {
    if (stream === process.stdout) gone.abort();
    return;
  }
  process.exitCode = 1;
  if (stream === process.stdout) {
    printError(`pizarra: could not write to standard output: ${fault.message}\n`);
  }
}
