import type { Group } from '../form/command.ts';
import { fetch } from './fetch.ts';
import { importCommand } from './import.ts';
import { check, list } from './list.ts';

export const indices: Group = {
  name: 'indices',
  summary:
    'import, list, fetch and check the indices to which bonds refer: CER, UVA, A3500, TAMAR, BADLAR',
  commands: [importCommand, list, fetch, check],
};
