import type { ErrorResponse } from '../../wire/texts/error-texts.ts';
import { udfError } from '../../wire/udf/udf-error.ts';
import { decodedPath } from '../handler/target.ts';

/** Gives each error the form of its path (contract 4.15.1), whatever refuses the request. */
export function udfErrors(basePath: string): (path: string, error: ErrorResponse) => ErrorResponse {
  const root = `${basePath}/udf`;
  return (path, error) => {
    const decoded = decodedPath(path);
    return decoded === root || decoded.startsWith(`${root}/`) ? udfError(error) : error;
  };
}
