/** `commits` counts every transaction that changed anything, by whatever process. */
export const commitCount = `
  INSERT INTO revisions (subject, value) VALUES ('commits', 0);
`;
