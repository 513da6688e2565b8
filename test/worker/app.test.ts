// The app as a whole: what every one of its routes shares.
import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { createApp } from '../../worker/app.ts';
import { testEdges } from './edges.ts';

it('finds its routes by the faster of its routers, which takes no parameter beside a fixed part of a path', async () => {
  const app = createApp(testEdges);
  const response = await app.request('/health', {}, env, createExecutionContext());
  expect(response.status).toBe(200);
  expect(app.router.name).toContain('RegExpRouter');
});
