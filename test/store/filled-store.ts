import { join } from 'node:path';
import type { TestContext } from 'node:test';

import { openPlace } from '../../src/node/place/open-place.ts';
import { storeInstallation, type Installation } from './installation-samples.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** Stores an installation in a place. */
export async function fill(storeAt: string, installation: Installation): Promise<void> {
  await using place = openPlace(storeAt);
  await using claim = await place.claim({ id: 'fill', name: 'here' });
  await using store = await place.open({ mode: 'create', claim, isResponsive: false });
  await storeInstallation(store, installation);
}

/** Names one directory after the other that does not exist yet. */
export async function directories(t: TestContext): Promise<() => string> {
  const parent = await temporaryDirectory(t);
  let count = 0;
  return () => join(parent, `${(count += 1)}`);
}
