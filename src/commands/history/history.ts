import type { Group } from '../form/command.ts';
import { log } from './log.ts';
import { revert } from './revert.ts';
import { compare } from './compare.ts';
import { confirm } from './confirm.ts';
import { fetch } from './fetch.ts';

export const history: Group = {
  name: 'history',
  summary:
    'fetch daily closes from the configured sources, compare, confirm, list their changes, or put one back',
  commands: [fetch, compare, confirm, log, revert],
};
