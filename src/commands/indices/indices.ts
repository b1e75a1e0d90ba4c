import { indexNames } from '../../domain/indices/index-name.ts';
import type { Group } from '../form/command.ts';
import { fetch } from './fetch.ts';
import { importCommand } from './import.ts';
import { check, list } from './list.ts';

export const indices: Group = {
  name: 'indices',
  summary: `import, list, fetch and check indices: ${indexNames.join(', ')}`,
  commands: [importCommand, list, fetch, check],
};
