// Calls the admin API inside the Worker, so that the console can do nothing that the API can't.
import { type AdminName, type AdminResponse, adminEndpoints } from '../../../shared/api/admin-endpoints.ts';
import type { RequestArguments, RequestOf } from '../../../shared/api/endpoint.ts';
import { adminRoutes } from '../admin/index.ts';
import type { RouteContext } from '../admin/route.ts';

/** What the admin API needs to know about the admin and the request. */
export type AdminCallContext = Omit<RouteContext, 'request'>;

/** Parameters of a call; absent and empty ones are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

interface AnyRequest {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Query;
  readonly headers?: Query;
  readonly body?: unknown;
}

/** What an endpoint takes. Values of a body may be as a form has them: the route validates them. */
type AdminRequest<N extends AdminName> = {
  readonly [P in keyof RequestOf<(typeof adminEndpoints)[N]>]: P extends 'body'
    ? { readonly [K in keyof RequestOf<(typeof adminEndpoints)[N]>[P]]: unknown }
    : RequestOf<(typeof adminEndpoints)[N]>[P];
};

/** The body that an endpoint takes. */
export type AdminBody<N extends AdminName> = AdminRequest<N> extends { body: infer B } ? B : never;

const listGiven = (values: Query = {}): [string, string][] =>
  Object.entries(values).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );

/** Calls the admin API as a signed-in admin, whom the console has authenticated. */
export class AdminClient {
  readonly #origin: string;
  readonly #context: AdminCallContext;

  /** @param origin - of the console's request */
  constructor(origin: string, context: AdminCallContext) {
    this.#origin = origin;
    this.#context = context;
  }

  /**
   * Calls an endpoint for its response as it is, for downloads.
   * @throws ProblemError
   */
  fetch<N extends AdminName>(name: N, request: AdminRequest<N>): Promise<Response>;
  async fetch(name: AdminName, { params = {}, query, headers, body }: AnyRequest): Promise<Response> {
    const { method, path, respond } = adminRoutes[name];
    const url = new URL(`${this.#origin}/admin/v1${path}`);
    for (const [key, value] of listGiven(query)) url.searchParams.set(key, value);
    const request = new Request(url, {
      method,
      headers: listGiven(headers),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return respond({ ...this.#context, request }, params);
  }

  /**
   * Calls an endpoint.
   * @throws ProblemError
   */
  call<N extends AdminName>(
    name: N,
    ...request: RequestArguments<AdminRequest<N>>
  ): Promise<AdminResponse<N>>;
  async call(name: AdminName, request: AnyRequest = {}): Promise<unknown> {
    const { response } = adminEndpoints[name];
    const answer = await this.fetch<AdminName>(name, request);
    return response?.parse(await answer.json());
  }
}
