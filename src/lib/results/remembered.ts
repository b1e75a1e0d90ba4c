/**
 * A function that computes each result once while it is remembered. At most `max` results are; when there
 * are as many, all are forgotten before the next one.
 */
export function remembered<Key, Result>(
  max: number,
  compute: (key: Key) => Result,
): (key: Key) => Result {
  const results = new Map<Key, Result>();
  return (key) => {
    if (results.has(key)) return results.get(key) as Result;
    const result = compute(key);
    if (results.size === max) results.clear();
    results.set(key, result);
    return result;
  };
}

/** A function that computes the result for each object once. The result is released with the object. */
export function rememberedWith<Key extends WeakKey, Result extends string | object>(
  compute: (key: Key) => Result,
): (key: Key) => Result {
  const results = new WeakMap<Key, Result>();
  return (key) => {
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = compute(key);
    results.set(key, result);
    return result;
  };
}
