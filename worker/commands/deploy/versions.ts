// Reads and changes which version of a Worker is deployed.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as z from 'zod';
import { root } from '../paths.ts';
import type { Account } from './account.ts';
import { CloudflareError } from './cloudflare.ts';

export const MAINTENANCE_VARIABLE = 'MAINTENANCE';

const deploymentsSchema = z.object({
  deployments: z.array(
    z.looseObject({
      versions: z.array(z.object({ version_id: z.string(), percentage: z.number() })),
      annotations: z.looseObject({ 'workers/message': z.string().optional() }).nullish(),
    }),
  ),
});

const versionSchema = z.looseObject({
  id: z.string(),
  number: z.number(),
  annotations: z.looseObject({ 'workers/tag': z.string().optional() }).nullish(),
  resources: z.looseObject({
    bindings: z
      .array(z.looseObject({ name: z.string(), type: z.string(), text: z.string().optional() }))
      .nullish(),
    script: z.looseObject({ etag: z.string().nullish() }).nullish(),
    script_runtime: z.looseObject({ migration_tag: z.string().nullish() }).nullish(),
  }),
});

const versionListSchema = z.object({ items: z.array(versionSchema.omit({ resources: true })) });

/** Cloudflare refuses to deploy a version whose secrets differ from those of the present one, unless it is forced to. */
const SECRETS_CHANGED = 10220;

/** Text of a deployment that a rollback made. */
const ROLLBACK_MESSAGE = 'npm run deploy:rollback';

const toLabel = (id: string, tag: string | undefined): string => tag || id;

export class Versions {
  readonly #account: Account;
  readonly #path: string;

  constructor(account: Account, worker: string) {
    this.#account = account;
    this.#path = `/accounts/${account.id}/workers/scripts/${worker}`;
  }

  /** Lists the last deployed versions, about ten, the present one with the larger share first; empty if the Worker does not exist. */
  async listDeployed() {
    const path = `${this.#path}/deployments`;
    const call = { action: 'read the deployments', path, schema: deploymentsSchema };
    const found = await this.#account.api.find(call);
    return (found?.deployments ?? []).flatMap(({ versions, annotations }) =>
      versions
        .filter(({ percentage }) => percentage > 0)
        .sort((one, other) => other.percentage - one.percentage)
        .map(({ version_id: id, percentage }) => ({
          id,
          /** Of the requests. */
          percentage,
          isRolledBack: annotations?.['workers/message'] === ROLLBACK_MESSAGE,
        })),
    );
  }

  /** Lists the versions that can be deployed again, the latest first, as `tag (id)`. */
  async listDeployable(): Promise<string[]> {
    const { items } = await this.#account.api.call({
      action: 'list the versions',
      path: `${this.#path}/versions?deployable=true`,
      schema: versionListSchema,
    });
    return items
      .toSorted((one, other) => other.number - one.number)
      .map(({ id, annotations }) => {
        const label = toLabel(id, annotations?.['workers/tag']);
        return label === id ? id : `${label} (${id})`;
      });
  }

  async get(id: string) {
    const { number, annotations, resources } = await this.#account.api.call({
      action: 'read a version',
      path: `${this.#path}/versions/${id}`,
      schema: versionSchema,
    });
    const bindings = resources.bindings ?? [];
    return {
      id,
      /** Later versions have higher numbers. */
      number,
      /** For people: its tag, or its id if it has none, as versions of `wrangler secret put`. */
      label: toLabel(id, annotations?.['workers/tag']),
      /** Hash of its code; undefined if Cloudflare does not tell. */
      code: resources.script?.etag ?? undefined,
      /** The last Durable Object migration that it contains. */
      migration: resources.script_runtime?.migration_tag ?? undefined,
      /** It keeps the gateway closed while the database is restored. */
      isMaintenance: bindings.some((binding) => binding.name === MAINTENANCE_VARIABLE),
      /** Plain variables, without secrets, by name. */
      variables: Object.fromEntries(
        bindings.flatMap(({ name, type, text }) =>
          type === 'plain_text' && text !== undefined ? [[name, text]] : [],
        ),
      ),
    };
  }

  /**
   * Gives uploaded versions their shares of the requests.
   * @param isForced - although their secrets differ from those of the present version
   */
  async share(
    versions: readonly { version_id: string; percentage: number }[],
    message: string,
    action = 'share the requests between two versions',
    isForced = true,
  ): Promise<void> {
    await this.#account.api.call({
      action,
      method: 'POST',
      path: `${this.#path}/deployments${isForced ? '?force=true' : ''}`,
      body: { strategy: 'percentage', versions, annotations: { 'workers/message': message } },
      schema: z.unknown(),
    });
  }

  /**
   * Deploys a version that was uploaded before.
   * @param isForced - although its secrets differ from those of the present version
   * @returns what Cloudflare says about secrets that differ; undefined if it is deployed
   */
  async deploy({ id, label }: Version, isForced: boolean): Promise<string | undefined> {
    const versions = [{ version_id: id, percentage: 100 }];
    try {
      await this.share(versions, ROLLBACK_MESSAGE, `deploy the version ${label}`, isForced);
      return undefined;
    } catch (error) {
      if (error instanceof CloudflareError && error.codes.includes(SECRETS_CHANGED)) return error.reason;
      throw error;
    }
  }
}

export type Version = Awaited<ReturnType<Versions['get']>>;
export type DeployedVersion = Awaited<ReturnType<Versions['listDeployed']>>[number];

/** Returns the commit of this folder; `unknown` without git. */
export async function readCommit(): Promise<string> {
  const git = (...args: string[]) => promisify(execFile)('git', args, { cwd: root });
  try {
    const { stdout } = await git('rev-parse', '--short=12', 'HEAD');
    const { stdout: changes } = await git('status', '--porcelain', '--untracked-files=no');
    return `${stdout.trim()}${changes === '' ? '' : '-changed'}`;
  } catch {
    return 'unknown';
  }
}
