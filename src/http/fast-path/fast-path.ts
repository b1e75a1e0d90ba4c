import type { Socket } from 'node:net';

import type { KeyRing } from '../../auth/key-ring.ts';
import type { Parsed } from '../../domain/problem.ts';
import type { AddressRanges } from '../../lib/address-ranges.ts';
import type { Clock } from '../../lib/clock.ts';
import { errorAnswer, problemAnswer } from '../../wire/error-texts.ts';
import type { ErrorAnswer } from '../../wire/error-texts.ts';
import { errorBody } from '../answer.ts';
import type { AccessLine } from '../access-log.ts';
import { presentedKey } from '../auth-hook.ts';
import { contentVary } from '../body.ts';
import type { BodyParts, Rendition } from '../body.ts';
import { choose } from '../content.ts';
import type { Content, ContentSource } from '../content.ts';
import { corsHeaders, corsVary } from '../cors-hook.ts';
import type { RequestFailure } from '../request-failure.ts';
import { clientAddress, wordOfProxy } from '../forwarded-hook.ts';
import { headLines, statusLine } from '../head-lines.ts';
import type { HttpObserver } from '../http-observer.ts';
import { wantedFormat } from '../negotiation.ts';
import type { BodyFormat } from '../negotiation.ts';
import { mayCarryKey } from '../plain-http-hook.ts';
import type { RateLimits } from '../rate-limits.ts';
import { pathOf, queryOf } from '../request-target.ts';
import { queueClient, saturatedBody, saturatedStatus } from '../saturation.ts';
import { transportSecurity } from '../transport-security.ts';
import { varyOn } from '../vary.ts';
import { readWishes } from '../wishes.ts';
import type { Wishes } from '../wishes.ts';
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
  /** Writes what went wrong, which the client is not told. */
  readonly logFailure: (failure: RequestFailure) => void;
  /** The headers of every answer. */
  readonly standingHeaders: Readonly<Record<string, string>>;
  readonly corsOrigins: ReadonlySet<string>;
  readonly proxies?: AddressRanges | undefined;
  readonly plainPeers?: AddressRanges | undefined;
  readonly isTls: boolean;
  /** How long clients are told that a connection waits for their next request. */
  readonly keepAliveTimeoutMs: number;
  readonly isDraining: () => boolean;
}

/** A request that may be answered the short way. */
export interface FastRequest {
  readonly connection: Socket;
  readonly source: ContentSource;
  readonly route: string;
  readonly rawQuery: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The key that it presents. */
  readonly presented: string;
  /** What else it says; not looked at before its key has opened something. */
  details: Details | undefined;
}

interface Details extends Wishes {
  readonly format: BodyFormat;
  readonly remote: string;
  /** Lines of its answer that depend on nothing else. */
  readonly lines: string;
}

/** An answer, ready to be written. */
export interface FastAnswer {
  readonly status: number;
  /** From the status line to the empty line. */
  readonly head: string;
  readonly parts: BodyParts;
  readonly keyId: string | undefined;
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
  /** What an answer varies with: a content, and an error. */
  readonly #contentVaryLine: string;
  readonly #errorVaryLine: string;
  #dateSecond = 0;
  #dateLine = '';

  constructor(parts: FastPathParts) {
    this.#parts = parts;
    this.#sources = new Map(parts.sources.map((one) => [parts.basePath + one.path, one]));
    const standing = {
      ...parts.standingHeaders,
      ...keptHeaders,
      // As Node says it.
      'keep-alive': `timeout=${Math.floor(parts.keepAliveTimeoutMs / 1_000)}`,
    };
    this.#standingLines = headLines(Object.entries(standing).flat());
    const errorVary = parts.corsOrigins.size > 0 ? corsVary : undefined;
    this.#contentVaryLine = headLines(['vary', varyOn(contentVary, errorVary)]);
    this.#errorVaryLine = errorVary === undefined ? '' : headLines(['vary', errorVary]);
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
    if (!mayCarryKey(this.#parts.plainPeers, connection)) return undefined;
    const rawQuery = queryOf(target);
    return { connection, source, route, rawQuery, headers, presented, details: undefined };
  }

  /**
   * Answers a request. Undefined when that is for the framework: a key that does not hold is, and all
   * is while the server drains. A promise where something has to be read or made first.
   */
  answer(request: FastRequest): FastAnswer | Promise<FastAnswer> | undefined {
    const { keyRing, clock, rateLimits, isDraining } = this.#parts;
    const now = clock.now();
    const verdict = keyRing.authenticate(request.presented, now, 'read', request.connection);
    if (!verdict.ok || isDraining()) return undefined;
    const details = (request.details ??= this.#detailsOf(request, now));
    const admission = rateLimits?.admitKey(verdict.key, now);
    const lines =
      admission === undefined ? details.lines : details.lines + headLines(admission.headers);
    const to = { request, details, lines, keyId: verdict.key.id, now };
    if (admission?.refusal !== undefined) {
      const { headers, parts } = admission.refusal;
      return this.#answer(to, 429, { lines: this.#errorVaryLine + headLines(headers), parts });
    }
    try {
      const found = request.source.find(request.rawQuery, details.format);
      const answer =
        found instanceof Promise
          ? found.then((later) => this.#answerFound(to, later))
          : this.#answerFound(to, found);
      return answer instanceof Promise
        ? answer.catch((error: unknown) => this.#answerFailure(to, error))
        : answer;
    } catch (error) {
      return this.#answerFailure(to, error);
    }
  }

  /** Whose requests a request waits behind when not all can be answered at once. */
  clientOf({ presented, connection }: FastRequest): string {
    return queueClient(this.#parts, presented, connection);
  }

  /** The response to a request that waited too long for its turn. */
  shed(request: FastRequest): FastAnswer {
    const { clock, observer } = this.#parts;
    observer?.shed?.();
    const now = clock.now();
    const details = (request.details ??= this.#detailsOf(request, now));
    const { headers, parts } = saturatedBody;
    const lines = this.#errorVaryLine + headLines(headers);
    const to = { request, details, lines: details.lines, keyId: undefined, now };
    return this.#answer(to, saturatedStatus, { lines, parts });
  }

  /** An answer was taken, or its client has gone. */
  note(request: FastRequest, answer: FastAnswer, seconds: number): void {
    const { observer, logRefusal } = this.#parts;
    const { status, keyId } = answer;
    const { route, details } = request;
    observer?.answered({ route, method: 'GET', status, seconds });
    if (status >= 400) {
      const remote = details?.remote ?? '';
      logRefusal({ keyId, remote, method: 'GET', path: route, status, ms: seconds * 1_000 });
    }
  }

  #detailsOf({ headers, connection }: FastRequest, now: number): Details {
    return {
      format: wantedFormat(headers['accept']),
      ...readWishes(headers, now),
      ...this.#surroundings(headers, connection.remoteAddress ?? ''),
    };
  }

  #surroundings(
    headers: Readonly<Record<string, string>>,
    connected: string,
  ): Pick<Details, 'lines' | 'remote'> {
    const { corsOrigins, proxies, isTls } = this.#parts;
    const own: string[] = [];
    if (corsOrigins.size > 0) own.push(...corsHeaders(corsOrigins, headers['origin']));
    let remote = connected;
    if (proxies?.has(connected) === true) {
      const word = wordOfProxy(headers);
      const isSecure = !isTls && word.protocol === 'https';
      if (isSecure) own.push(...Object.entries(transportSecurity).flat());
      remote = clientAddress(connected, word, proxies);
    }
    return { lines: this.#standingLines + headLines(own), remote };
  }

  #answerFound(to: Addressee, found: Parsed<Content>): FastAnswer | Promise<FastAnswer> {
    if (!found.ok) return this.#answerError(to, problemAnswer(found.problem));
    const content = found.value;
    const choice = choose(content, to.details, to.now);
    switch (choice.is) {
      case 'whole':
        return this.#answerWhole(to, choice.rendition, content);
      case 'unchanged': {
        const own = `${this.#contentVaryLine}etag: ${choice.etag}\r\n${headLines(content.headers)}`;
        return this.#answer(to, 304, { lines: own, parts: [] });
      }
      case 'to-make':
        return content.body
          .make(choice.coding)
          .then((rendition) => this.#answerWhole(to, rendition, content));
      case 'unacceptable':
        return this.#answerError(to, errorAnswer('coding-unacceptable'), this.#contentVaryLine);
    }
  }

  #answerWhole(to: Addressee, rendition: Rendition, content: Content): FastAnswer {
    const lines = this.#contentVaryLine + rendition.headLines + headLines(content.headers);
    return this.#answer(to, 200, { lines, parts: rendition.parts });
  }

  #answerError(to: Addressee, answer: ErrorAnswer, varyLine = this.#errorVaryLine): FastAnswer {
    const { headers, parts } = errorBody(answer);
    return this.#answer(to, answer.status, { lines: varyLine + headLines(headers), parts });
  }

  #answerFailure(to: Addressee, error: unknown): FastAnswer {
    const { keyId, request } = to;
    this.#parts.logFailure({ error, method: 'GET', path: request.route, keyId });
    return this.#answerError(to, errorAnswer('failure'));
  }

  #answer(
    to: Addressee,
    status: number,
    own: { readonly lines: string; readonly parts: BodyParts },
  ): FastAnswer {
    const head = `${statusLine(status)}${to.lines}${own.lines}${this.#date(to.now)}\r\n`;
    return { status, head, parts: own.parts, keyId: to.keyId };
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

const keptHeaders = { connection: 'keep-alive' } as const;

/** The same answer, as the last one of its connection. */
export function closing(answer: FastAnswer): FastAnswer {
  const [kept, close] = [headLines(Object.entries(keptHeaders).flat()), 'connection: close\r\n'];
  const head = answer.head.replace(kept, close).replace(/^keep-alive: .*\r\n/m, '');
  return { ...answer, head };
}

/** Whom an answer goes to, and what it says of that. */
interface Addressee {
  readonly request: FastRequest;
  readonly details: Details;
  readonly lines: string;
  readonly keyId: string | undefined;
  readonly now: number;
}
