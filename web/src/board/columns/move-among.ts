import { placeAt } from '../../ui/order/use-drag-order.ts';

/**
 * The items with one of them moved past its neighbour among the visible ones. The others may have items
 * between them that are not visible.
 */
export function moveAmong<T>(
  items: readonly T[],
  visible: readonly T[],
  moved: T,
  by: 1 | -1,
): readonly T[] {
  const at = visible.indexOf(moved);
  const target = at === -1 ? undefined : visible[at + by];
  return target === undefined ? items : placeAt(items, moved, target);
}
