/** What a node does: it writes, serves the public listener, or both. */
export type NodeRole = 'all' | 'write' | 'serve';

/** What a running node publishes about itself. It contains no secret. */
export interface NodeRecord {
  /** The id of the instance, which both listeners show in `/healthz`. */
  readonly instance: string;
  readonly role: NodeRole;
  /** The name of the machine. */
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  /**
   * URL on which the public listener listens, with its actual port, base path included. Empty without one. A program
   * on the same machine reaches it there.
   */
  readonly url: string;
  readonly privateUrl: string;
  /** URL at which other machines reach the public listener, base path included. Empty without one. */
  readonly advertisedUrl: string;
  /** URL at which other machines reach the private listener. */
  readonly advertisedPrivateUrl: string;
  /** Whether its public listener accepts keys in URLs. Absent in the record of an older version. */
  readonly urlKeys?: boolean;
  /** The file of the certificate of the public listener. Empty without TLS. */
  readonly tlsCert: string;
  /** The file of the certificate of the private listener. Empty without TLS. */
  readonly privateTlsCert: string;
}

/** A running node. */
export interface LiveNode extends NodeRecord {
  /** Time since its last sign of life, in milliseconds, by the clock of the place. 0 when it is not known. */
  readonly silentMs: number;
}

/** The running nodes of a place. Every method may reject with a `StoreFault`. */
export interface NodeRegistry {
  /**
   * Publishes a node, and keeps it live until the registration is disposed. A node that ends otherwise
   * disappears after some seconds. A failure to publish does not reject: it is reported, and retried.
   */
  register(node: NodeRecord, onFault: (fault: unknown) => void): Promise<NodeRegistration>;

  /** The live nodes, in order of their registration. It changes nothing. */
  live(): Promise<readonly LiveNode[]>;
}

/** A published node. Disposing it removes the node. */
interface NodeRegistration extends AsyncDisposable {
  /** Replaces what is published. */
  update(node: NodeRecord): Promise<void>;
}

/** What another node knows of the history of the database. */
export interface PeerLineage {
  /** The id of the instance that responded. */
  readonly instance: string;
  /** In the form of `lineageText` (`cluster/lineage.ts`). */
  readonly lineage: string;
}

/**
 * Asks nodes at their registered addresses what they know. It leaves out those that do not respond in time, and
 * does not reject.
 */
export type AskLineages = (
  nodes: readonly NodeRecord[],
  withinMs: number,
) => Promise<readonly PeerLineage[]>;
