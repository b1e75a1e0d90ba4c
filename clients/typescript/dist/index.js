export { PizarraClient } from './client.js';
export { historyColumns } from './columns.js';
export { PizarraConnectionError, PizarraError, PizarraHttpError, PizarraResponseError, PizarraTimeoutError, } from './errors.js';
//# sourceMappingURL=index.js.map