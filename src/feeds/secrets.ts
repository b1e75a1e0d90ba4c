import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { FeedFault } from './feed.ts';

/** Where a key comes from: an environment variable or a file. Never the configuration itself. */
export type SecretReference = { readonly env: string } | { readonly file: string };

/** Characters that a header field and a query can carry; no white space, no control character. */
const visibleAscii = /^[\x21-\x7E]+$/;

/** The shortest secret that is searched for in texts. A shorter one would match ordinary words. */
const redactedCharsMin = 6;

/**
 * Reads keys when a connection needs them, so that a replaced file takes effect with the next
 * connection. It remembers what it read in order to remove it from texts that are logged.
 */
export class Secrets {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #directory: string;
  readonly #known = new Set<string>();

  constructor(options: {
    readonly env: Readonly<Record<string, string | undefined>>;
    /** Relative paths start here. */
    readonly directory: string;
  }) {
    this.#env = options.env;
    this.#directory = options.directory;
  }

  /**
   * The key itself. White space around it is removed.
   *
   * @throws FeedFault `refused` when it is missing or no header can carry it. The message names the
   *   variable or the file, never the value.
   */
  read(reference: SecretReference): string {
    const place =
      'env' in reference ? `environment variable ${reference.env}` : `file ${reference.file}`;
    const value = this.#valueOf(reference)?.trim() ?? '';
    if (value === '') throw new FeedFault('refused', `the ${place} holds no key`);
    if (!visibleAscii.test(value)) {
      throw new FeedFault('refused', `the key in the ${place} has characters other than ASCII`);
    }
    this.#known.add(value);
    return value;
  }

  /** Removes a secret from texts that was not read here: a token that a source has given. */
  protect(secret: string): void {
    this.#known.add(secret);
  }

  /** A text in which every key that was read is replaced by `[secret]`. */
  redact(text: string): string {
    let redacted = text;
    for (const secret of this.#known) {
      if (secret.length < redactedCharsMin) continue;
      for (const form of new Set([secret, encodeURIComponent(secret)])) {
        redacted = redacted.replaceAll(form, '[secret]');
      }
    }
    return redacted;
  }

  #valueOf(reference: SecretReference): string | undefined {
    if ('env' in reference) return this.#env[reference.env];
    try {
      return readFileSync(resolve(this.#directory, reference.file), 'utf8');
    } catch (cause) {
      const { code = 'unknown' } = cause as NodeJS.ErrnoException;
      throw new FeedFault('refused', `the file ${reference.file} cannot be read: ${code}`);
    }
  }
}

/** The files that references name, for {@link FeedType.files}. */
export function filesOf(
  ...references: readonly (SecretReference | undefined)[]
): readonly string[] {
  return references.flatMap((one) => (one !== undefined && 'file' in one ? [one.file] : []));
}
