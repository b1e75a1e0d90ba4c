/** The subject `commits` counts every transaction of any process that changed something. */
export const commitCount = `
  INSERT INTO revisions (subject, value) VALUES ('commits', 0);
`;
