import type { Settings } from './settings.ts';

/**
 * Limits on what the whole service may take. Several processes share them out, in equal parts rounded
 * up, because clients spread over the processes evenly: memory and descriptors stay what the operator
 * allowed.
 *
 * Limits on one client are not among them. Where its connections end up is chance, and none is to be
 * refused that keeps to what it was told; so those hold in each process as they are.
 */
const sharedOut = ['historyCacheMib', 'streamsMax', 'connectionsMax'] as const;

/** The settings of one process of so many. */
export function limitsPerProcess(settings: Settings, processes: number): Settings {
  const parts = sharedOut.map((name) => [name, Math.ceil(settings[name] / processes)]);
  return { ...settings, ...Object.fromEntries(parts) };
}
