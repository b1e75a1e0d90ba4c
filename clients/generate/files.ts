import { pythonTypes } from './python.ts';
import { readContract } from './schemas.ts';
import { typescriptTypes } from './typescript.ts';

/** The generated files of the clients, by their path from the root of the repository. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const contract = readContract();
  return new Map([
    ['clients/typescript/src/contract.ts', typescriptTypes(contract)],
    ['clients/python/src/pizarra_client/contract.py', pythonTypes(contract)],
  ]);
}
