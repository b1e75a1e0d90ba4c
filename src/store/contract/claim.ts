import { StoreFault } from './store-fault.ts';

/** The node that claims a place. */
export interface WriterNode {
  /** The id of the node, as in its registration. */
  readonly id: string;
  /** The machine of the node, for people. */
  readonly name: string;
}

/** The process that holds the claim of a place, as far as it is known. */
export interface ClaimHolder {
  /** The id of the node. Absent when the holder has not published it yet. */
  readonly id?: string | undefined;
  /** The machine of the node, for people. */
  readonly name?: string | undefined;
  /** URL at which other machines reach its private listener, which accepts updates. Absent until it listens. */
  readonly privateUrl?: string | undefined;
}

/**
 * The right to write quotes to a place. One process has it at a time. Disposing it releases it at once,
 * so that a process that waits gets it. It ends with the process too.
 *
 * A holder that is frozen or cut off loses the claim to another process. Its commits are then rejected as
 * `fenced`, whatever it believes.
 */
export interface WriterClaim extends AsyncDisposable {
  /** Rises with every change of the holder. */
  readonly token: number;
  /**
   * Aborts when the claim is lost, or when it can no longer be known to be held. The reason is a
   * {@link StoreFault} `fenced`. It does not abort when the claim is released. SQLite never loses a claim.
   */
  readonly lost: AbortSignal;
}

/** Another process holds the claim. */
export class ClaimHeldFault extends StoreFault {
  readonly holder: ClaimHolder;

  constructor(message: string, holder: ClaimHolder, options?: ErrorOptions) {
    super('busy', message, options);
    this.holder = holder;
  }
}
