// The minimal Worker with Hono, on a path of the gateway.
import { Hono } from 'hono';
import { FAMILY, formatRecord } from '../../load/records.ts';

const body = formatRecord('1');

export default new Hono().get(`/cdapi/v2/${FAMILY}/collect/:key`, (c) =>
  c.body(body, 200, { 'content-type': 'application/json' }),
);
