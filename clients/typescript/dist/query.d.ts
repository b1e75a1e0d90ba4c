/** The query of a request. Absent values are left out, lists are separated by commas. */
export declare function queryOf(parameters: Readonly<Record<string, unknown>>): string;
//# sourceMappingURL=query.d.ts.map