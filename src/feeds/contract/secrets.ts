import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { FeedFault } from './feed.ts';

/** Where a key comes from: an environment variable or a file. Never the configuration itself. */
export type SecretReference = { readonly env: string } | { readonly file: string };

/** Characters that a header field and a query can carry; no white space, no control character. */
const visibleAscii = /^[\x21-\x7E]+$/;

/**
 * The shortest secret that is searched for in texts that are logged. A shorter one would match ordinary
 * words.
 */
const redactedCharsMin = 6;

/**
 * Reads keys when a connection needs them, so that a replaced file takes effect with the next
 * connection. It remembers what it read in order to remove it from texts that are logged.
 */
export class Secrets {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #directory: string;
  readonly #known = new Set<string>();
  readonly #forms = new Map<string, SecretForms>();

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

  /**
   * A text in which every key that was read is replaced by `[secret]`, as is the beginning of a key at the end of
   * a text that was shortened.
   *
   * @param options.short whether short keys are replaced too, at the risk of replacing ordinary words.
   */
  redact(text: string, { short = false }: { readonly short?: boolean } = {}): string {
    let redacted = text;
    // A key that is a part of another one would leave the rest of it.
    for (const secret of [...this.#known].sort((a, b) => b.length - a.length)) {
      if (secret.length < redactedCharsMin && !short) continue;
      const forms = this.#forms.getOrInsertComputed(secret, () => new SecretForms(secret));
      redacted = forms.remove(redacted);
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

/** The shortest beginning of a key that is removed from the end of a text. */
const beginningCharsMin = 4;

/** The longest form of one character, with some backslashes of JSON within JSON. */
const formCharsMax = 16;

/** The end of a text that was shortened or cut, perhaps within an escape. */
const cutEnd = /(?:\\+(?:u[\da-f]{0,3})?|%[\da-f]{0,3}|&#?\w{0,5})?…?$/i;

/** The forms in which texts may have a key. */
class SecretForms {
  readonly #whole: RegExp;
  /** Each character of the key, for the position where the match before it ended. */
  readonly #characters: readonly RegExp[];

  constructor(secret: string) {
    const characters = Array.from(secret, formsOfCharacter);
    const encoded = [Buffer.from(secret).toString('base64'), encodeURIComponent(secret)];
    const forms = [characters.join(''), ...encoded.map((one) => Array.from(one, literal).join(''))];
    this.#whole = new RegExp(forms.join('|'), 'gu');
    this.#characters = characters.map((one) => new RegExp(one, 'uy'));
  }

  remove(text: string): string {
    const rest = text.replaceAll(this.#whole, '[secret]');
    const start = this.#startOfBeginning(rest);
    if (start === undefined) return rest;
    return `${rest.slice(0, start)}[secret]${rest.endsWith('…') ? '…' : ''}`;
  }

  /** Where the text ends with a beginning of the key. */
  #startOfBeginning(text: string): number | undefined {
    const end = cutEnd.exec(text)?.index ?? text.length;
    const whole = text.slice(0, end);
    const earliest = Math.max(end - this.#characters.length * formCharsMax, 0);
    for (let start = earliest; start <= end - beginningCharsMin; start += 1) {
      if (this.#isBeginning(whole, start)) return start;
    }
    return undefined;
  }

  #isBeginning(text: string, start: number): boolean {
    let position = start;
    for (const [index, character] of this.#characters.entries()) {
      if (position === text.length) return index >= beginningCharsMin;
      character.lastIndex = position;
      if (!character.test(text)) return false;
      position = character.lastIndex;
    }
    return false;
  }
}

function literal(character: string): string {
  return String.raw`\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Entities of HTML, beside the numeric ones. */
const entities: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

/**
 * A regular expression for a character of a key as it is, and as JSON, URLs and HTML write it. JSON within
 * JSON has several backslashes.
 */
function formsOfCharacter(character: string): string {
  if (/[A-Za-z0-9]/.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16).padStart(2, '0');
  const anyCase = hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  const entity = entities[character];
  const forms = [
    character === '\\' ? String.raw`\\+` : String.raw`\\*\u{${hex}}`,
    String.raw`\\+u00${anyCase}`,
    `%(?:25)?${anyCase}`,
    `&#(?:0*${code}|[xX]0*${anyCase});`,
    ...(entity === undefined ? [] : [`&${entity};`]),
  ];
  return `(?:${forms.join('|')})`;
}

/** The files that references name, for {@link FeedType.files}. */
export function filesOf(
  ...references: readonly (SecretReference | undefined)[]
): readonly string[] {
  return references.flatMap((one) => (one !== undefined && 'file' in one ? [one.file] : []));
}
