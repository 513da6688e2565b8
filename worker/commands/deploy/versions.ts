// Reads and changes which version of a Worker is deployed.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as z from 'zod';
import { root } from '../paths.ts';
import type { Account } from './account.ts';

/** Name of the variable that only versions of maintenance have. */
export const MAINTENANCE_VARIABLE = 'MAINTENANCE';

const deploymentsSchema = z.object({
  deployments: z.array(
    z.looseObject({ versions: z.array(z.object({ version_id: z.string(), percentage: z.number() })) }),
  ),
});

const versionSchema = z.looseObject({
  id: z.string(),
  number: z.number(),
  annotations: z.looseObject({ 'workers/tag': z.string().optional() }).nullish(),
  resources: z.looseObject({
    bindings: z.array(z.looseObject({ name: z.string() })).nullish(),
    script_runtime: z.looseObject({ migration_tag: z.string().nullish() }).nullish(),
  }),
});

/** A version of a Worker. */
export interface Version {
  id: string;
  /** Later versions have higher numbers. */
  number: number;
  tag: string;
  /** The last Durable Object migration that it contains. */
  migration: string | undefined;
  /** It keeps the gateway closed while the database is restored. */
  isMaintenance: boolean;
}

/** The versions of a Worker. */
export class Versions {
  readonly #account: Account;
  readonly #path: string;

  constructor(account: Account, worker: string) {
    this.#account = account;
    this.#path = `/accounts/${account.id}/workers/scripts/${worker}`;
  }

  /** Lists the ids of deployed versions, the present one first; undefined if the Worker does not exist. */
  async listDeployed(): Promise<string[] | undefined> {
    const path = `${this.#path}/deployments`;
    const call = { action: 'read the deployments', path, schema: deploymentsSchema };
    const found = await this.#account.api.find(call);
    return found?.deployments.flatMap(({ versions }) =>
      versions.filter(({ percentage }) => percentage > 0).map(({ version_id: id }) => id),
    );
  }

  async get(id: string): Promise<Version> {
    const { number, annotations, resources } = await this.#account.api.call({
      action: 'read a version',
      path: `${this.#path}/versions/${id}`,
      schema: versionSchema,
    });
    return {
      id,
      number,
      tag: annotations?.['workers/tag'] ?? id,
      migration: resources.script_runtime?.migration_tag ?? undefined,
      isMaintenance: resources.bindings?.some((binding) => binding.name === MAINTENANCE_VARIABLE) ?? false,
    };
  }

  /** Deploys a version that was uploaded before. */
  async deploy({ id, tag }: Version): Promise<void> {
    await this.#account.api.call({
      action: `deploy the version ${tag}`,
      method: 'POST',
      path: `${this.#path}/deployments`,
      body: {
        strategy: 'percentage',
        versions: [{ version_id: id, percentage: 100 }],
        annotations: { 'workers/message': 'npm run deploy:rollback' },
      },
      schema: z.unknown(),
    });
  }
}

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
