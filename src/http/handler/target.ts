const absoluteForm = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

/**
 * The path and the query of a request target.
 *
 * The absolute form is accepted and its authority ignored (RFC 9112 3.2.2): this service does not
 * serve several hosts.
 */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const withoutAuthority = target.replace(absoluteForm, '');
  return pathOf(withoutAuthority) === '' ? `/${withoutAuthority}` : withoutAuthority;
}

/** The text after the first `?`, as sent. */
export function queryOf(target: string): string {
  const mark = target.indexOf('?');
  return mark === -1 ? '' : target.slice(mark + 1);
}

/** The text before the first `?`, as sent. */
export function pathOf(target: string): string {
  const mark = target.indexOf('?');
  return mark === -1 ? target : target.slice(0, mark);
}

/** Whether a target names a path. `*` (OPTIONS) and an authority (CONNECT) do not. */
export function isPath(target: string): boolean {
  return target.startsWith('/');
}

/** A path with its percent-encodings decoded, except those of delimiters; as sent if it is malformed. */
export function decodedPath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
