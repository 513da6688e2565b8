// The Durable Object that stands before the provider.
import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../../env.ts';
import { type Edges, platformEdges } from '../edges.ts';

/** The gate, as others call it. */
export class Gate extends DurableObject<Env> {
  protected readonly edges: Edges;

  constructor(ctx: DurableObjectState, env: Env, edges: Edges = platformEdges) {
    super(ctx, env);
    this.edges = edges;
  }
}

/** The gate of a provider, by the provider's identity. */
export function gateOf(env: Env, identity: string): DurableObjectStub<Gate> {
  return env.GATE.getByName(identity);
}
