/** Variables of `pizarra mcp` and `pizarra universe pull`. They are no settings, and the other commands ignore them. */
export const agentKeyVariable = 'PIZARRA_KEY';
export const agentUrlVariable = 'PIZARRA_URL';
