import type { CallToolResult } from '@modelcontextprotocol/server';
import { ServiceFault } from './service-fault.ts';

/** What an agent may assume of every tool: it reads, and the same call changes nothing. */
export const readOnly = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/**
 * The result of a tool as structured content, and as the same JSON in a text for hosts without structured
 * content. A fault of the service becomes an error that the agent can read and act upon.
 */
export async function toolResult(
  run: () => Promise<Readonly<Record<string, unknown>>>,
): Promise<CallToolResult> {
  try {
    const structuredContent = await run();
    const content: CallToolResult['content'] = [
      { type: 'text', text: JSON.stringify(structuredContent) },
    ];
    return { content, structuredContent };
  } catch (fault) {
    if (!(fault instanceof ServiceFault)) throw fault;
    return { content: [{ type: 'text', text: fault.message }], isError: true };
  }
}
