import type { Settings } from '../../config/settings/settings.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { OpenMode, StorePlace } from '../../store/contract/place.ts';
import type { Store } from '../../store/contract/store.ts';

/** What a command opens of its installation. It is closed after the command. */
export interface Installation {
  /** @throws {OperatorFault} when the universe has faults. */
  readonly readUniverse: () => Promise<Universe>;
  /** Where the store is. Nothing is opened yet. */
  readonly findPlace: () => Promise<StorePlace>;
  /** @throws {StoreFault} when the store cannot be opened so. */
  readonly openStore: (mode: OpenMode) => Promise<Store>;
}

/**
 * The universe and the store that the settings name. Their code is loaded when they are needed, because the help needs
 * neither.
 */
export function installationOf(
  configuration: () => Promise<{ readonly settings: Pick<Settings, 'store' | 'universe'> }>,
  open: AsyncDisposableStack,
): Installation {
  const findPlace = async (): Promise<StorePlace> => {
    const { settings } = await configuration();
    const { openPlace } = await import('../../node/place/open-place.ts');
    return open.use(openPlace(settings.store));
  };
  return {
    readUniverse: async () => {
      const { settings } = await configuration();
      const { requireUniverse } = await import('../../node/market/require-universe.ts');
      return await requireUniverse(settings.universe);
    },
    findPlace,
    openStore: async (mode) => open.use(await (await findPlace()).open({ mode })),
  };
}
