import { Command } from 'commander';
import { printError } from '../terminal/print.ts';
import { agentKeyVariable, agentUrlVariable } from '../flags/setting-options.ts';

interface McpFlags {
  readonly url?: string;
  readonly keyFile?: string;
}

const urlDefault = 'http://127.0.0.1:8080';

/**
 * `pizarra mcp`: tools for an agent, on standard input and output. The key is never an argument, because
 * all users of a machine see the arguments of a program.
 */
export function mcpCommand(version: string): Command {
  return new Command('mcp')
    .description('serve quotes and history to an AI agent (Model Context Protocol on stdio)')
    .option(
      '--url <URL>',
      `the public listener of the service (${agentUrlVariable}; default ${urlDefault})`,
    )
    .option('--key-file <FILE>', `a file with the key (default: the key in ${agentKeyVariable})`)
    .action(async ({ url, keyFile }: McpFlags) => {
      // Other commands do not load the packages of the protocol.
      const { serveAgents } = await import('../../operator/serve-agents.ts');
      await serveAgents({
        url: url ?? process.env[agentUrlVariable] ?? urlDefault,
        keyFile,
        key: process.env[agentKeyVariable],
        version,
        onFault: ({ message }) => printError(`pizarra: ${message}\n`),
      });
    });
}
