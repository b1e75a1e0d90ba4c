/** One operation of a program on its files. */
export type FileOperation =
  | { readonly type: 'create' | 'remove' | 'sync'; readonly path: string }
  | { readonly type: 'write'; readonly path: string; readonly at: number; readonly bytes: Buffer }
  | { readonly type: 'truncate'; readonly path: string; readonly size: number }
  /** The program printed on its standard output what is durable. */
  | { readonly type: 'said'; readonly text: string };

/** The arguments of strace for a trace that {@link readTrace} can parse. */
export const straceArguments: readonly string[] = [
  '-f',
  '-y',
  '-xx',
  '-s',
  '1000000',
  '-e',
  'trace=openat,write,pwrite64,pwritev,pwritev2,ftruncate,fallocate,fsync,fdatasync,unlink,unlinkat,rename,renameat,renameat2',
];

/** Calls that SQLite is not expected to make. A trace with one of them cannot be replayed. */
const unexpected = /^(pwritev2?|fallocate|unlinkat|rename(at2?)?)$/;

const callPattern = /^(\d+) +(\w+)\((.*)\) += (-?\d+)/;
const filePattern = /^\d+<([^>]*)>(?:, (.*))?$/;
const stringPattern = /"((?:\\x[0-9a-f]{2})*)"/;

/**
 * Parses a trace of strace: the operations on the files below a directory, and the standard output. A call
 * that another thread interrupts has two lines, which are joined at the place of the second one.
 */
export function readTrace(text: string, directory: string): readonly FileOperation[] {
  const operations: FileOperation[] = [];
  const unfinished = new Map<string, string>();
  for (const line of text.split('\n')) {
    const thread = line.slice(0, line.indexOf(' '));
    if (line.endsWith('<unfinished ...>')) {
      unfinished.set(thread, line.slice(0, -'<unfinished ...>'.length).trimEnd());
      continue;
    }
    const resumed = /^\d+ +<\.\.\. \w+ resumed>(.*)$/.exec(line);
    const whole = resumed === null ? line : (unfinished.get(thread) ?? '') + (resumed[1] ?? '');
    const [, , name = '', args = '', result = '-1'] = callPattern.exec(whole) ?? [];
    if (name === '' || Number(result) < 0) continue;
    const operation = toOperation({ name, args, result: Number(result) });
    if (operation === undefined) continue;
    if (operation.type === 'said' || operation.path.startsWith(directory)) {
      if (unexpected.test(name)) throw new Error(`a trace with ${name} cannot be replayed`);
      operations.push(operation);
    }
  }
  return operations;
}

interface Call {
  readonly name: string;
  readonly args: string;
  readonly result: number;
}

function toOperation({ name, args, result }: Call): FileOperation | undefined {
  const path = textOf(args);
  if (name === 'openat') {
    return args.includes('O_CREAT') ? { type: 'create', path } : undefined;
  }
  if (name === 'unlink') return { type: 'remove', path };
  const [, hexPath = '', rest = ''] = filePattern.exec(args) ?? [];
  const file = decode(hexPath).toString();
  switch (name) {
    case 'write':
      if (args.startsWith('1<')) return { type: 'said', text: textOf(rest) };
      // Only an append is written without an offset, and the program does not append.
      return file === '' ? undefined : { type: 'sync', path: '' };
    case 'pwrite64': {
      const bytes = decode(stringPattern.exec(rest)?.[1] ?? '').subarray(0, result);
      return { type: 'write', path: file, at: Number(/(\d+)$/.exec(rest)?.[1]), bytes };
    }
    case 'ftruncate':
      return { type: 'truncate', path: file, size: Number(rest) };
    default:
      // A sync of an unexpected file has its path, so that the replay can refuse it.
      return { type: 'sync', path: file === '' ? path : file };
  }
}

function textOf(args: string): string {
  return decode(stringPattern.exec(args)?.[1] ?? '').toString();
}

function decode(escaped: string): Buffer {
  return Buffer.from(escaped.replaceAll('\\x', ''), 'hex');
}
