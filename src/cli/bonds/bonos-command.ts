import { Command } from 'commander';
import { calcularCommand } from './calcular-command.ts';
import { checkCommand } from './check-command.ts';
import { flujosCommand } from './flujos-command.ts';

/** `pizarra bonos`: the commands for the terms and the figures of bonds. */
export function bonosCommand(): Command {
  return new Command('bonos')
    .description('check the terms of bonds, compute their yields, list their payments')
    .addCommand(checkCommand())
    .addCommand(calcularCommand())
    .addCommand(flujosCommand());
}
