import { existsSync } from 'node:fs';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A link or a picture in Markdown: its mark, its text, and its target without a title. */
const link = /(!?)\[([^\]]*)\]\(([^)\s]+)\)/g;

/** The start or the end of a fenced block. */
const fence = /^ *```/;

/**
 * Rewrites the documents of a staged package: a link to a file that only the repository has becomes its text, with
 * that remark. So no link of a packed document is dead.
 */
export async function rewriteDocuments(stage: string): Promise<void> {
  const names = await readdir(stage, { recursive: true });
  const documents = names.filter((name) => name.endsWith('.md') && !name.includes('node_modules'));
  for (const name of documents) {
    const path = join(stage, name);
    const text = await readFile(path, 'utf8');
    const exists = (target: string): boolean => existsSync(join(dirname(path), target));
    await writeFile(path, withoutDeadLinks(text, exists));
  }
}

/**
 * A document without links to files that do not exist. Fenced blocks stay as they are.
 *
 * @param exists says whether the file of a relative link exists.
 */
export function withoutDeadLinks(text: string, exists: (target: string) => boolean): string {
  let isBlock = false;
  const lines = text.split('\n').map((line) => {
    if (fence.test(line)) isBlock = !isBlock;
    return isBlock ? line : line.replaceAll(link, rewritten);
  });
  return lines.join('\n');

  function rewritten(whole: string, mark: string, shown: string, target: string): string {
    const [file = ''] = target.split('#');
    if (file === '' || /^[a-z]+:/.test(target) || exists(file)) return whole;
    return mark === '' ? `${shown} (in the repository)` : `(picture in the repository: ${shown})`;
  }
}
