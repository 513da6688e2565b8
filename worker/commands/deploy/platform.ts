// What the commands of a deployment reach the world through. Tests inject their own.
import type { Environment } from '../instance/provider-settings.ts';

export interface WranglerResult {
  succeeded: boolean;
  output: string;
}

/** Runs wrangler. @param environment - extends that of the command */
export type Wrangler = (
  args: readonly string[],
  environment?: Readonly<Record<string, string>>,
) => Promise<WranglerResult>;

/** Network, terminal and clock of the commands of a deployment. */
export interface DeployPlatform {
  env: Environment;
  folder: string;
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
  wrangler: Wrangler;
  readCommit: () => Promise<string>;
  log: (line: string) => void;
  /** The output is a terminal, which may show secrets; a file or pipe may not. */
  isTerminal: boolean;
  /** Asks a question. `isHidden`: the answer is not shown. Undefined: nobody can answer. */
  ask: ((question: string, isHidden?: boolean) => Promise<string>) | undefined;
  sleep: (ms: number) => Promise<void>;
  now: () => number;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}
