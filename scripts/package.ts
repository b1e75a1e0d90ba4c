/**
 * Builds the package: `npm run package`. It writes the files of the package to `build/package/` and packs
 * them to `build/pizarra-VERSION.tgz`, whose path it prints.
 *
 * The clone itself is not packed, because Node does not strip types below `node_modules`, and because npm
 * runs no script before it packs (`.npmrc`).
 */
import { join } from 'node:path';

import { pack } from './package/pack.ts';
import { stagePackage } from './package/stage.ts';

const project = join(import.meta.dirname, '..');
const build = join(project, 'build');
const stage = join(build, 'package');

await stagePackage(project, stage);
process.stdout.write(`${pack(stage, build)}\n`);
