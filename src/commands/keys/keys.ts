import type { Group } from '../form/command.ts';
import { changes } from './change.ts';
import { create, rotate } from './create.ts';
import { audit, list, show } from './read.ts';

export const keys: Group = {
  name: 'keys',
  summary: 'create, list, change, rotate and revoke API keys',
  commands: [create, list, show, rotate, ...changes, audit],
};
