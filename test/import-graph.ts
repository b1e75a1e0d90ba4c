import { posix } from 'node:path';

import type { SourceFile } from './support/project/source-tree.ts';

/** An import of one file by another, imports of types included. */
export interface Edge {
  readonly from: string;
  readonly to: string;
}

/** The imports of files by files of the same tree. */
export function edgesOf(files: readonly SourceFile[]): readonly Edge[] {
  return files.flatMap(({ path, imports }) =>
    imports
      .filter((name) => name.startsWith('.'))
      .map((name) => ({ from: path, to: posix.join(posix.dirname(path), name) })),
  );
}

/** The imports of folders by folders: a folder imports what the files directly in it import. */
export function folderEdges(edges: readonly Edge[]): readonly Edge[] {
  return edges
    .map(({ from, to }) => ({ from: posix.dirname(from), to: posix.dirname(to) }))
    .filter(({ from, to }) => from !== to);
}

/** The groups of nodes that all reach each other, each group and all groups in alphabetical order. */
export function cyclesOf(edges: readonly Edge[]): readonly (readonly string[])[] {
  const reached = new Map<string, ReadonlySet<string>>();
  const nodes = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const next = Map.groupBy(edges, ({ from }) => from);
  for (const node of nodes) reached.set(node, reachedFrom(node, next));
  const groups = [...nodes].flatMap((node) => {
    const group = [...(reached.get(node) ?? [])].filter((one) => reached.get(one)?.has(node));
    return group.length === 0 ? [] : [group.toSorted()];
  });
  const distinct = new Map(groups.map((group) => [group.join(' '), group]));
  return [...distinct.keys()].toSorted().map((key) => distinct.get(key) ?? []);
}

/** All nodes at the end of a path from a node, itself only if it is on a cycle. */
function reachedFrom(
  node: string,
  next: ReadonlyMap<string, readonly Edge[]>,
): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [node];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const { to } of next.get(at) ?? []) {
      if (reached.has(to)) continue;
      reached.add(to);
      open.push(to);
    }
  }
  return reached;
}
