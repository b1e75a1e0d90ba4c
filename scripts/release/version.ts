/** A version as semver.org defines it, without build metadata, which npm ignores. */
const pattern = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/;

/**
 * Checks the version of a release. It may be the current one, which the first release has.
 *
 * @throws when it is no version, or older than the current one.
 */
export function requireNotOlder(version: string, current: string): void {
  const [next, last] = [partsOf(version), partsOf(current)];
  if (next === undefined || last === undefined) {
    throw new Error(`${version} is not a version such as 1.2.3 or 1.2.3-rc.1.`);
  }
  if (compare(next, last) < 0) {
    throw new Error(`${version} is older than the current version, ${current}.`);
  }
}

interface Parts {
  readonly numbers: readonly number[];
  /** The identifiers of a pre-release. Empty for a release. */
  readonly pre: readonly string[];
}

function partsOf(version: string): Parts | undefined {
  const match = pattern.exec(version);
  if (match === null) return undefined;
  return { numbers: match.slice(1, 4).map(Number), pre: match[4]?.split('.') ?? [] };
}

/** Orders versions by precedence (semver.org, section 11). */
function compare(one: Parts, other: Parts): number {
  for (const [at, number] of one.numbers.entries()) {
    const difference = number - (other.numbers[at] ?? 0);
    if (difference !== 0) return difference;
  }
  if (one.pre.length === 0 || other.pre.length === 0) return other.pre.length - one.pre.length;
  for (const [at, identifier] of one.pre.entries()) {
    const difference = compareIdentifiers(identifier, other.pre[at]);
    if (difference !== 0) return difference;
  }
  return one.pre.length - other.pre.length;
}

function compareIdentifiers(one: string, other: string | undefined): number {
  if (other === undefined) return 1;
  const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (isNumber && isOtherNumber) return Number(one) - Number(other);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return one < other ? -1 : Number(one > other);
}
