import type { Prng } from './tools/prng.ts';

/** Which faults a history has. Histories with few faults show the times of take-over. */
export interface Profile {
  readonly nodes: number;
  /** The faults happen, and updates arrive, until then. Everything heals then. */
  readonly activeMs: number;
  readonly faults: number;
  readonly updates: number;
  /** Number of changes of keys by programs other than the writer. */
  readonly keyChanges: number;
  readonly slowNetwork: boolean;
  readonly slowDisk: boolean;
  /** The bytes of some commits arrive in two parts, the second one late or never. */
  readonly splitCommits: boolean;
  /** Some hints are lost, repeated or late. */
  readonly badHints: boolean;
  /** The clock of the database is set. */
  readonly databaseClockJumps: boolean;
  /** The clocks of nodes are set wrong, and right again. */
  readonly wrongClocks: boolean;
  /** A copy of the database is promoted, and the former primary accepts writes again. */
  readonly forks: boolean;
  /** Whether the nodes have the addresses of all servers, or one address that moves between them. */
  readonly hasAllAddresses: boolean;
  /** Whether take-over must be in time: neither the network nor the disk is slow. */
  readonly isBounded: boolean;
}

export function drawProfile(random: Prng): Profile {
  const isCalm = random.oneIn(3);
  const slowNetwork = !isCalm && random.oneIn(3);
  const slowDisk = !isCalm && random.oneIn(3);
  const splitCommits = !isCalm && random.oneIn(2);
  const databaseClockJumps = !isCalm && random.oneIn(8);
  const forks = !isCalm && !databaseClockJumps && random.oneIn(4);
  const wrongClocks = !isCalm && random.oneIn(4);
  return {
    nodes: random.between(2, 4),
    activeMs: forks ? random.between(9_000, 14_000) : random.between(3_000, 6_000),
    faults: isCalm ? 1 : random.between(1, 6),
    updates: random.between(4, 24),
    keyChanges: random.oneIn(3) ? random.between(2, 6) : 0,
    slowNetwork,
    slowDisk,
    splitCommits,
    badHints: !isCalm && random.oneIn(2),
    databaseClockJumps,
    wrongClocks,
    forks,
    hasAllAddresses: forks && random.oneIn(2),
    isBounded:
      !forks && !wrongClocks && !slowNetwork && !slowDisk && !splitCommits && !databaseClockJumps,
  };
}
