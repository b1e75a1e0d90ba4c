/** Runs one import. `bench/history/import.ts` starts, pins and measures it. Arguments: FILE DATA UNIVERSE. */
import { runImport } from '../../../src/commands/import/import.ts';

const [file = '', storeAt = '', universeDirectory = ''] = process.argv.slice(2);
const { summary } = await runImport({
  sources: [file],
  storeAt,
  universeDirectory,
  stdin: process.stdin,
});
const { added } = summary.totals;
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
const cpuSeconds = (userCPUTime + systemCPUTime) / 1e6;
process.stdout.write(JSON.stringify({ added, peakKiB: maxRSS, cpuSeconds }));
