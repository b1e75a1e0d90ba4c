import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** Calls of each tool, good and bad. */
const calls: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  cotizaciones: [
    { especies: ['GGAL', 'AL30'] },
    { panel: 'LID', limite: 3 },
    { panel: 'XXX' },
    {},
    { especies: 'GGAL' },
  ],
  historicos: [
    { especie: 'GGAL', desde: '2026-11-01', hasta: '2026-11-20' },
    { especie: 'YPFD', desde: '2026-01-01', hasta: '2026-11-20', ajuste: 'total', limite: 5 },
    { especie: 'NADA', desde: '2026-11-01', hasta: '2026-11-20' },
  ],
  intradiarios: [{ especie: 'GGAL' }, { especie: 'AL30', intervalo: '60m' }],
  buscar_especies: [{ buscar: 'galicia' }, { texto: 'galicia' }, { panel: 'BON' }],
  eventos: [{ especie: 'YPFD', desde: '2026-01-01', hasta: '2026-12-31' }],
  indices: [{}, { indice: 'CER', desde: '2026-11-01', hasta: '2026-11-10' }],
  mercados: [{}, { anio: '2026' }],
  dolares: [{}, { dolar: 'mep' }],
  bonos: [
    { panel: 'BON', limite: 5 },
    { especies: ['AL30D'] },
    { especies: ['AL30D'], precio: 60 },
  ],
  historia_bono: [
    { especie: 'AL30', limite: 3 },
    { especie: 'AL30D', contra: 'GD30D' },
  ],
  flujos_bono: [{ especie: 'AL30' }, { especie: 'GGAL' }],
};

/** The list of tools, and the result of each call, by name. */
export async function agentAnswers(
  command: readonly string[],
  { env, cwd }: { readonly env: Readonly<Record<string, string>>; readonly cwd: string },
): Promise<ReadonlyMap<string, string>> {
  const [file = '', ...args] = command;
  const host = new Client({ name: 'replay', version: '1' });
  await host.connect(new StdioClientTransport({ command: file, args, env: { ...env }, cwd }));
  const answers = new Map<string, string>();
  const { tools } = await host.listTools();
  for (const tool of tools) answers.set(`list ${tool.name}`, JSON.stringify(tool, null, 1));
  for (const [name, list] of Object.entries(calls)) {
    for (const one of list) {
      const answer = await host
        .callTool({ name, arguments: one })
        .catch((fault: unknown) => ({ refused: String(fault) }));
      answers.set(`${name} ${JSON.stringify(one)}`, JSON.stringify(answer, null, 1));
    }
  }
  await host.close();
  return answers;
}
