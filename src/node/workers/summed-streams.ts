import type { StreamCount } from '../../http/stream/stream-limits.ts';

/** A process that serves streams, as the sum sees it. */
export interface StreamMember extends Disposable {
  /** The process has this many streams of a key. */
  report(count: StreamCount): void;
}

/** Adds up the open streams of each key over the processes of a node, and tells each one how many the others have. */
export class SummedStreams {
  readonly #members = new Map<StreamMember, Member>();

  /**
   * Adds a process. Disposing the result removes it with all its streams.
   *
   * @param tell receives the number of streams of a key in all other processes, when it changes.
   */
  join(tell: (count: StreamCount) => void): StreamMember {
    const own: Member = { counts: new Map(), tell };
    const member: StreamMember = {
      report: ([keyId, streams]) => {
        if (streams === 0) own.counts.delete(keyId);
        else own.counts.set(keyId, streams);
        this.#tellOthers(member, keyId);
      },
      [Symbol.dispose]: () => {
        this.#members.delete(member);
        for (const keyId of own.counts.keys()) this.#tellOthers(member, keyId);
      },
    };
    this.#members.set(member, own);
    // A process that starts later learns what is open already.
    for (const keyId of this.#keys()) tell([keyId, this.#elsewhere(member, keyId)]);
    return member;
  }

  #keys(): ReadonlySet<string> {
    return new Set([...this.#members.values()].flatMap(({ counts }) => [...counts.keys()]));
  }

  #tellOthers(changed: StreamMember, keyId: string): void {
    for (const [member, { tell }] of this.#members) {
      if (member !== changed) tell([keyId, this.#elsewhere(member, keyId)]);
    }
  }

  #elsewhere(member: StreamMember, keyId: string): number {
    let streams = 0;
    for (const [other, { counts }] of this.#members) {
      if (other !== member) streams += counts.get(keyId) ?? 0;
    }
    return streams;
  }
}

interface Member {
  readonly counts: Map<string, number>;
  readonly tell: (count: StreamCount) => void;
}
