// The Durable Object that holds a team's credits and allowance.
import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../../env.ts';
import { type Edges, platformEdges } from '../edges.ts';

/** A team's ledger, as others call it. */
export class Ledger extends DurableObject<Env> {
  protected readonly edges: Edges;

  constructor(ctx: DurableObjectState, env: Env, edges: Edges = platformEdges) {
    super(ctx, env);
    this.edges = edges;
  }
}

/** The ledger of a team. */
export function ledgerOf(env: Env, team: string): DurableObjectStub<Ledger> {
  return env.LEDGER.getByName(team);
}
