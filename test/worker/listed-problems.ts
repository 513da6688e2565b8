// Checks that responses have no problem that the declaration of their route does not list.
import type { EndpointAddress } from '../../shared/api/endpoint.ts';
import type { Problem } from '../../shared/problems.ts';
import { adminRouteTable } from '../../worker/routes/admin/index.ts';
import { dropInRoutes } from '../../worker/routes/cdapi/problems.ts';
import { sheetsRouteTable } from '../../worker/routes/sheets/routes.ts';
import { signInRouteTable } from '../../worker/routes/sheets/sign-in.ts';

const routesByPrefix = {
  '/sheets/v1': [...sheetsRouteTable, ...signInRouteTable],
  '/admin/v1': adminRouteTable,
  '/cdapi': dropInRoutes,
};

/** Finds the route of a path. The key of a record may contain slashes. */
export function findRoute<R extends EndpointAddress>(
  table: readonly R[],
  method: string,
  address: string,
): R | undefined {
  const [path = ''] = address.split('?');
  const toPattern = (template: string) =>
    new RegExp(`^${template.replace(/\{key\}$/, '.+').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  return table.find((route) => route.method === method && toPattern(route.path).test(path));
}

async function readProblemCode(response: Response): Promise<string | null> {
  if (!response.headers.get('content-type')?.startsWith('application/problem+json'))
    return response.headers.get('x-problem');
  const { code } = await response.clone().json<Problem>();
  return code;
}

/** Problems that their routes do not list. Every test must leave this empty. */
export const unlistedProblems: string[] = [];

/**
 * Checks that the route of a response lists its problem.
 * @param address - path and query
 */
export async function checkProblem(method: string, address: string, response: Response): Promise<void> {
  const code = await readProblemCode(response);
  if (code === null) return;
  for (const [prefix, table] of Object.entries(routesByPrefix)) {
    if (!address.startsWith(`${prefix}/`)) continue;
    const route = findRoute<(typeof table)[number]>(table, method, address.slice(prefix.length));
    if (route !== undefined && !route.problems.some((listed) => listed === code))
      unlistedProblems.push(`${method} ${prefix}${route.path}: ${code}`);
  }
}
