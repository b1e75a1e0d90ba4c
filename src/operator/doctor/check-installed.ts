import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { StorePlace } from '../../store/contract/place.ts';
import { fine, warning, type Finding } from '../../lib/reports/finding.ts';

/** Where systemd searches units of the system, first those of the administrator. */
const systemUnits = [
  '/etc/systemd/system',
  '/run/systemd/system',
  '/usr/local/lib/systemd/system',
  '/usr/lib/systemd/system',
  '/lib/systemd/system',
];

/** The unit that `deploy/systemd` installs. */
const unitName = 'pizarra.service';

/**
 * Says that no service runs on a place. That is a warning where one is installed: systemd has a unit of it, or the
 * directory of the place has data.
 */
export function checkInstalled(
  { name, directory }: Pick<StorePlace, 'name' | 'directory'>,
  unitFolders: readonly string[] = systemUnits,
): Finding {
  const unit = unitFolders.map((folder) => join(folder, unitName)).find((path) => existsSync(path));
  if (unit !== undefined) {
    return warning('service', `No service runs on ${name}, and ${unit} is installed.`, {
      todo: 'Start it with "systemctl start pizarra". "systemctl status pizarra" and "journalctl -u pizarra" say why it ended.',
    });
  }
  if (directory !== undefined && hasFiles(directory)) {
    return warning('service', `No service runs on ${name}, which has data.`, {
      todo: 'Start it with "pizarra serve", unless it is stopped on purpose.',
    });
  }
  return fine('service', `No service runs on ${name}.`);
}

function hasFiles(directory: string): boolean {
  try {
    return readdirSync(directory).length > 0;
  } catch {
    // A directory that cannot be read is the subject of another check.
    return false;
  }
}
