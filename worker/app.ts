// The Worker's HTTP surface; it reads top to bottom as the way of a request.
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import { requestId } from 'hono/request-id';
import { secureHeaders } from 'hono/secure-headers';
import { type Problem, problem, problems } from '../shared/problems.ts';
import type { Env } from './env.ts';
import { authenticate } from './gateway/authenticate.ts';
import type { Edges } from './gateway/edges.ts';
import { ProblemError, problemResponse } from './problem-error.ts';
import { connectRoutes } from './routes/connect.ts';
import { healthRoutes } from './routes/health.ts';
import { sheetsRoutes } from './routes/sheets.ts';
import { createServices } from './services.ts';

/** 1,000 keys of the greatest length that a website can have fit. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/**
 * Makes the app.
 * @param edges - time, and the embedded provider where there is one
 * @param extend - adds routes that a deployment does not have
 */
export function createApp<E extends Env = Env>(
  edges: Edges<E>,
  extend: (app: Hono<{ Bindings: E }>) => void = () => {},
): Hono<{ Bindings: E }> {
  const services = createServices(edges);
  const app = new Hono<{ Bindings: E }>();

  app.use(requestId());
  app.use(async (c, next) => {
    await next();
    c.res.headers.set('x-request-id', c.get('requestId'));
  });
  app.use(secureHeaders());
  extend(app);
  app.route('/health', healthRoutes());
  app.route('/connect', connectRoutes());

  app.use('/sheets/*', authenticate(services.now));
  const tooLarge = () => problemResponse(problem('too_large'));
  app.use('/sheets/*', bodyLimit({ maxSize: MAX_BODY_BYTES, onError: tooLarge }));
  app.route('/sheets/v1', sheetsRoutes(services));

  app.notFound(() => problemResponse(problem('unknown_address')));
  app.onError((error, c) => {
    const id = c.get('requestId');
    const respond = (body: Problem): Response => problemResponse({ ...body, instance: `urn:uuid:${id}` });
    if (error instanceof ProblemError) return respond(error.problem);
    if (error instanceof HTTPException) return error.getResponse();
    console.error(JSON.stringify({ event: 'internal_error', request: id, error: error.name }));
    return respond(problem('internal', `${problems.internal.title} Request id: ${id}.`));
  });
  return app;
}
