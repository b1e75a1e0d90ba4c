import { Counter, type Registry } from 'prom-client';
import type { ProgramLog } from '../log/make-log.ts';

/** Measures the log of the program. */
export function measureLog(registry: Registry, { dropped }: Pick<ProgramLog, 'dropped'>): void {
  registry.registerMetric(
    new Counter({
      name: 'pizarra_log_lines_dropped_total',
      help: 'Log lines that were dropped because the log was not read.',
      registers: [],
      collect() {
        this.reset();
        this.inc(dropped());
      },
    }),
  );
}
