// The least that a memory hit can cost: Hono with its body and headers, and no logic.
import { Hono } from 'hono';
import { FAMILY, formatRecord } from '../../load/records.ts';

const body = formatRecord('1');

/** Headers of a memory hit. */
const headers = {
  'content-type': 'application/json',
  'x-cache': 'hit',
  'x-credits-charged': '0',
  'x-credits-remaining': '9992000',
  'cache-control': 'private, no-store',
  age: '12',
  'ratelimit-policy': '"token";q=1000000;w=60',
  ratelimit: '"token";r=19999;t=30',
  'x-correlation-id': '7c2a6c1c-4f5e-4b0f-9a63-0c86e8a0f6d1',
  'x-ratelimit-limit-second': '9999',
  'x-ratelimit-remaining-second': '9999',
  'x-request-id': '7c2a6c1c-4f5e-4b0f-9a63-0c86e8a0f6d1',
};

export default new Hono().get(`/cdapi/v2/${FAMILY}/collect/:key`, (c) => c.body(body, 200, headers));
