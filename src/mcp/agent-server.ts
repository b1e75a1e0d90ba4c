import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { bondHistoryTool, bondsTool, dollarsTool, flowsTool } from './bond-tools.ts';
import { marketsTool, quotesTool, searchTool } from './quote-tools.ts';
import { barsTool, eventsTool, historyTool, indicesTool } from './series-tools.ts';
import type { ServiceAccess } from './service.ts';

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

/** In the order in which a host lists them. */
const tools = [
  quotesTool,
  historyTool,
  barsTool,
  searchTool,
  eventsTool,
  indicesTool,
  marketsTool,
  dollarsTool,
  bondsTool,
  bondHistoryTool,
  flowsTool,
];

/** A server of the Model Context Protocol whose tools read one service. */
export function createAgentServer(service: ServiceAccess, version: string): McpServer {
  const server = new McpServer(
    { name: 'pizarra', title: 'Pizarra', version },
    { capabilities: { tools: {} }, instructions },
  );
  for (const add of tools) add(server, service);
  return server;
}
