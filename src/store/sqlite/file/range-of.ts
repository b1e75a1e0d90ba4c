/**
 * SQL of a relation with each day from `$2` to `$3` that a table has, and with every integer from `$4` to the largest
 * value of a column on that day. Its name is that of the column with an s. The key of the table is the day, this
 * column and the instrument. So a join with the relation looks up each row of one instrument by its key, and reads no
 * row of another one.
 */
export const rangeOf = (table: string, column: string): string => `
  WITH RECURSIVE days (day) AS (
    SELECT min(day) FROM ${table} WHERE day BETWEEN $2 AND $3
    UNION ALL
    SELECT (SELECT min(day) FROM ${table} WHERE ${table}.day > days.day AND ${table}.day <= $3)
    FROM days WHERE days.day IS NOT NULL
  ), ${column}s (day, ${column}, last) AS (
    SELECT day, max($4, (SELECT min(${column}) FROM ${table} WHERE ${table}.day = days.day)),
      (SELECT max(${column}) FROM ${table} WHERE ${table}.day = days.day)
    FROM days WHERE day IS NOT NULL
    UNION ALL SELECT day, ${column} + 1, last FROM ${column}s WHERE ${column} < last
  )`;
