import { join } from 'node:path';

import { project } from '../docs/blocks.ts';
import { attempt, run } from './commands.ts';

/** Why no bare machine can be created here; undefined when one can. */
export function obstacle(tools: readonly string[]): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can create a system to install in';
  const missing = tools.filter((tool) => attempt(['sh', '-c', `command -v ${tool}`]).status !== 0);
  return missing.length === 0 ? undefined : `${missing.join(', ')} not installed`;
}

/** Creates the file system of a Debian with only its essential packages (`.ci/bare-debian`). */
export function makeBareDebian(root: string): void {
  run(['bash', join(project, '.ci/bare-debian'), root]);
}
