/**
 * The entry of the package for programs: `import { startService } from 'pizarra'`. docs/embedding.md
 * documents it. This file loads nothing that an older Node cannot parse, so that such a Node gets the
 * message of {@link startService}.
 */
import { OperatorFault, UsageFault } from '../lib/reports/operator-fault.ts';
import { StoreFault } from '../store/contract/store-fault.ts';
import type { EmbeddedService, ServiceOptions } from './embedded-service.ts';

export type { EmbeddedService, ServiceOptions };
export type { IssuedKey, KeyRequest } from './embedded-service.ts';
export type { Log } from '../lib/reports/log.ts';
export type { StoreFaultCode } from '../store/contract/store-fault.ts';
export { OperatorFault, StoreFault, UsageFault };

/** The oldest Node that has everything that the service needs. */
const requiredMajor = 26;

/**
 * Starts a service in this process. Several can run in one process, each on a store of its own.
 * The service changes nothing of the process: it installs no signal handler, never ends the process,
 * writes nothing to its output, and reads neither flags, `PIZARRA_…` variables nor `pizarra.yaml`.
 *
 * @param options the settings of docs/settings.md by their names, the feeds, and a log.
 * @returns the running service, when both listeners accept requests.
 * @throws UsageFault that lists every invalid option, and an OperatorFault for what else the caller can
 *   correct, such as a port in use or an unreadable certificate.
 * @throws StoreFault when the store cannot be used. Its `code` is `busy` when another service runs on it.
 */
export async function startService(options: ServiceOptions = {}): Promise<EmbeddedService> {
  const { node } = process.versions;
  if (Number(node.split('.')[0]) < requiredMajor) {
    throw new OperatorFault(
      `Pizarra requires Node ${requiredMajor} or newer, and this is Node ${node}.`,
    );
  }
  const { openEmbedded } = await import('./open-embedded.ts');
  return openEmbedded(options);
}
