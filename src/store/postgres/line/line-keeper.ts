import { DatabaseError } from 'pg';

import {
  KnownLineage,
  judgeLineage,
  lineText,
  lineageText,
  parseLineage,
  type Line,
  type Lineage,
  type LineageVerdict,
} from '../../../cluster/lineage.ts';
import { repeat } from '../../../lib/time/repeat.ts';
import type { AskLineages, NodeRecord } from '../../contract/nodes.ts';
import type { LineState } from '../../contract/place.ts';
import { StoreFault } from '../../contract/store-fault.ts';
import type { Session } from '../session/session.ts';

/** The note in the store with the lines that an operator has replaced by it. */
export const lineageNote = 'lineage';

/** For so long, what the other nodes have said of a server is not asked again, in milliseconds. */
const confirmedMsMax = 1_000;

/** How often other nodes are asked what they know, in milliseconds, and how many of them each time. */
const exchangeEveryMs = 1_000;
const askedMax = 3;

/**
 * Maximum time for the response of a node, in milliseconds. A process that knows no line depends on the others, and
 * its start can wait. A take-over waits while a machine does not respond.
 */
const answerMs = { first: 3_000, again: 500, beforeClaim: 250, exchange: 1_000 };

/** What a store says of itself and of its nodes. */
interface StoreWords {
  readonly replaced: Lineage | undefined;
  readonly nodes: readonly NodeRecord[];
}

const wordsText = `
  SELECT (SELECT content FROM notes WHERE name = $1),
    (SELECT coalesce(json_agg(record ORDER BY position), '[]') FROM nodes)`;

/** The tables do not exist yet, or the user may not read them. */
const noWords: ReadonlySet<string> = new Set(['42P01', '3F000', '42501']);

/**
 * Decides which servers this process may use. When two servers accept writes, such as a primary that was frozen
 * and its successor, the one on the older line lacks what was written since. It is refused if this process or a node
 * that it can reach has seen a newer line. So is another database, unless its store says that
 * it replaces the known one (docs/scaling.md, docs/decisions/0016).
 */
export class LineKeeper implements LineState {
  readonly known = new KnownLineage();
  readonly #ask: AskLineages;
  readonly #readNodes: () => Promise<readonly NodeRecord[]>;
  readonly #monotonic: () => number;
  readonly #random: () => number;
  /** The highest timeline of each system that any server has reported, standbys included. */
  readonly #seen = new Map<string, number>();
  #nodes: readonly NodeRecord[] = [];
  #confirmed = { line: '', at: -Infinity };
  #refusal: string | undefined;

  constructor(own: {
    readonly askLineages: AskLineages | undefined;
    /** Reads the nodes of the store. */
    readonly nodes: () => Promise<readonly NodeRecord[]>;
    readonly monotonic: () => number;
    /** Numbers from 0 (inclusive) to 1 (exclusive). */
    readonly random: () => number;
  }) {
    this.#ask = own.askLineages ?? (() => Promise.resolve([]));
    this.#readNodes = own.nodes;
    this.#monotonic = own.monotonic;
    this.#random = own.random;
  }

  get text(): string | undefined {
    const { current } = this.known;
    return current && lineageText(current);
  }

  get refusal(): string | undefined {
    return this.#refusal;
  }

  subscribe(onChange: (text: string) => void): Disposable {
    return this.known.subscribe((current) => onChange(lineageText(current)));
  }

  /** Notes what any server has reported, whether it is used or not. */
  note({ line }: ServerState): void {
    if (line === undefined) return;
    const { system, timeline } = line;
    this.#seen.set(system, Math.max(timeline, this.#seen.get(system) ?? 0));
    if (this.known.current?.line.system === system) this.known.meet({ line, insteadOf: [] });
  }

  /**
   * Decides whether the server of a new session may be used. Returns its lineage; undefined when the server does
   * not tell its line.
   *
   * @param where the server, for people.
   * @throws StoreFault `unavailable` when it may not; the error of the driver.
   */
  async require(
    session: Session,
    { line, isStandby }: ServerState,
    where: string,
  ): Promise<Lineage | undefined> {
    if (line === undefined) return undefined;
    const isConfirmed =
      lineText(line) === this.#confirmed.line &&
      this.#monotonic() < this.#confirmed.at + confirmedMsMax;
    let words: StoreWords | undefined;
    if (!isConfirmed) {
      words = await readWords(session);
      this.#remember(words.nodes);
      const withinMs = this.known.current === undefined ? answerMs.first : answerMs.again;
      this.#hear(await this.#ask(words.nodes, withinMs), line);
    }
    const lineage = lineageOf(line, words?.replaced ?? this.known.current);
    const verdict = this.#meet(lineage, isStandby);
    if (verdict !== 'current') throw this.#refuse(lineage, verdict, where);
    this.#refusal = undefined;
    this.#confirmed = { line: lineText(line), at: this.#monotonic() };
    return lineage;
  }

  /** Asks all known nodes what they know, before this process takes the claim. */
  async confirm(): Promise<void> {
    this.#hear(await this.#ask(this.#nodes, answerMs.beforeClaim), this.known.current?.line);
  }

  /**
   * Regularly asks other nodes for the newest line that they know, until disposed. So a process that is still
   * connected to an old primary learns of the new one.
   */
  exchange(): AsyncDisposable {
    let rounds = 0;
    const once = async (): Promise<void> => {
      if (rounds % 10 === 0) this.#remember(await this.#readNodes().catch(() => []));
      rounds += 1;
      const chosen = this.#nodes
        .map((node) => ({ node, order: this.#random() }))
        .toSorted((a, b) => a.order - b.order)
        .slice(0, askedMax)
        .map(({ node }) => node);
      this.#hear(await this.#ask(chosen, answerMs.exchange), this.known.current?.line);
    };
    return repeat(once, { pauseMs: exchangeEveryMs, onFault: () => undefined });
  }

  #remember(nodes: readonly NodeRecord[]): void {
    if (nodes.length > 0) this.#nodes = nodes;
  }

  /**
   * Learns what other nodes know. A node of another database counts before anything is known only if it is the
   * registered instance: the address may have been given to another installation since.
   */
  #hear(answers: Awaited<ReturnType<AskLineages>>, line: Line | undefined): void {
    const instances = new Set(this.#nodes.map(({ instance }) => instance));
    const heard = answers.flatMap(({ instance, lineage: text }) => {
      const lineage = parseLineage(text);
      if (lineage === undefined) return [];
      const isSame = lineage.line.system === line?.system;
      return [{ lineage, isSame, counts: isSame || instances.has(instance) }];
    });
    // What is known of this database comes first.
    for (const { lineage, counts } of heard.toSorted(
      (a, b) => Number(b.isSame) - Number(a.isSame),
    )) {
      if (counts || this.known.current !== undefined) this.known.meet(lineage);
    }
  }

  #meet(lineage: Lineage, isStandby: boolean): LineageVerdict {
    const { line } = lineage;
    const timeline = this.#seen.get(line.system) ?? 0;
    const seen = { line: { system: line.system, timeline }, insteadOf: [] };
    const knows = this.known.current?.line.system ?? line.system;
    if (timeline > line.timeline && knows === line.system) this.known.meet(seen);
    if (!isStandby) return this.known.meet(lineage);
    // The control file of a standby may be of an earlier timeline for some minutes.
    const latest = Math.max(line.timeline, this.known.current?.line.timeline ?? 0);
    const { current } = this.known;
    if (current?.line.system !== line.system) return this.known.meet(lineage);
    return judgeLineage({ ...lineage, line: { ...line, timeline: latest } }, current);
  }

  #refuse({ line }: Lineage, verdict: 'older' | 'other', where: string): StoreFault {
    const server = lineText(line);
    const known = this.known.current === undefined ? '' : lineText(this.known.current.line);
    const reason =
      verdict === 'older'
        ? `it is on line ${server} (system/timeline) of the database, and line ${known} is newer. ` +
          'It is a former primary: stop it, or let it follow the new one'
        : `it is another database (line ${server}, system/timeline) than the one of this installation ` +
          `(line ${known}). If it replaces that one, for example after a restore, run ` +
          `"pizarra store accept --store URL --instead-of ${known}"`;
    this.#refusal = `${where} is refused: ${reason}`;
    return new StoreFault('unavailable', this.#refusal);
  }
}

/** The lineage of a server. What its store says applies to the line on which it was written, and to later ones. */
function lineageOf(line: Line, replaced: Lineage | undefined): Lineage {
  const applies = replaced?.line.system === line.system && line.timeline >= replaced.line.timeline;
  return { line, insteadOf: applies ? replaced.insteadOf : [] };
}

async function readWords(session: Session): Promise<StoreWords> {
  try {
    const rows = await session.query<readonly [string | null, readonly string[]]>(
      { text: wordsText },
      [lineageNote],
    );
    const [content, records] = rows[0] ?? [null, []];
    return {
      replaced: content === null ? undefined : parseLineage(content),
      nodes: records.map((record) => JSON.parse(record) as NodeRecord),
    };
  } catch (error) {
    if (error instanceof DatabaseError && noWords.has(error.code ?? '')) {
      return { replaced: undefined, nodes: [] };
    }
    throw error;
  }
}

/** What a server is. */
interface ServerState {
  /** Whether it follows another server, and so accepts no writes. */
  readonly isStandby: boolean;
  /** Undefined when the user may not read it, or the server does not have it. */
  readonly line: Line | undefined;
}

/**
 * The timeline of a primary is that of the log that it writes now: the last checkpoint may be of the timeline
 * before. A standby has received at least what its control file says. No function needs a right that users do not
 * have by default.
 */
const text = `
  SELECT pg_is_in_recovery(), system_identifier::text,
    CASE WHEN pg_is_in_recovery()
      THEN (SELECT greatest(timeline_id, min_recovery_end_timeline)
        FROM pg_control_checkpoint(), pg_control_recovery())
      ELSE ('x' || lpad(left(pg_walfile_name(pg_current_wal_lsn()), 8), 16, '0'))::bit(64)::bigint END
  FROM pg_control_system()`;

/** insufficient_privilege, feature_not_supported, undefined_function: a service that is not PostgreSQL itself. */
const unknown: ReadonlySet<string> = new Set(['42501', '0A000', '42883']);

/**
 * Asks a server what it is.
 *
 * @throws the error of the driver.
 */
export async function readServer(session: Session, limitMs: number): Promise<ServerState> {
  try {
    const rows = await session.query<readonly [boolean, string, number]>({ text }, [], { limitMs });
    const [row] = rows;
    if (row === undefined) return { isStandby: true, line: undefined };
    const [isStandby, system, timeline] = row;
    return { isStandby, line: { system, timeline } };
  } catch (error) {
    if (!(error instanceof DatabaseError) || !unknown.has(error.code ?? '')) throw error;
  }
  const [[isStandby] = [true]] = await session.query<readonly [boolean]>(
    { text: 'SELECT pg_is_in_recovery()' },
    [],
    { limitMs },
  );
  return { isStandby, line: undefined };
}
