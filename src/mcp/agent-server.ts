import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { addBarsTool } from './bars-tool.ts';
import { addBondsTool } from './bonds-tool.ts';
import { addDollarsTool } from './dollars-tool.ts';
import { addEventsTool } from './events-tool.ts';
import { addFlowsTool } from './flows-tool.ts';
import { addHistoryTool } from './history-tool.ts';
import { addIndicesTool } from './indices-tool.ts';
import { addMarketsTool } from './markets-tool.ts';
import { addQuotesTool } from './quotes-tool.ts';
import { addSearchTool } from './search-tool.ts';
import type { ServiceClient } from './service-client.ts';

// The reasons for which the SDK refuses arguments, as the texts of the service.
z.config(z.locales.es());

/** What an agent reads once, before it calls a tool. */
const instructions = `Cotizaciones y cierres del mercado argentino y de otros, de un servicio Pizarra. Solo lectura.
- Indicar siempre la fecha y la hora de un precio, y su demora si demoraMinutos es mayor que 0. Con el mercado cerrado, el precio es el de la última rueda. Con "atrasada", la fuente dejó de dar precios: decirlo.
- Si "datos" es "simulados", los precios son inventados: decirlo.
- "fecha" es la rueda, en la zona horaria del mercado. "hora" es la hora de Buenos Aires. Para saber qué día es hoy, usar "mercados".
- variacion, varMTD y varYTD son porcentajes (12 = 12 %), o puntos según unidadVariacion. null: no se puede calcular. Un campo ausente se desconoce: no completarlo.
- Los precios de bonos, letras y obligaciones negociables son cada 100 nominales: el valor de una tenencia es cantidad × precio ÷ precioPor. Sin precioPor no se puede valuar: no suponerlo.
- Si "truncado" es true, faltan filas: decirlo o pedirlas. Transmitir los "avisos".
- "faltan" nombra especies que no existen o no tienen datos: buscarlas con "buscar_especies" en lugar de suponer otra.
Always give the date, time and delay of a price; never fill in what is absent. A position is worth quantity × price ÷ precioPor.`;

/** A server of the Model Context Protocol whose tools read one service. */
export function createAgentServer(client: ServiceClient, version: string): McpServer {
  const server = new McpServer(
    { name: 'pizarra', title: 'Pizarra', version },
    { capabilities: { tools: {} }, instructions },
  );
  addQuotesTool(server, client);
  addHistoryTool(server, client);
  addBarsTool(server, client);
  addSearchTool(server, client);
  addEventsTool(server, client);
  addIndicesTool(server, client);
  addMarketsTool(server, client);
  addDollarsTool(server, client);
  addBondsTool(server, client);
  addFlowsTool(server, client);
  return server;
}
