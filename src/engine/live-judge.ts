import type { Doubt, MoveName } from '../domain/history/judge/judgement.ts';
import type { Witness } from '../domain/history/judge/witness.ts';
import { toEpochDay, type PlainDate } from '../domain/calendar/plain-date.ts';
import type { ReferenceClose } from '../domain/history/reference-closes.ts';
import type { Update } from '../domain/quotes/update.ts';
import type { BaseWatch } from './base-watch.ts';
import type { DoubtedUpdate, ReportSource } from './doubted-updates.ts';
import { judgeUpdate, withinBound } from './judge-update.ts';
import type { JudgedPrice } from './judged-price.ts';
import { levelAfter, levelOfFirst } from './lone-level.ts';
import type { Slot } from './slot.ts';

/** An update to fold, with its source. */
interface SourcedUpdate {
  readonly update: Update;
  readonly source: ReportSource | undefined;
}

const none: readonly SourcedUpdate[] = [];

/** What the judge decides about an update. */
export type Decision =
  | {
      /** The updates that waited and are confirmed, to be folded in this order before the update itself. */
      readonly confirmed: readonly SourcedUpdate[];
      readonly update: Update;
      /** The price of the update as a witness, if it may change what is thought of the previous close. */
      readonly report: Witness | undefined;
      /** Whether all prices that the session has shown are overruled, so that it begins again. */
      readonly beginsAgain: boolean;
      /** Whether prices of the update were left out. */
      readonly isCut: boolean;
    }
  | 'held'
  | { readonly refused: 'implausible' | 'too-old' };

/** Where an update comes from, and the session that it belongs to. */
interface Arrival {
  readonly sessionDate: PlainDate;
  readonly source: ReportSource | undefined;
}

/**
 * Decides which live prices are believed, and lets the others wait for witnesses. It reports every price
 * that it holds, confirms or drops.
 */
export class LiveJudge {
  readonly #bases: BaseWatch;
  readonly #onJudged: (judged: JudgedPrice) => void;
  readonly #firstPriceAgeMs: number;

  constructor(options: {
    readonly bases: BaseWatch;
    readonly onJudged: (judged: JudgedPrice) => void;
    /** Maximum age of the first price of a session. Its source no longer updates an older one. */
    readonly firstPriceAgeMs: number;
  }) {
    this.#bases = options.bases;
    this.#onJudged = options.onJudged;
    this.#firstPriceAgeMs = options.firstPriceAgeMs;
  }

  decide(slot: Slot, update: Update, of: Arrival & { readonly now: number }): Decision {
    const { sessionDate, source, now } = of;
    const held = slot.session?.sessionDate === sessionDate ? slot.session : undefined;
    if (held === undefined && update.at < now - this.#firstPriceAgeMs)
      return { refused: 'too-old' };
    if (slot.doubtedOn !== sessionDate) this.#drop(slot, slot.doubted.takeUntil(Infinity));
    const judged = judgeUpdate(slot, update, { held, sessionDate, source });
    if (judged.verdict === 'doubtful') return this.#wait(slot, update, { ...of, judged });
    if (judged.dropped.length > 0) this.#drop(slot, judged.dropped);
    const { overruled } = judged;
    const price = update.last ?? update.close;
    const isFirst = held === undefined;
    const isWitness =
      isFirst ||
      overruled !== undefined ||
      slot.lone !== undefined ||
      slot.contradictions !== undefined ||
      slot.setAside !== undefined;
    const report =
      isWitness && price !== undefined ? reportOf(update.at, price, source) : undefined;
    let beginsAgain = false;
    if (report !== undefined) {
      if (overruled !== undefined) {
        beginsAgain = slot.lone !== undefined;
        slot.lone = undefined;
        this.#overrule(slot, overruled, { ...report, sessionDate });
      } else if (isFirst) {
        slot.lone = levelOfFirst(slot, report, sessionDate);
      } else if (slot.lone !== undefined) {
        slot.lone = levelAfter(slot.lone, report);
      }
    }
    const isCut = judged.update !== update;
    if (isCut) this.#reportCut(slot, update, { kept: judged.update, source });
    const { kind } = slot.instrument;
    const confirmed =
      overruled === undefined
        ? none
        : judged.confirmed.map((one) => ({
            update: withinBound(kind, one.update, undefined, one.price),
            source: one.from,
          }));
    return { confirmed, update: judged.update, report, beginsAgain, isCut };
  }

  /** Lets an update whose price is doubtful wait for witnesses. */
  #wait(
    slot: Slot,
    update: Update,
    {
      sessionDate,
      source,
      judged: { price, believed, reason },
    }: Arrival & {
      readonly judged: {
        readonly price: number;
        readonly believed: ReferenceClose;
        readonly reason: Doubt;
      };
    },
  ): Decision {
    slot.doubtedOn = sessionDate;
    const report = reportOf(update.at, price, source);
    const isNew = slot.doubted.add({ ...report, update, from: source });
    if (believed.day < toEpochDay(sessionDate)) return { refused: 'implausible' };
    if (isNew) {
      const { ticker } = slot.instrument;
      const about = { ticker, price, believed: believed.close, source: source?.name };
      this.#onJudged({ type: 'held', ...about, reason });
    }
    return 'held';
  }

  /** Reports the updates that waited in vain. Those against a close were refused, and are counted so. */
  #drop(slot: Slot, dropped: readonly DoubtedUpdate[]): void {
    const { session, doubtedOn } = slot;
    if (session === undefined || session.sessionDate !== doubtedOn) return;
    const { ticker } = slot.instrument;
    for (const { price, source } of dropped) {
      this.#onJudged({ type: 'dropped', ticker, price, believed: session.last, source });
    }
  }

  /** Reports the prices of an update that were left out. */
  #reportCut(
    slot: Slot,
    whole: Update,
    { kept, source }: { readonly kept: Update; readonly source: ReportSource | undefined },
  ): void {
    const believed = kept.last ?? slot.session?.last;
    if (believed === undefined) return;
    const { ticker } = slot.instrument;
    for (const [field, price] of Object.entries(whole)) {
      if (field in kept || typeof price !== 'number') continue;
      this.#onJudged({ type: 'dropped', ticker, price, believed, source: source?.name });
    }
  }

  /** Notes that witnesses overrule the last believed price: that of the session, or the last close. */
  #overrule(
    slot: Slot,
    { base, move }: { readonly base: ReferenceClose; readonly move: MoveName },
    by: Witness & { readonly sessionDate: PlainDate },
  ): void {
    if (base.day < toEpochDay(by.sessionDate)) {
      this.#bases.setAside(slot, base, move, by);
      return;
    }
    const { ticker } = slot.instrument;
    const { price, source } = by;
    this.#onJudged({ type: 'confirmed', ticker, price, believed: base.close, source, move });
    this.#bases.judgeAfterJump(slot, by, move);
  }
}

/** An update as a witness of its price. */
function reportOf(at: number, price: number, source: ReportSource | undefined): Witness {
  return { price, at, source: source?.name, isPolledSlowly: source?.isPolledSlowly };
}
