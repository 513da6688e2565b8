// The Worker's HTTP surface; it reads top to bottom as the way of a request.
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import { requestId } from 'hono/request-id';
import { secureHeaders } from 'hono/secure-headers';
import { problem } from '../shared/problems.ts';
import type { Env } from './env.ts';
import { authenticate } from './gateway/authenticate.ts';
import { ProblemError, problemResponse } from './problem-error.ts';
import { connectRoutes } from './routes/connect.ts';
import { healthRoutes } from './routes/health.ts';
import { sheetsRoutes } from './routes/sheets.ts';
import { createServices, type Edges } from './services.ts';

/** 1,000 keys of the greatest length that a website can have fit. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/**
 * Makes the app.
 * @param edges - time, and the embedded provider where there is one
 */
export function createApp<E extends Env = Env>(edges: Edges<E>): Hono<{ Bindings: E }> {
  const services = createServices(edges);
  const app = new Hono<{ Bindings: E }>();

  app.use(requestId());
  app.use(secureHeaders());
  app.route('/health', healthRoutes());
  app.route('/connect', connectRoutes());

  const tooLarge = () => problemResponse(problem('too_large'));
  app.use('/sheets/*', bodyLimit({ maxSize: MAX_BODY_BYTES, onError: tooLarge }));
  app.use('/sheets/*', authenticate(services.now));
  app.route('/sheets/v1', sheetsRoutes(services));

  app.notFound(() => problemResponse(problem('not_found', 'There is nothing at this address.')));
  app.onError((error, c) => {
    if (error instanceof ProblemError) return problemResponse(error.problem);
    if (error instanceof HTTPException) return error.getResponse();
    console.error(
      JSON.stringify({ event: 'internal_error', request: c.get('requestId'), error: error.name }),
    );
    return problemResponse(problem('internal'));
  });
  return app;
}
