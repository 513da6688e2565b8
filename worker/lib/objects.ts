// Obtains the stubs of Durable Objects, created in the jurisdiction and near the region of the deployment.

/**
 * Regions of a deployment, by the names that Durable Objects, D1 and R2 share
 * (https://developers.cloudflare.com/durable-objects/reference/data-location/,
 * https://developers.cloudflare.com/d1/configuration/data-location/).
 */
export const regions = ['wnam', 'enam', 'weur', 'eeur', 'apac', 'oc'] as const;

export type Region = (typeof regions)[number];

/** Returns the region that a text names; undefined if it names none. */
export function findRegion(text: string | undefined): Region | undefined {
  return regions.find((region) => region === text);
}

/** Jurisdictions in which Durable Objects, D1 and R2 store data (https://developers.cloudflare.com/durable-objects/reference/data-location/). */
export const jurisdictions = ['eu'] as const;

export type Jurisdiction = (typeof jurisdictions)[number];

/** Returns the jurisdiction that a text names; undefined if it names none. */
export function findJurisdiction(text: string | undefined): Jurisdiction | undefined {
  return jurisdictions.find((jurisdiction) => jurisdiction === text);
}

/**
 * Returns the stub of an object. All stubs come from here: the first call of an object decides for ever where it is stored.
 * @param env - `JURISDICTION`: where an object stays; `REGION`: a hint where it is created; absent: near its first caller
 */
export function getObject<T extends Rpc.DurableObjectBranded | undefined>(
  { REGION, JURISDICTION }: { REGION?: string; JURISDICTION?: string },
  namespace: DurableObjectNamespace<T>,
  name: string,
): DurableObjectStub<T> {
  const locationHint = findRegion(REGION);
  const jurisdiction = findJurisdiction(JURISDICTION);
  const objects = jurisdiction === undefined ? namespace : namespace.jurisdiction(jurisdiction);
  return objects.getByName(name, locationHint === undefined ? {} : { locationHint });
}
