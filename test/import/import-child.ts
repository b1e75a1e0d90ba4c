/** `pizarra import` as a process of its own, for tests that kill it. */
import { importCommand } from '../../src/cli/import-command.ts';

await importCommand().parseAsync(process.argv.slice(2), { from: 'user' });
