import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import type { KeyRing } from '../../auth/key-ring.ts';
import type { ApiKeyRecord } from '../../domain/api-key.ts';
import type { Parsed } from '../../domain/problem.ts';
import type { AddressRanges } from '../../lib/address-ranges.ts';
import type { Clock } from '../../lib/clock.ts';
import { errorAnswer, problemAnswer } from '../../wire/error-texts.ts';
import type { ErrorAnswer } from '../../wire/error-texts.ts';
import { jsonType } from '../answer.ts';
import type { AccessLine } from '../access-log.ts';
import { presentedKey } from '../auth-hook.ts';
import { validatorHeaders } from '../body.ts';
import type { BodyParts, Rendition } from '../body.ts';
import { choose } from '../content.ts';
import type { Content, ContentSource, Wishes } from '../content.ts';
import { corsHeaders } from '../cors-hook.ts';
import { clientAddress, wordOfProxy } from '../forwarded-hook.ts';
import { headLines } from '../head-lines.ts';
import type { HttpObserver } from '../http-observer.ts';
import { wantedCodings, wantedFormat } from '../negotiation.ts';
import type { BodyFormat } from '../negotiation.ts';
import type { RateLimits } from '../rate-limits.ts';
import { pathOf, queryOf } from '../request-target.ts';
import { transportSecurity } from '../transport-security.ts';
import { readPlainGet } from './request-head.ts';

/** What the short way works with. */
export interface FastPathParts {
  readonly sources: readonly ContentSource[];
  readonly basePath: string;
  readonly keyRing: KeyRing;
  readonly clock: Clock;
  readonly rateLimits?: RateLimits | undefined;
  readonly observer?: HttpObserver | undefined;
  /** Writes the line of an answer that refuses something. */
  readonly logRefusal: (line: AccessLine) => void;
  /** The headers of every answer. */
  readonly standingHeaders: Readonly<Record<string, string>>;
  readonly corsOrigins: ReadonlySet<string>;
  readonly proxies?: AddressRanges | undefined;
  readonly isTls: boolean;
  /** How long clients are told that a connection waits for their next request. */
  readonly keepAliveTimeoutMs: number;
  readonly isDraining: () => boolean;
}

/** A request that the short way can answer, as it was understood. */
export interface FastRequest extends Wishes {
  readonly connection: Socket;
  readonly source: ContentSource;
  readonly route: string;
  readonly rawQuery: string;
  readonly format: BodyFormat;
  /** The key that it presents. */
  readonly presented: string;
  /** Lines of its answer that depend on nothing else. */
  readonly lines: string;
  readonly remote: string;
}

/** An answer, ready to be written. */
export interface FastAnswer {
  readonly status: number;
  /** From the status line to the empty line. */
  readonly head: string;
  readonly parts: BodyParts;
  readonly keyId: string;
  readonly isLogged: boolean;
}

/**
 * The short way from a request to its answer, for what is asked for again and again: a plain GET, with
 * a valid key, of a path whose answers are contents. The web framework and Node's HTTP server take
 * twice the processor time of all that is left when they are not there.
 *
 * Nothing is answered otherwise here than there, and what differs is not begun: whatever is not plain
 * goes the framework's way, whole and from its first byte. So there is one place for every rule, and
 * both ways use it.
 */
export class FastPath {
  readonly #parts: FastPathParts;
  readonly #sources: ReadonlyMap<string, ContentSource>;
  readonly #standingLines: string;
  #dateSecond = 0;
  #dateLine = '';

  constructor(parts: FastPathParts) {
    this.#parts = parts;
    this.#sources = new Map(parts.sources.map((one) => [parts.basePath + one.path, one]));
    const standing = {
      ...parts.standingHeaders,
      // As Node says it.
      connection: 'keep-alive',
      'keep-alive': `timeout=${Math.floor(parts.keepAliveTimeoutMs / 1_000)}`,
    };
    this.#standingLines = headLines(Object.entries(standing).flat());
  }

  /** Understands the bytes of one request; undefined when they are not for this way. */
  understand(text: string, connection: Socket): FastRequest | undefined {
    const plain = readPlainGet(text);
    if (plain === undefined) return undefined;
    const { target, headers } = plain;
    const route = pathOf(target);
    const source = this.#sources.get(route);
    const presented = presentedKey(headers['authorization']);
    if (source === undefined || presented === undefined) return undefined;
    return {
      connection,
      source,
      route,
      presented,
      rawQuery: queryOf(target),
      format: wantedFormat(headers['accept']),
      codings: wantedCodings(headers['accept-encoding']),
      ifNoneMatch: headers['if-none-match'],
      ifModifiedSince: headers['if-modified-since'],
      ...this.#surroundings(headers, connection.remoteAddress ?? ''),
    };
  }

  /**
   * Answers a request. Undefined when that is for the framework: a key that does not hold is, and all
   * is while the server drains. A promise where something has to be read or made first; it rejects
   * when that fails, and then the framework may try.
   */
  answer(request: FastRequest): FastAnswer | Promise<FastAnswer> | undefined {
    const { keyRing, clock, rateLimits, isDraining } = this.#parts;
    const now = clock.now();
    const verdict = keyRing.authenticate(request.presented, now, 'read', request.connection);
    if (!verdict.ok || isDraining()) return undefined;
    const admission = rateLimits?.admitKey(verdict.key, now);
    const lines =
      admission === undefined ? request.lines : request.lines + headLines(admission.headers);
    const to = { request, lines, key: verdict.key, now };
    if (admission?.refusal !== undefined) {
      const { body, isLogged } = admission.refusal;
      const own = { lines: headLines(body.headers), parts: [body.bytes] };
      return { ...this.#answer(to, 429, own), isLogged };
    }
    const found = request.source.find(request.rawQuery, request.format);
    return found instanceof Promise
      ? found.then((later) => this.#answerFound(to, later))
      : this.#answerFound(to, found);
  }

  /** An answer is on its way. */
  note(request: FastRequest, answer: FastAnswer, seconds: number): void {
    const { observer, logRefusal } = this.#parts;
    const { status, keyId } = answer;
    const { route, remote } = request;
    observer?.answered({ route, method: 'GET', status, seconds });
    if (status >= 400 && answer.isLogged) {
      logRefusal({ keyId, remote, method: 'GET', path: route, status, ms: seconds * 1_000 });
    }
  }

  #surroundings(
    headers: Readonly<Record<string, string>>,
    connected: string,
  ): Pick<FastRequest, 'lines' | 'remote'> {
    const { corsOrigins, proxies, isTls } = this.#parts;
    let lines = this.#standingLines;
    if (corsOrigins.size > 0) lines += headLines(corsHeaders(corsOrigins, headers['origin']));
    const isProxied = proxies?.has(connected) ?? false;
    if (proxies === undefined || !isProxied) return { lines, remote: connected };
    const word = wordOfProxy(headers);
    if (!isTls && word.protocol === 'https') {
      lines += headLines(Object.entries(transportSecurity).flat());
    }
    return { lines, remote: clientAddress(connected, word, proxies) };
  }

  #answerFound(to: Addressee, found: Parsed<Content>): FastAnswer | Promise<FastAnswer> {
    if (!found.ok) return this.#answerError(to, problemAnswer(found.problem));
    const content = found.value;
    const choice = choose(content, to.request);
    switch (choice.is) {
      case 'whole':
        return this.#answerWhole(to, choice.rendition, content);
      case 'unchanged': {
        const own = headLines(validatorHeaders(choice.etag)) + headLines(content.headers);
        return this.#answer(to, 304, { lines: own, parts: [] });
      }
      case 'to-make':
        return content.body
          .make(choice.coding)
          .then((rendition) => this.#answerWhole(to, rendition, content));
      case 'unacceptable':
        return this.#answerError(to, errorAnswer('coding-unacceptable'));
    }
  }

  #answerWhole(to: Addressee, rendition: Rendition, content: Content): FastAnswer {
    const lines = rendition.headLines + headLines(content.headers);
    return this.#answer(to, 200, { lines, parts: rendition.parts });
  }

  #answerError(to: Addressee, { status, body }: ErrorAnswer): FastAnswer {
    const bytes = Buffer.from(body);
    const headers = ['content-type', jsonType, 'content-length', String(bytes.length)];
    return this.#answer(to, status, { lines: headLines(headers), parts: [bytes] });
  }

  #answer(
    to: Addressee,
    status: number,
    own: { readonly lines: string; readonly parts: BodyParts },
  ): FastAnswer {
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${to.lines}${own.lines}${this.#date(to.now)}\r\n`;
    return { status, head, parts: own.parts, keyId: to.key.id, isLogged: true };
  }

  #date(now: number): string {
    const second = Math.floor(now / 1_000);
    if (second !== this.#dateSecond) {
      this.#dateSecond = second;
      this.#dateLine = headLines(['date', new Date(now).toUTCString()]);
    }
    return this.#dateLine;
  }
}

/** Whom an answer goes to, and what it says of that. */
interface Addressee {
  readonly request: FastRequest;
  readonly lines: string;
  readonly key: ApiKeyRecord;
  readonly now: number;
}
