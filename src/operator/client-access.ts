import { readFile } from 'node:fs/promises';
import { isWellFormedKey } from '../auth/api-key.ts';
import { isLoopbackHost } from '../lib/network/url-host.ts';
import { UsageFault } from '../lib/reports/operator-fault.ts';

/**
 * Checks the address of a running service that is read with a key. The key crosses a network only within TLS
 * (contract 5.3).
 *
 * @param name how the operator names the address: `--url`.
 * @throws UsageFault
 */
export function checkServiceUrl(text: string, name: string): void {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '') {
    throw new UsageFault(
      `${name} cannot be ${JSON.stringify(text)}. Valid: the address of the public listener, such as https://quotes.example.com.`,
    );
  }
  if (url.protocol === 'https:' || isLoopbackHost(url.hostname)) return;
  throw new UsageFault(
    `${name} cannot be ${JSON.stringify(text)}: plain HTTP would expose the key on the network. Use https://.`,
  );
}

/** Where the key of a client comes from. It is never an argument, which all users of a machine can see. */
export interface ClientKeySource {
  /** A file with the key. It has precedence over `key`. */
  readonly keyFile: string | undefined;
  /** The value of PIZARRA_KEY. */
  readonly key: string | undefined;
  /** Asks a person for the key. Absent without one. */
  readonly ask?: (() => Promise<string>) | undefined;
  /** How to create a key, for a message: `pizarra keys create --name agent`. */
  readonly create: string;
}

/**
 * Reads the key of a client.
 *
 * @throws UsageFault without a well-formed key with the scope read.
 */
export async function readClientKey(source: ClientKeySource): Promise<string> {
  const { keyFile, key, ask, create } = source;
  const isAsked = keyFile === undefined && key === undefined && ask !== undefined;
  const given = (
    keyFile !== undefined ? await readKeyFile(keyFile) : isAsked ? await ask() : key
  )?.trim();
  const origin =
    keyFile !== undefined ? `The file ${keyFile}` : isAsked ? 'The input' : 'PIZARRA_KEY';
  if (given === undefined || given === '') {
    throw new UsageFault(
      `${origin} has no key. Create one with "${create}", and set PIZARRA_KEY or --key-file.`,
    );
  }
  if (isWellFormedKey(given, 'header')) return given;
  throw new UsageFault(`${origin} has no valid key. A key of the scope read begins with pz_.`);
}

async function readKeyFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (fault) {
    const reason = fault instanceof Error ? fault.message : String(fault);
    throw new UsageFault(`The key file cannot be read: ${reason}.`, { cause: fault });
  }
}
