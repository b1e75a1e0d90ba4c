import { readFileSync } from 'node:fs';

/**
 * With `--help`, prints the comment at the top of a program, and ends the process. A program calls this
 * before it does any work.
 */
export function helpIfRequested(program: string): void {
  if (!process.argv.includes('--help')) return;
  const [, comment = ''] = /\/\*\*\n(.*?)\n \*\//s.exec(readFileSync(program, 'utf8')) ?? [];
  process.stdout.write(`${comment.replaceAll(/^ \* ?/gm, '')}\n`);
  process.exit();
}
