import { basename } from 'node:path';

import { isSeq, type Node } from 'yaml';

import { ImportRefusal } from '../refusals/import-refusal.ts';
import { YamlFile } from '../../universe/files/yaml-file.ts';
import { actionFields, readAction, type ActionField, type FieldTexts } from './action-fields.ts';
import {
  notActions,
  type ActionContext,
  type ActionFile,
  type ActionText,
  type LocatedAction,
} from './action-file.ts';

/** Maximum length of a YAML file, in characters. Its nodes take some 200 bytes for each character. */
const charsMax = 2_097_152;

/** Reads a YAML list of actions, or a map with the key `actions` and such a list. */
export function yamlActions(source: ActionText, { universe, recorded }: ActionContext): ActionFile {
  if (source.text.length > charsMax) {
    const message = `it is a YAML file of more than ${charsMax} characters; split it into several files, or use CSV`;
    throw new ImportRefusal('too-large', message);
  }
  const yaml = new YamlFile(source);
  if (yaml.isReadable && !isSeq(yaml.root) && !yaml.isMap(yaml.root))
    return notActions(source.file);
  const actions: LocatedAction[] = [];
  const context = { universe, recorded, source: basename(source.file) };
  for (const node of itemsOf(yaml)) {
    const before = yaml.faults.length;
    const fields = yaml.fields(node, 'an action', {
      required: actionFields.slice(0, 3),
      optional: actionFields.slice(3),
    });
    const texts = Object.fromEntries(
      actionFields.map((field) => {
        const value = fields.get(field)?.value ?? null;
        return [field, (value === null ? undefined : yaml.text(value, field)) ?? ''];
      }),
    ) as FieldTexts;
    if (yaml.faults.length > before) continue;
    const wrong = (field: ActionField, message: string): void =>
      yaml.fault(fields.get(field)?.value ?? node, `${field}: ${message}`, texts[field]);
    const action = readAction(texts, context, wrong);
    if (action !== undefined) actions.push({ action, line: yaml.located(node, '').line });
  }
  return { actions, faults: yaml.faults, unknown: [] };
}

function itemsOf(yaml: YamlFile): readonly Node[] {
  if (!yaml.isReadable) return [];
  if (!yaml.isMap(yaml.root)) return yaml.items(yaml.root, 'the file');
  const fields = yaml.fields(yaml.root, 'the file', { required: ['actions'] });
  const list = fields.get('actions');
  return list === undefined ? [] : yaml.items(list.value, 'actions');
}
