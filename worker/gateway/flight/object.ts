// The Durable Object that makes one call of many askers' questions.
import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../../env.ts';
import { type Edges, platformEdges } from '../edges.ts';

/** A flight, as others call it. */
export class Flight extends DurableObject<Env> {
  protected readonly edges: Edges;

  constructor(ctx: DurableObjectState, env: Env, edges: Edges = platformEdges) {
    super(ctx, env);
    this.edges = edges;
  }
}
