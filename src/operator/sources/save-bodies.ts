import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConfiguredFeed } from '../../feeds/contract/feed-config.ts';
import type { FeedConfig } from '../../feeds/contract/feed-type.ts';
import type { Secrets } from '../../feeds/contract/secrets.ts';
import { makeDirectory } from '../../lib/files/make-directory.ts';
import { OperatorFault, UsageFault } from '../../lib/reports/operator-fault.ts';
import { programVersion } from '../../node/program-version.ts';
import type { ExchangeRecord, SourceRecord } from './exchange-record.ts';
import { shownUrl } from './shown-url.ts';
import type { SourceCheck } from './judge-source.ts';

/** The file that says what each saved body is. */
export const savedIndexName = 'sources.json';

/** One request or connection of a saved check, as the index describes it. */
export interface SavedExchange {
  readonly kind: 'request' | 'socket';
  readonly method: string;
  /** Without a query value of the configuration. */
  readonly url: string;
  readonly body?: string | undefined;
  /** Absent without a response. */
  readonly status?: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Messages that were sent over a WebSocket. */
  readonly sent?: readonly string[] | undefined;
  /** The file with the body, or with the messages of a WebSocket, each as a JSON string on a line of its own. */
  readonly file?: string | undefined;
  /** Whether the body, or the connection, ended before its end. */
  readonly isCut: boolean;
}

/** The result of a check, with all that was observed. */
export interface CheckedSource {
  readonly feed: ConfiguredFeed;
  readonly check: SourceCheck;
  readonly record: SourceRecord;
}

/** The content of the index. */
export interface SavedIndex {
  readonly pizarra: string;
  readonly savedAt: string;
  readonly sources: readonly {
    readonly name: string;
    readonly type: string;
    readonly check: SourceCheck;
    readonly exchanges: readonly SavedExchange[];
  }[];
}

/** Readable by the owner alone: the data may be under terms that forbid to publish them. */
const [directoryMode, fileMode] = [0o700, 0o600];

/** @throws UsageFault when a directory exists and is not empty, so that two checks are not mixed. */
export function requireEmpty(directory: string): void {
  const names = whenSaving(directory, () => {
    makeDirectory(directory, directoryMode);
    return readdirSync(directory);
  });
  if (names.length > 0) {
    throw new UsageFault(
      `${directory} is not empty. Name a new directory, so that the bodies of two checks are not mixed.`,
    );
  }
}

/**
 * Saves the bodies of a check and an index of them, without keys, tokens and values of configured queries.
 * Headers that the program sent, and cookies, are not part of it.
 *
 * @throws OperatorFault when a file cannot be written.
 */
export function saveBodies(
  directory: string,
  checked: readonly CheckedSource[],
  { secrets, at }: { readonly secrets: Secrets; readonly at: number },
): void {
  const clean = (text: string): string => secrets.redact(text, { short: true });
  whenSaving(directory, () => {
    const sources = checked.map(({ feed: { config }, check, record }) => {
      const folder = join(directory, config.name);
      makeDirectory(folder, directoryMode);
      const exchanges = record.exchanges.map((one, index) =>
        saveExchange(one, { directory, config, number: index + 1, clean }),
      );
      return { name: config.name, type: config.type, check, exchanges };
    });
    const savedAt = new Date(at).toISOString();
    const index: SavedIndex = { pizarra: programVersion(), savedAt, sources };
    write(join(directory, savedIndexName), `${JSON.stringify(index, undefined, 2)}\n`);
  });
}

function saveExchange(
  { request, status, headers, bodies, sentMessages, failure }: ExchangeRecord,
  {
    directory,
    config,
    number,
    clean,
  }: {
    readonly directory: string;
    readonly config: FeedConfig;
    readonly number: number;
    readonly clean: (text: string) => string;
  },
): SavedExchange {
  const { kind, method, url, body } = request;
  const shown = clean(shownUrl(url, config));
  const isSocket = kind === 'socket';
  const type = isSocket ? 'messages' : headers['content-type'];
  const file = bodies.length === 0 ? undefined : join(config.name, fileName(number, shown, type));
  if (file !== undefined) {
    const text = isSocket
      ? bodies.map((one) => `${JSON.stringify(clean(one))}\n`).join('')
      : clean(bodies.join(''));
    write(join(directory, file), text);
  }
  return {
    kind,
    method,
    url: shown,
    body: body === undefined ? undefined : clean(body),
    status,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, clean(value)]),
    ),
    sent: isSocket ? sentMessages.map(clean) : undefined,
    file,
    isCut: failure?.at === 'body',
  };
}

/** Maximum length of the part of a file name that is taken from the path of the request. */
const slugCharsMax = 60;

function fileName(number: number, shownAddress: string, type = ''): string {
  const [path = ''] = shownAddress.replace(/^\w+:\/\/[^/]*/, '').split('?');
  const slug = path.replaceAll(/[^A-Za-z0-9.]+/g, '-').replaceAll(/^[-.]+|[-.]+$/g, '');
  const name = slug.slice(-slugCharsMax).replace(/^[-.]+/, '');
  const prefix = String(number).padStart(3, '0');
  return `${prefix}${name === '' ? '' : `-${name}`}.${extensionOf(type)}`;
}

function extensionOf(type: string): string {
  if (type === 'messages') return 'messages';
  return /json|html|csv|xml/.exec(type)?.[0] ?? 'txt';
}

function write(path: string, text: string): void {
  writeFileSync(path, text, { mode: fileMode, flag: 'wx' });
}

function whenSaving<T>(directory: string, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === undefined) throw cause;
    throw new OperatorFault(
      `Cannot save to ${directory}: ${code}. Check that it is a directory of this user, and that the disk has space.`,
      { cause },
    );
  }
}
