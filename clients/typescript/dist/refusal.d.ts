import { PizarraHttpError } from './errors.ts';
/** Whether the request may succeed later. */
export declare function isTemporary({ status }: PizarraHttpError): boolean;
/** The error of a response that is not a success. Reads its body. */
export declare function refusalOf(response: Response, url: string): Promise<PizarraHttpError>;
//# sourceMappingURL=refusal.d.ts.map