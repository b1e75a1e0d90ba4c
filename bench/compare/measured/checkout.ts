import { execFile } from 'node:child_process';
import { cp, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

import { msPerDay } from '../../../src/domain/calendar/plain-date.ts';
import type { Universe } from '../../../src/domain/instruments/universe.ts';
import { requireUniverse } from '../../../src/node/market/require-universe.ts';
import { makeCertificate } from '../../../test/support/program/make-certificate.ts';
import { unusedPort } from '../../../test/support/program/unused-ports.ts';
import { writeAlwaysOpenUniverse } from '../../support/always-open-universe.ts';
import { cores, PinnedProcess } from '../../support/pinned-process.ts';

const run = promisify(execFile);

/** Number of days before today that have closes: of most instruments, and of the first ones. */
const days = 365;
const longDays = 7_300;
const longInstruments = 3;

/** The most open streams and connections of a measured service. */
const streamsMax = '20000';

/**
 * How a service is reached. A store has one service, so each carrier has a start of its own. `proxy` is HTTP from a
 * proxy of the operator.
 */
export const carriers = ['http', 'tls', 'proxy'] as const;

export type Carrier = (typeof carriers)[number];

/** A server that answers the requests of the contract. Disposing it stops it. */
export interface Server extends AsyncDisposable {
  readonly pid: number;
  readonly url: string;
  readonly key: string;
}

/** A running service. */
export interface Service extends Server {
  readonly privateUrl: string;
  readonly keys: { readonly read: string; readonly ingest: string };
}

/** What all sides of a comparison share. */
export interface Setting {
  readonly scratch: string;
  readonly universeFolder: string;
  readonly universe: Universe;
  /** The instruments with twenty years of closes. The others have one. */
  readonly longTickers: readonly string[];
  readonly certificate: { readonly cert: string; readonly key: string };
}

/** Writes the universe, with all markets open, and a certificate. */
export async function makeSetting(scratch: string): Promise<Setting> {
  const universeFolder = join(scratch, 'universe');
  await writeAlwaysOpenUniverse(universeFolder);
  const pair = makeCertificate();
  if (pair === undefined) throw new Error('openssl is not installed. The bench needs it.');
  const certificate = { cert: join(scratch, 'cert.pem'), key: join(scratch, 'key.pem') };
  await writeFile(certificate.cert, pair.cert);
  await writeFile(certificate.key, pair.key);
  const universe = await requireUniverse(universeFolder);
  const longTickers = universe.instruments.slice(0, longInstruments).map(({ ticker }) => ticker);
  return { scratch, universeFolder, universe, longTickers, certificate };
}

/** A checkout of the project, with data that its own commands have prepared. */
export class Checkout {
  readonly name: string;
  readonly #folder: string;
  readonly #setting: Setting;
  readonly #data: string;
  readonly #keys: Service['keys'];

  private constructor(folder: string, setting: Setting, keys: Service['keys']) {
    this.name = basename(folder);
    this.#folder = folder;
    this.#setting = setting;
    this.#data = dataOf(folder, setting);
    this.#keys = keys;
  }

  /** Imports a year of closes of every instrument, and creates the keys. */
  static async prepare(folder: string, setting: Setting): Promise<Checkout> {
    const { scratch, universeFolder } = setting;
    const pizarra = join(folder, 'bin/pizarra');
    const place = ['--store', dataOf(folder, setting)];
    const file = join(scratch, 'closes.csv');
    await writeFile(file, closesText(setting));
    await run(pizarra, ['import', file, ...place, '--universe', universeFolder]);
    const create = async (scope: 'read' | 'ingest'): Promise<string> => {
      const args = ['keys', 'create', '--name', scope, '--scope', scope, '--key-only', ...place];
      return (await run(pizarra, args)).stdout.trim();
    };
    const keys = { read: await create('read'), ingest: await create('ingest') };
    return new Checkout(folder, setting, keys);
  }

  /** Starts the service on a copy of the data. */
  async start(carrier: Carrier, more: readonly string[] = []): Promise<Service> {
    const { scratch, universeFolder, certificate } = this.#setting;
    await using cleanUp = new AsyncDisposableStack();
    const data = join(scratch, `running-${this.name}`);
    await cp(this.#data, data, { recursive: true });
    cleanUp.defer(() => rm(data, { recursive: true }));
    const [port, privatePort] = [await unusedPort(), await unusedPort()];
    const flags = {
      store: data,
      universe: universeFolder,
      port: String(port),
      'private-port': String(privatePort),
      'log-level': 'warn',
      'streams-per-key-max': streamsMax,
      'streams-max': streamsMax,
      'connections-per-address-max': streamsMax,
      'connections-max': streamsMax,
      ...(carrier === 'tls' && { 'tls-cert': certificate.cert, 'tls-key': certificate.key }),
      ...(carrier === 'proxy' && { 'behind-proxy': '127.0.0.1' }),
    };
    const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
    const program = cleanUp.use(
      new PinnedProcess({
        core: cores.server,
        command: join(this.#folder, 'bin/pizarra'),
        args: ['serve', ...args, ...more],
      }),
    );
    await program.listens(port);
    const running = cleanUp.move();
    return {
      pid: program.pid,
      url: `${carrier === 'tls' ? 'https' : 'http'}://127.0.0.1:${port}`,
      privateUrl: `http://127.0.0.1:${privatePort}`,
      key: this.#keys.read,
      keys: this.#keys,
      [Symbol.asyncDispose]: () => running.disposeAsync(),
    };
  }
}

function dataOf(folder: string, { scratch }: Setting): string {
  return join(scratch, `data-${basename(folder)}`);
}

function closesText({ universe, longTickers }: Setting): string {
  const yesterday = Date.now() - msPerDay;
  const lines = universe.instruments.flatMap(({ ticker }, at) =>
    Array.from({ length: longTickers.includes(ticker) ? longDays : days }, (_, back) => {
      const date = new Date(yesterday - back * msPerDay);
      const isWeekend = date.getUTCDay() % 6 === 0;
      const close = (100 + at + (back % 7)).toFixed(2);
      return isWeekend ? '' : `${ticker},${date.toISOString().slice(0, 10)},${close}\n`;
    }),
  );
  return `ticker,date,close\n${lines.join('')}`;
}
