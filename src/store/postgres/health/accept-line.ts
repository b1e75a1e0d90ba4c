import {
  lineText,
  lineageText,
  parseLine,
  parseLineage,
  type Line,
} from '../../../cluster/lineage.ts';
import { StoreFault } from '../../contract/store-fault.ts';
import type { ReconnectingSession } from '../connection/reconnecting-session.ts';
import { postgresNotes } from '../nodes/postgres-nodes.ts';
import { lineageNote, readServer } from '../line/line-keeper.ts';

/** Maximum time to read the line, in milliseconds. */
const readMs = 2_000;

/**
 * Writes into the store that it replaces a line, and whatever it replaced before. Returns its own line.
 *
 * @throws StoreFault `conflict` or `unsupported`. Then nothing is changed.
 */
export async function acceptLine(connection: ReconnectingSession, text: string): Promise<string> {
  const replaced = parseLine(text);
  if (replaced === undefined) {
    throw new StoreFault(
      'conflict',
      `"${text}" is no line. Copy it from the refusal: SYSTEM/TIMELINE, such as 7391234567890123456/2`,
    );
  }
  const { line } = await readServer(await connection.session(), readMs);
  if (line === undefined) {
    throw new StoreFault(
      'unsupported',
      `${connection.where} does not tell its line, so none is compared`,
    );
  }
  if (line.system === replaced.system && line.timeline >= replaced.timeline) {
    throw new StoreFault(
      'conflict',
      `${connection.where} is on line ${lineText(line)}, which follows ${lineText(replaced)}: nothing to accept`,
    );
  }
  const notes = postgresNotes(connection);
  const before = parseLineage((await notes.read(lineageNote)) ?? '');
  const earlier = before === undefined ? [] : [before.line, ...before.insteadOf];
  const insteadOf = highest([...earlier.filter(({ system }) => system !== line.system), replaced]);
  await notes.write(lineageNote, lineageText({ line, insteadOf }));
  return lineText(line);
}

/** The highest line of each system. */
function highest(lines: readonly Line[]): readonly Line[] {
  const found = new Map<string, Line>();
  for (const one of lines) {
    if (one.timeline > (found.get(one.system)?.timeline ?? 0)) found.set(one.system, one);
  }
  return [...found.values()];
}
