import { repeat } from '../../lib/time/repeat.ts';
import type { WriterNode } from '../../store/contract/place.ts';
import type { Arrangement } from './arrangement.ts';
import type { ServedParts } from './reload.ts';
import { SoloNode } from './solo-node.ts';

/** How often a demonstration checks whether real data exists, in milliseconds. */
const realDataPollMs = 500;

/**
 * One process that writes and serves, over a store that no other machine reads.
 *
 * @throws StoreFault when the place is claimed, or the store cannot be opened.
 */
export async function arrangeSolo({
  node,
  parts,
}: {
  readonly node: WriterNode;
  readonly parts: ServedParts;
}): Promise<Arrangement> {
  const { place } = parts;
  await using cleanUp = new AsyncDisposableStack();
  const claim = cleanUp.use(await place.claim(node));
  const store = cleanUp.use(await place.open({ mode: 'create', claim }));
  const running = cleanUp.move();
  return {
    store,
    serve: async (listenersOf) => {
      const solo = await SoloNode.open(store, { ...parts, claim }, listenersOf);
      if (solo.isSimulated) {
        const onFault = (fault: unknown): void =>
          parts.log.error({ err: fault }, 'could not replace the demonstration, retrying');
        const replace = (): Promise<void> => solo.replaceDemonstration();
        running.use(repeat(replace, { pauseMs: realDataPollMs, onFault }));
      }
      return solo;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
