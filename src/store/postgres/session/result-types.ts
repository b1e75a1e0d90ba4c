import { types, type CustomTypesConfig } from 'pg';

/** Object id of the type `bigint`. */
const int8 = 20;

/** `bigint` columns contain versions, revisions and instants, all below 2^53. */
export const resultTypes: CustomTypesConfig = {
  getTypeParser: ((oid: number) =>
    oid === int8 ? Number : types.getTypeParser(oid, 'text')) as CustomTypesConfig['getTypeParser'],
};
