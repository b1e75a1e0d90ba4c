import type { KeyRing } from '../../auth/key-ring.ts';
import type { ApiKeyRecord } from '../../domain/access/api-key.ts';
import type { Log } from '../../lib/reports/log.ts';
import { decodedPath } from '../handler/target.ts';
import type { HeadReading, Visit } from '../handler/visit.ts';
import { presentedKey } from './presented-key.ts';

/** One line for a key and a place within this time, in milliseconds: a client repeats its mistake. */
const quietMs = 3_600_000;

const keyShaped = /pzc?_[0-9A-Za-z]{36}(?![0-9A-Za-z])/g;

/** Maximum number of texts of a target that are looked up. */
const textsMax = 4;

/** What the log says of a key in a wrong place. */
const messages = {
  inUrl: 'API key sent in a URL, where others can read it: replace it with "pizarra keys rotate"',
  inHeader: 'key for URLs sent in the header Authorization: it is valid only in the path of a URL',
  elsewhere: 'key for URLs sent elsewhere in a URL than after /clave/, where it is not valid',
  off: 'key for URLs refused: the setting urlKeys is off',
} as const;

/**
 * Logs the id of a good key that a request carries in a wrong place. Only the operator can find out whose
 * mistake it is, because the response says nothing. A key in a URL stands in logs and histories that nobody
 * knows, so it has to be replaced.
 *
 * A key has a line for each kind of mistake within {@link quietMs}, so that no client can fill a disk.
 */
export class MisplacedKeys {
  readonly #keyRing: KeyRing;
  readonly #log: Log;
  /** By key and mistake: when it was last logged. Only keys that exist are stored. */
  readonly #logged = new Map<string, number>();

  constructor({ keyRing, log }: { readonly keyRing: KeyRing; readonly log: Log }) {
    this.#keyRing = keyRing;
    this.#log = log;
  }

  /** Reports the keys of a request that was refused, or whose path does not exist. */
  report({ request, reading, now, key: admitted }: Visit): void {
    // A key that admitted the request from the header is in its place.
    const inHeader = admitted === undefined ? presentedKey(request) : undefined;
    const header = inHeader === undefined ? undefined : this.#keyRing.identify(inHeader, now);
    if (header?.scope === 'url') this.#note('inHeader', header, reading.remote, now);
    const texts = decodedPath(request.target).match(keyShaped) ?? [];
    for (const text of texts.slice(0, textsMax)) {
      const key = this.#keyRing.identify(text, now);
      if (key === undefined) continue;
      const mistake = key.scope === 'url' ? misplacement(text, reading) : 'inUrl';
      if (mistake !== undefined) this.#note(mistake, key, reading.remote, now);
    }
  }

  #note(mistake: keyof typeof messages, { id }: ApiKeyRecord, remote: string, now: number): void {
    const name = `${mistake} ${id}`;
    const last = this.#logged.get(name);
    if (last !== undefined && now - last < quietMs) return;
    this.#logged.set(name, now);
    this.#log.warn({ keyId: id, remote }, messages[mistake]);
  }
}

/** What is wrong with the place of a key for URLs; undefined in its own place. */
function misplacement(
  text: string,
  { hasKeyPrefix, urlKey }: HeadReading,
): 'elsewhere' | 'off' | undefined {
  if (text === urlKey) return undefined;
  return hasKeyPrefix && urlKey === undefined ? 'off' : 'elsewhere';
}
