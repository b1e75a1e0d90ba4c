import { isMap, isNode, isScalar, isSeq, type Document, type LineCounter } from 'yaml';

/**
 * Finds where a value of a YAML document stands. A path that leads further than the document does
 * gives the last value on the way.
 *
 * @returns line and column, from 1.
 */
export function yamlPlaceOf(
  document: Document,
  lines: LineCounter,
  path: readonly (string | number)[],
  part: 'key' | 'value' = 'value',
): { readonly line: number; readonly column: number } {
  let node: unknown = document.contents;
  let key: unknown;
  for (const step of path) {
    const pair = isMap(node)
      ? node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(step))
      : undefined;
    const next = pair?.value ?? (isSeq(node) ? node.items[Number(step)] : undefined);
    if (next === undefined || next === null) break;
    node = next;
    key = pair?.key;
  }
  const found = part === 'key' && key !== undefined ? key : node;
  const offset = isNode(found) ? (found.range?.[0] ?? 0) : 0;
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}
