import { basename } from 'node:path';

import { readCsvTable } from '../../universe/files/csv-table.ts';
import { actionFields, readAction, type ActionField, type FieldTexts } from './action-fields.ts';
import type { ActionContext, ActionFile, ActionText, LocatedAction } from './action-file.ts';

const columns = actionFields.map((field) => field.toLowerCase());
const optional = new Set(columns.slice(3));

/** Reads a CSV table of actions. The columns are {@link actionFields}, in any order and case. */
export function csvActions(source: ActionText, { universe, recorded }: ActionContext): ActionFile {
  const actions: LocatedAction[] = [];
  const context = { universe, recorded, source: basename(source.file) };
  const faults = readCsvTable(
    source,
    columns,
    ({ line, cells }, report) => {
      const texts = Object.fromEntries(
        actionFields.map((field) => [field, cells[field.toLowerCase()] ?? '']),
      ) as FieldTexts;
      const wrong = (field: ActionField, message: string): void =>
        report(field.toLowerCase(), texts[field], message);
      const action = readAction(texts, context, wrong);
      if (action !== undefined) actions.push({ action, line });
    },
    optional,
  );
  return { actions, faults, unknown: [] };
}
