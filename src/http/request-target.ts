const absoluteForm = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

/**
 * The path and query that a request target means.
 *
 * An absolute form is legal and its authority is ignored (RFC 9112 3.2.2): this service answers for
 * no host in particular. A path that does not decode is taken literally, so that it goes the way of
 * every unknown path instead of a way of its own.
 */
export function originForm(target: string): string {
  // Nearly every target is one already, and nothing in it needs a second look.
  if (target.startsWith('/') && !target.includes('%')) return target;
  const withoutAuthority = target.replace(absoluteForm, '');
  const path = pathOf(withoutAuthority);
  const query = withoutAuthority.slice(path.length);
  const rooted = path === '' ? '/' : path;
  return (isDecodable(rooted) ? rooted : rooted.replaceAll('%', '%25')) + query;
}

/** What follows the first `?`, as it was sent; the parameters are read out of this. */
export function queryOf(target: string): string {
  const mark = target.indexOf('?');
  return mark === -1 ? '' : target.slice(mark + 1);
}

/** What comes before the first `?`, as it was sent. */
export function pathOf(target: string): string {
  const mark = target.indexOf('?');
  return mark === -1 ? target : target.slice(0, mark);
}

/** Whether a target names a path. `*` (OPTIONS) and an authority (CONNECT) do not. */
export function isPath(target: string): boolean {
  return target.startsWith('/');
}

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
