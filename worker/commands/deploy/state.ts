// Stores what a deployment must remember between runs: its state, and its secrets, which must never change.
import { createHmac } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { NO_PREVIOUS_TOKEN, parsePreviousAdminToken } from '../../http/previous-admin-token.ts';
import { jurisdictions, regions } from '../../lib/objects.ts';
import { acquireLock } from '../instance/lock.ts';
import { generateSecret, SECRET_BYTES, writePrivateFile } from '../instance/session.ts';
import { readJsonFile } from '../stored-file.ts';
import { UserError } from '../user-error.ts';

const stateSchema = z.object({
  account: z.string(),
  /** Chosen once. */
  region: z.enum(regions).exactOptional(),
  jurisdiction: z.enum(jurisdictions).exactOptional(),
  domain: z.string().exactOptional(),
  /** The address at workers.dev is open beside the domain. */
  workers_dev: z.boolean().exactOptional(),
  /** Choices of earlier runs; absent: none. */
  free: z.boolean().exactOptional(),
  metrics: z.boolean().exactOptional(),
  workers_ai: z.boolean().exactOptional(),
  provider_url: z.string(),
  public_url: z.string(),
  /** HMAC of the uploaded provider key. */
  provider_key: z.string().exactOptional(),
  /** HMAC of the uploaded admin token. */
  admin_token: z.string().exactOptional(),
  /** The last complete upload. */
  uploaded: z
    .object({
      digest: z.string(),
      version: z.string(),
      /** The version before. */
      previous: z.string().exactOptional(),
      /** For the difference to the next deployment: what it consists of, by label. */
      summary: z.record(z.string(), z.string()),
      /** Version of this project. */
      release: z.string(),
      /** Names of the variables of all uploads: others in the deployed version were set by hand. */
      variables: z.array(z.string()),
    })
    .exactOptional(),
  /** Applied migrations of the database. */
  migrations: z.array(z.string()).exactOptional(),
  /** The first team and its token exist. */
  has_team: z.boolean(),
});

/** What a deployment remembers. It contains no secret. */
export type DeploymentState = z.output<typeof stateSchema>;

const secretsSchema = z.object({
  ADMIN_TOKEN: z.string().min(SECRET_BYTES),
  /** Absent before the first rotation: previous-admin-token.ts. */
  ADMIN_TOKEN_PREVIOUS: z
    .string()
    .refine((text) => text === NO_PREVIOUS_TOKEN || parsePreviousAdminToken(text) !== undefined)
    .exactOptional(),
  ENCRYPTION_SECRET: z.string().min(SECRET_BYTES),
  PSEUDONYM_SECRET: z.string().min(SECRET_BYTES),
});

/** Generated secrets of a deployment, by their names in the Worker. */
export type Secrets = z.output<typeof secretsSchema>;

const restoreSchema = z.object({
  /** Id of the restore at the gateway. */
  id: z.uuid(),
  /** The restored time; null if only the bookmark is known. */
  to: z.iso.datetime().nullable(),
  bookmark: z.string(),
  /** Bookmark of the state before; absent before the database is replaced. */
  before: z.string().exactOptional(),
  is_replaced: z.boolean(),
  /** The gateway has done everything that must happen before it opens. */
  is_complete: z.boolean(),
});

export type PendingRestore = z.output<typeof restoreSchema>;

const RESTORE_FILE = 'restore.json';

/** Files of one deployment. Only their owner can read them. */
export class DeploymentFiles {
  readonly folder: string;
  readonly name: string;

  /** @param folder - of all deployments */
  constructor(folder: string, name: string) {
    this.folder = join(folder, name);
    this.name = name;
  }

  get secretsFile(): string {
    return this.resolve('secrets.json');
  }

  get linkFile(): string {
    return this.resolve('connection-link.txt');
  }

  get settingsFile(): string {
    return this.resolve('settings.json');
  }

  /** Locks the deployment until the caller's block ends. @throws UserError if another command is running */
  async lock(): Promise<AsyncDisposable> {
    const { release } = await acquireLock(this.folder, { url: '', temporary: true });
    return { [Symbol.asyncDispose]: release };
  }

  resolve(name: string): string {
    return join(this.folder, name);
  }

  /** @returns undefined before the first run */
  readState(): Promise<DeploymentState | undefined> {
    return readJsonFile(this.resolve('state.json'), stateSchema);
  }

  /** Reads the state of a deployed gateway. @throws UserError if this machine has not deployed it */
  async readDeployed() {
    const state = await this.readState();
    if (state?.uploaded !== undefined) return { ...state, uploaded: state.uploaded };
    throw new UserError(
      `${this.name} is not deployed from this machine, so nothing was changed: name it with --name.`,
    );
  }

  async writeState(state: DeploymentState): Promise<void> {
    await this.writeJson('state.json', state);
  }

  /** Generates the secrets of a new deployment, unless an interrupted run has. */
  async createSecrets(): Promise<void> {
    if ((await readJsonFile(this.secretsFile, secretsSchema)) !== undefined) return;
    await this.writeSecrets({
      ADMIN_TOKEN: generateSecret(),
      ENCRYPTION_SECRET: generateSecret(),
      PSEUDONYM_SECRET: generateSecret(),
    });
  }

  async writeSecrets(secrets: Secrets): Promise<void> {
    await this.writeJson('secrets.json', secrets);
  }

  /** Reads the secrets. @throws UserError if they are missing */
  async readSecrets(): Promise<Secrets> {
    const stored = await readJsonFile(this.secretsFile, secretsSchema);
    if (stored !== undefined) return stored;
    throw new UserError(
      `${this.secretsFile} is missing: put your copy of it back. With other secrets, the stored data would be unreadable.`,
    );
  }

  /** @returns undefined if none is in progress */
  readRestore(): Promise<PendingRestore | undefined> {
    return readJsonFile(this.resolve(RESTORE_FILE), restoreSchema);
  }

  /** @param restore - undefined: it is complete */
  async writeRestore(restore: PendingRestore | undefined): Promise<void> {
    if (restore !== undefined) await this.writeJson(RESTORE_FILE, restore);
    else await rm(this.resolve(RESTORE_FILE), { force: true });
  }

  /** @throws UserError during a restore: another version of the gateway would open it too early */
  async requireNoRestore(): Promise<void> {
    if ((await this.readRestore()) === undefined) return;
    throw new UserError(
      `A restore of ${this.name} is not complete, and the gateway is closed until then: run npm run restore -- --name ${this.name} to continue it.`,
    );
  }

  /** @returns undefined if this machine has none */
  async readLink(): Promise<string | undefined> {
    const text = await readFile(this.linkFile, 'utf8').catch(() => undefined);
    return text?.trim();
  }

  /** Writes a value as JSON, like {@link write}. */
  writeJson(name: string, value: unknown): Promise<string> {
    return this.write(name, JSON.stringify(value, undefined, 2));
  }

  /** Writes a file that only its owner can read. @returns its path */
  async write(name: string, text: string): Promise<string> {
    try {
      await writePrivateFile(this.resolve(name), `${text}\n`);
      return this.resolve(name);
    } catch {
      throw new UserError(`${this.folder} is not a writable folder.`);
    }
  }
}

/**
 * Computes a fingerprint of a secret, from which it can't be guessed.
 * @param secrets - of the same deployment
 */
export function fingerprint(text: string, { ENCRYPTION_SECRET: key }: Secrets): string {
  return createHmac('sha256', key).update(text).digest('hex').slice(0, 16);
}
