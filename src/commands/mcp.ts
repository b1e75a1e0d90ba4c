import { programVersion } from '../node/program-version.ts';
import { agentKeyVariable, agentUrlVariable } from './form/flags.ts';
import { command } from './form/command.ts';

const urlDefault = 'http://127.0.0.1:8080';

/**
 * Tools for an agent, on standard input and output. The key is never an argument, because all users of a machine see
 * the arguments of a program.
 */
export const mcp = command({
  name: 'mcp',
  summary: 'serve quotes and history to an AI agent (Model Context Protocol on stdio)',
  flags: {
    url: {
      value: '<URL>',
      text: `the public listener of the service (${agentUrlVariable}; default ${urlDefault})`,
    },
    keyFile: {
      value: '<FILE>',
      text: `a file with the key (default: the key in ${agentKeyVariable})`,
    },
  },
  examples: [
    'pizarra mcp --key-file ~/.config/pizarra/key',
    'pizarra mcp --url https://quotes.example --key-file ~/.config/pizarra/key',
  ],
  async run({ flags: { url, keyFile }, printError }) {
    // Loaded only now, because the help does not need the packages of the protocol.
    const { serveAgents } = await import('../operator/serve-agents.ts');
    await serveAgents({
      url: url ?? process.env[agentUrlVariable] ?? urlDefault,
      keyFile,
      key: process.env[agentKeyVariable],
      version: programVersion(),
      onFault: ({ message }) => printError(`pizarra: ${message}\n`),
    });
  },
});
