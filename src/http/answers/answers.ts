import { LRUCache } from 'lru-cache';

import type { Operation } from '../../contract/operation.ts';
import { knownQuery } from '../../contract/part.ts';
import type { TableRows } from '../../contract/table.ts';
import type { Parsed, Refused } from '../../domain/values/problem.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { TableFormat } from '../../contract/table-format.ts';
import { problemResponse } from '../../wire/texts/error-texts.ts';
import { Body, CompressionPace, ifAskedAgain } from '../content/body.ts';
import {
  contentDraft,
  lastModifiedOf,
  mediaTypeOf,
  requestedFormat,
  varyOfAnswers,
  type Content,
} from '../content/content.ts';
import { Fields, errorDraft, missingFields, type ResponseDraft } from '../handler/response.ts';
import { singleOf, type Caller, type Route } from '../handler/request.ts';
import type { QueuedRead, ReadQueue, Sliced } from './read-queue.ts';

/** The rows of a response, and what its head says of them. */
export interface ResponseRows {
  readonly rows: TableRows;
  /** The names of what the request named and the rows lack, by header. */
  readonly missing?: Readonly<Record<string, readonly string[]>>;
  /** Further header fields: names and values in turn. */
  readonly fields?: readonly string[];
  /** Whether it is a range of what is stored, which is often requested only once. By default, whether it was read. */
  readonly isRange?: boolean;
  /** When it was read from the store, in epoch milliseconds, for a response with `Last-Modified`. */
  readonly readAt?: number;
}

/** The rows of a response, or the problem of its request. */
export type RowsOrProblem = ResponseRows | Refused;

/** Answers one query, again and again: views and computed rows live in its closure. */
export interface ResponseSource {
  /**
   * What the answer is made of, compared by identity: revisions, objects that are replaced, keys of a state. An
   * answer is valid while all of them are the same.
   */
  madeOf(): readonly unknown[];
  /**
   * An answer from memory or its problem, or else how it is read from the store in turns. A promise is a read that has
   * begun: it waits for no turn, and the limits of reads do not apply to it.
   */
  answer(format: TableFormat): RowsOrProblem | Reading | Promise<RowsOrProblem>;
}

/** How an answer is read: in slices, between which other clients have their turns. A problem is remembered, too. */
interface Reading {
  read(): Sliced<RowsOrProblem>;
}

/** The content of a response or the problem of its request, or a promise of either where it has to be read first. */
type MaybeContent = Parsed<Content> | Promise<Parsed<Content>>;

/** Applies a function to a value at once, or when its promise resolves. */
export function whenRead<Value, Result>(
  value: Value | Promise<Value>,
  use: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(use) : use(value);
}

/** Longer queries are answered without being remembered. */
const rememberedQueryLengthMax = 8_192;

/** Maximum length of the spellings of queries that one path remembers, with the keys that they mean, in characters. */
const spellingsCharsMax = 1_048_576;

/** The memory of an answer besides its bodies, in bytes. */
const bytesPerAnswer = 1_024;

/** What all paths share: the memory for answers, and the turns in which they are read from the store. */
export class ResponseMemory {
  readonly clock: Clock;
  readonly queue: ReadQueue;
  readonly #kept: LRUCache<string, KeptAnswer | Shared<unknown>>;

  /** @param options.bytesMax beyond it, the answer that was used least recently is dropped */
  constructor(options: {
    readonly clock: Clock;
    readonly queue: ReadQueue;
    readonly bytesMax: number;
  }) {
    this.clock = options.clock;
    this.queue = options.queue;
    this.#kept = new LRUCache({ maxSize: options.bytesMax });
  }

  /** The answer of a key, if it is remembered. */
  peek(key: string, format: TableFormat, caller: Caller): MaybeContent | undefined {
    const known = this.#kept.get(key);
    return known instanceof KeptAnswer ? known.current(format, caller) : undefined;
  }

  /**
   * The answer of a key. A response that has to be read is read once for all requests that wait for it, in the turns
   * of their clients, and no longer when all of them have left.
   *
   * @param open called if the key is not remembered
   * @param suggest finds the tickers that are probably meant by missing ones. Absent where the response names none.
   */
  find(
    key: string,
    { format, caller }: { readonly format: TableFormat; readonly caller: Caller },
    { open, suggest }: { readonly open: () => ResponseSource; readonly suggest?: Suggest },
  ): MaybeContent {
    const known = this.#kept.get(key);
    if (known instanceof KeptAnswer) return known.current(format, caller);
    const isRemembered = key.length <= rememberedQueryLengthMax;
    const answer: KeptAnswer = new KeptAnswer(open(), {
      memory: this,
      suggest,
      // Not one that was dropped meanwhile.
      onGrowth: () => {
        if (this.#kept.peek(key) === answer) this.#keep(key, answer, answer.bytes);
      },
    });
    // Kept before it is read, so that other requests share the read.
    if (isRemembered) this.#keep(key, answer, answer.bytes);
    return answer.current(format, caller);
  }

  /**
   * What answers are made of, such as the bars of a chart. It is read once for all of them, and again when it
   * is requested and what it was made of has changed.
   *
   * @param read gets the value before, if it is still remembered.
   */
  share<T extends object>(
    key: string,
    {
      madeOf,
      read,
      bytesOf,
    }: {
      readonly madeOf: readonly unknown[];
      readonly read: (before: T | undefined) => Promise<T>;
      readonly bytesOf: (value: T) => number;
    },
  ): T | Promise<T> {
    const known = this.#kept.get(key) as Shared<T> | undefined;
    if (known !== undefined && areSame(known.madeOf, madeOf)) return known.current;
    const current = read(known?.latest);
    const isLatest = (): boolean =>
      (this.#kept.peek(key) as Shared<T> | undefined)?.current === current;
    const keep = (value: Shared<T>): void => {
      this.#keep(key, value, value.latest === undefined ? 0 : bytesOf(value.latest));
    };
    keep({ madeOf, current, latest: known?.latest });
    const end = (value?: T): void => {
      if (!isLatest()) return;
      if (value === undefined) this.#kept.delete(key);
      else keep({ madeOf, current: value, latest: value });
    };
    void current.then(end, () => end());
    return current;
  }

  clear(): void {
    this.#kept.clear();
  }

  /** Counts a value with its present size. One that is too large for the memory is not kept. */
  #keep(key: string, value: KeptAnswer | Shared<unknown>, bytes: number): void {
    // The cache takes no other size of a value that it has.
    this.#kept.delete(key);
    this.#kept.set(key, value, { size: bytesPerAnswer + key.length * 2 + bytes });
  }
}

/** See {@link ResponseMemory.share}. */
interface Shared<T> {
  readonly madeOf: readonly unknown[];
  readonly current: T | Promise<T>;
  /** The latest value that was read. */
  readonly latest: T | undefined;
}

/** A format of an answer, or the problem of reading it. */
interface Rendered {
  readonly madeOf: readonly unknown[];
  readonly kept: readonly unknown[] | undefined;
  readonly result: Parsed<Content>;
  /** When the content gets a date, in epoch milliseconds. */
  readonly datedFrom: number;
}

/** What is rendered, and whether it has been read from the store. */
interface Rendering {
  readonly format: TableFormat;
  readonly madeOf: readonly unknown[];
  readonly isRead: boolean;
}

/** A format of an answer that is being read. */
interface UnderWay {
  readonly madeOf: readonly unknown[];
  readonly read: QueuedRead<Rendered>;
  /** The number of requests that wait for it. */
  waiting: number;
}

/** The answer to one query in every format that was requested. */
class KeptAnswer {
  readonly #source: ResponseSource;
  readonly #memory: ResponseMemory;
  readonly #suggest: Suggest | undefined;
  readonly #pace: CompressionPace;
  readonly #onGrowth: () => void;
  readonly #rendered = new Map<TableFormat, Rendered>();
  readonly #underWay = new Map<TableFormat, UnderWay>();

  constructor(
    source: ResponseSource,
    {
      memory,
      suggest,
      onGrowth,
    }: {
      readonly memory: ResponseMemory;
      readonly suggest: Suggest | undefined;
      readonly onGrowth: () => void;
    },
  ) {
    this.#source = source;
    this.#memory = memory;
    this.#suggest = suggest;
    this.#pace = new CompressionPace(memory.clock);
    this.#onGrowth = onGrowth;
  }

  get bytes(): number {
    let sum = 0;
    for (const { result } of this.#rendered.values()) {
      if (result.ok) sum += result.value.body.length + result.value.body.compressedBytes;
    }
    return sum;
  }

  current(format: TableFormat, caller: Caller): MaybeContent {
    const madeOf = this.#source.madeOf();
    const known = this.#rendered.get(format);
    if (known !== undefined && areSame(known.madeOf, madeOf)) return this.#resultOf(known, format);
    const underWay = this.#underWay.get(format);
    if (underWay !== undefined && areSame(underWay.madeOf, madeOf)) {
      return this.#wait(underWay, format, caller);
    }
    const answer = this.#source.answer(format);
    if (answer instanceof Promise || 'read' in answer) {
      const begun = this.#begin(answer, { format, madeOf, isRead: true }, caller);
      return this.#wait(begun, format, caller);
    }
    const rendered = this.#render(answer, { format, madeOf, isRead: false });
    this.#keep(format, rendered);
    return rendered.result;
  }

  #keep(format: TableFormat, rendered: Rendered): void {
    this.#rendered.set(format, rendered);
    this.#onGrowth();
  }

  /** The result, with a date once the second in which it was read has passed. */
  #resultOf(rendered: Rendered, format: TableFormat): Parsed<Content> {
    const { result, datedFrom } = rendered;
    if (!result.ok || this.#memory.clock.now() < datedFrom) return result;
    const date = ['last-modified', new Date(datedFrom).toUTCString()];
    const fields = new Fields([...date, ...result.value.fields.list]);
    const dated = { ...result.value, fields, lastModified: datedFrom };
    const value = { ok: true, value: dated } as const;
    if (this.#rendered.get(format) === rendered) {
      this.#rendered.set(format, { ...rendered, result: value, datedFrom: Infinity });
    }
    return value;
  }

  #begin(
    reading: Reading | Promise<RowsOrProblem>,
    rendering: Rendering,
    caller: Caller,
  ): UnderWay {
    const { format, madeOf } = rendering;
    const render = (answer: RowsOrProblem): Rendered => this.#render(answer, rendering);
    const read =
      reading instanceof Promise
        ? atOnce(reading.then(render))
        : this.#memory.queue.add(clientOf(caller), async function* () {
            return render(yield* reading.read());
          });
    const underWay = { madeOf, read, waiting: 0 };
    this.#underWay.set(format, underWay);
    // If there is another one, or none, what it is made of has changed meanwhile.
    const end = (rendered?: Rendered): void => {
      if (this.#underWay.get(format) !== underWay) return;
      this.#underWay.delete(format);
      if (rendered !== undefined) this.#keep(format, rendered);
    };
    void read.result.then(end, () => end());
    return underWay;
  }

  async #wait(underWay: UnderWay, format: TableFormat, caller: Caller): Promise<Parsed<Content>> {
    const { departure } = caller;
    underWay.waiting += 1;
    underWay.read.join(clientOf(caller));
    if (departure !== undefined) {
      departure.onLeave = () => {
        underWay.waiting -= 1;
        if (underWay.waiting > 0) return;
        if (this.#underWay.get(format) === underWay) this.#underWay.delete(format);
        underWay.read.cancel();
      };
    }
    try {
      return this.#resultOf(await underWay.read.result, format);
    } finally {
      if (departure !== undefined) departure.onLeave = undefined;
    }
  }

  #render(answer: RowsOrProblem, { format, madeOf, isRead }: Rendering): Rendered {
    if ('problem' in answer)
      return { madeOf, kept: undefined, result: answer, datedFrom: Infinity };
    const { rows, missing = {}, fields = [], isRange = isRead, readAt } = answer;
    const known = this.#rendered.get(format);
    const before = known?.result.ok === true ? known.result.value.body : undefined;
    const isSame =
      known?.kept !== undefined && rows.kept !== undefined && areSame(known.kept, rows.kept);
    const body = (isSame && before) || this.#bodyOf(rows, { format, before, isRange });
    const suggested = this.#suggest?.(missing['missing-especies'] ?? []) ?? [];
    const list = [
      ...missingFields(missing),
      ...fields,
      ...missingFields({ 'suggested-especies': suggested }),
    ];
    const own = list.length === 0 ? Fields.none : new Fields(list);
    return {
      madeOf,
      kept: rows.kept,
      result: { ok: true, value: { body, fields: own, vary: varyOfAnswers } },
      datedFrom: readAt === undefined ? Infinity : lastModifiedOf(readAt),
    };
  }

  /** The body of the rows. An equal text keeps its body, with the tag and the encodings. */
  #bodyOf(
    rows: TableRows,
    {
      format,
      before,
      isRange,
    }: {
      readonly format: TableFormat;
      readonly before: Body | undefined;
      readonly isRange: boolean;
    },
  ): Body {
    const rendered = rows.render(format);
    const body = new Body({
      type: rows.type ?? mediaTypeOf(format),
      parts: [typeof rendered === 'string' ? Buffer.from(rendered) : rendered],
      // It is compressed when it is requested again.
      mayCompress: isRange ? ifAskedAgain() : (coding) => this.#pace.allows(coding),
      onGrowth: this.#onGrowth,
    });
    return before?.isEqual(body) === true ? before : body;
  }
}

/** A read that has begun already, and waits for no turn. */
function atOnce<T>(result: Promise<T>): QueuedRead<T> {
  return { result, join: () => undefined, cancel: () => undefined };
}

function areSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((one, at) => Object.is(one, others[at]));
}

/** Whose reads a read waits behind: those of its key and of the keys that it replaced. */
function clientOf({ key }: Caller): string {
  return key?.family ?? key?.id ?? '';
}

/** Finds the tickers that are probably meant by some of the tickers that a response lacks. */
type Suggest = (missing: readonly string[]) => readonly string[];

/** What the answers of all paths have. */
export interface Answering {
  readonly memory: ResponseMemory;
  /** Maximum number of tickers in one request. */
  readonly tickersMax: number;
  readonly suggest: Suggest;
}

/** A route that answers with rows or with a text. */
export interface AnsweringRoute extends Route {
  /** The content that a query requests. Its parameters are as sent, without those of the format. */
  find(rawQuery: string, format: TableFormat, caller: Caller): MaybeContent;
}

/**
 * The route of an operation. A response is rendered again only when what it was made of has changed. Each request
 * compares that, so no change has to be announced.
 *
 * A query is looked up as it was sent, and then as it was parsed, so that two spellings of a query share one response.
 *
 * An operation with tables is answered in the format that the query or `Accept` requests (contract 4.5.3 and 4.5.7).
 * Its response suggests tickers for unknown ones (contract 4.1.5). Spreadsheets and charts read such an operation, so a
 * key in the URL opens it by default (contract 5.5).
 *
 * @param open gives the source of a query.
 */
export function answers<Query>(
  { path, inputs, tables, read }: Operation<Query>,
  open: (query: Query) => ResponseSource,
  { memory, tickersMax, suggest }: Answering,
  further: Partial<Pick<Route, 'opensToUrlKeys' | 'scope'>> = {},
): AnsweringRoute {
  const parameters = Object.keys(inputs);
  const isTable = Object.keys(tables).length > 0;
  const spellings = new LRUCache<string, string>({
    maxSize: spellingsCharsMax,
    sizeCalculation: (key, rawQuery) => key.length + rawQuery.length,
  });
  const find: AnsweringRoute['find'] = (rawQuery, format, caller) => {
    const known = memory.peek(spellings.get(rawQuery) ?? '', format, caller);
    if (known !== undefined) return known;
    const parsed = read(rawQuery, { tickersMax });
    if (!parsed.ok) return parsed;
    const key = `${path} ${parsed.value.key}`;
    if (Math.max(key.length, rawQuery.length) <= rememberedQueryLengthMax) {
      spellings.set(rawQuery, key);
    }
    const make = { open: () => open(parsed.value.query), ...(isTable ? { suggest } : {}) };
    return memory.find(key, { format, caller }, make);
  };
  return {
    method: 'GET',
    path,
    scope: 'read',
    opensToUrlKeys: isTable,
    ...further,
    find,
    respond: (context) => {
      const { request, head } = context;
      const { query, derived } = head;
      const format = isTable
        ? (derived.tableFormat ??= requestedFormat(query, singleOf(request.headers['accept'])))
        : json;
      if (!format.ok) return errorDraft(problemResponse(format.problem));
      const known = query === '' ? query : (derived.knownQuery ??= knownQuery(query, parameters));
      return whenRead<Parsed<Content>, ResponseDraft>(find(known, format.value, context), (found) =>
        found.ok ? contentDraft(found.value, context) : errorDraft(problemResponse(found.problem)),
      );
    },
  };
}

const json = { ok: true, value: 'json' } as const;
