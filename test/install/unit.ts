import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { project } from '../docs/blocks.ts';
import type { Circumstances } from './machine.ts';

/** The steps that systemd takes for `deploy/systemd/pizarra.service`, for a machine without systemd. */
export interface Unit {
  readonly execStart: string;
  readonly circumstances: Circumstances;
  /** Creates the directories of the service, as root. */
  readonly directories: string;
}

export function readUnit(): Unit {
  const text = readFileSync(join(project, 'deploy/systemd/pizarra.service'), 'utf8');
  const valueOf = (name: string): string => {
    const value = new RegExp(`^${name}=(.+)$`, 'm').exec(text)?.[1];
    if (value === undefined) throw new Error(`the unit has no ${name}`);
    return value;
  };
  const user = valueOf('User');
  const group = valueOf('Group');
  const state = `/var/lib/${valueOf('StateDirectory')}`;
  const mode = valueOf('StateDirectoryMode');
  return {
    execStart: valueOf('ExecStart'),
    circumstances: {
      user,
      group,
      umask: valueOf('UMask'),
      cwd: valueOf('WorkingDirectory'),
      env: { HOME: state, USER: user, LOGNAME: user },
    },
    directories: `install -d -o ${user} -g ${group} -m ${mode} ${state} && install -d /etc/${valueOf('ConfigurationDirectory')}`,
  };
}
