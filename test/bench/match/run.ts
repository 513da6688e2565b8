// The variants of the match bench: one kind of names, each against a separate instance.
import { spawnSync } from 'node:child_process';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { type MatchRequest, matchResponse } from '../../../shared/api/match.ts';
import { maxMatchNames } from '../../../shared/limits.ts';
import { fetchIdempotent } from '../../../worker/commands/instance/health.ts';
import { startInstance } from '../../../worker/commands/instance/instance.ts';
import type { Session } from '../../../worker/commands/instance/session.ts';
import { root } from '../../../worker/commands/paths.ts';
import { createStopSignal } from '../../../worker/commands/user-error.ts';
import type { Task, VariantModule } from '../harness/bench.ts';
import { companiesFile, createCases, kindSchema, type MatchCase, needsCompanies } from './data.ts';
import type { Figures } from './report.ts';

const FAMILY = 'company_clean';
const parametersSchema = z.object({ count: z.number(), withCountry: z.boolean() });

/** Imports records into an instance. @throws Error with the output of the command */
function importRecords(file: string, instanceDir: string): void {
  const script = join(root, 'worker', 'commands', 'import.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--family', FAMILY, file], {
    encoding: 'utf8',
    env: { ...process.env, DEV_DIR: instanceDir },
  });
  if (status !== 0) throw new Error(`npm run import failed:\n${stdout}\n${stderr}`);
}

/** Matches names and buys the records. @throws Error with the problem */
async function match({ url, team_token: token }: Session, body: MatchRequest) {
  // What a repeated call buys is free the second time, and a busy machine closes silent connections.
  const response = await fetchIdempotent(`${url}/sheets/v1/match`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return matchResponse.parse(JSON.parse(text));
}

/** Matches the names as the sidebar does: in batches, each until no name is pending. */
async function matchAll(
  session: Session,
  cases: readonly MatchCase[],
  withCountry: boolean,
): Promise<Figures> {
  const figures: Figures = {
    names: cases.length,
    present: 0,
    matched: 0,
    right: 0,
    ambiguous: 0,
    credits: 0,
  };
  for (let at = 0; at < cases.length; at += maxMatchNames) {
    const batch = cases.slice(at, at + maxMatchNames);
    const companies = batch.map(({ typed, country }) => ({
      name: typed,
      ...(withCountry && country !== '' ? { country } : {}),
    }));
    const body: MatchRequest = { family: FAMILY, companies, fields: ['name'] };
    let answer = await match(session, body);
    figures.credits += answer.credits.spent;
    while (answer.matches.some(({ problem }) => problem === 'pending')) {
      answer = await match(session, body);
      figures.credits += answer.credits.spent;
    }
    batch.forEach(({ id }, index) => {
      const row = answer.matches[index];
      if (row?.problem !== undefined) throw new Error(`a name ended with ${row.problem}`);
      const isMatch = row?.state === 'match';
      if (id !== null) figures.present += 1;
      if (isMatch) figures.matched += 1;
      if (isMatch && row.candidates[0]?.id === id) figures.right += 1;
      if (row?.state === 'ambiguous') figures.ambiguous += 1;
    });
  }
  return figures;
}

export const variant: VariantModule = {
  missing: async ({ name }) =>
    needsCompanies(kindSchema.parse(name))
      ? access(companiesFile).then(
          () => undefined,
          () => 'It needs COMPANIES=FILE, a CSV with id, name, website and locations.',
        )
      : undefined,
  async measure({ name, dir, parameters }: Task): Promise<Figures> {
    const { count, withCountry } = parametersSchema.parse(parameters);
    const file = join(dir, 'companies.jsonl');
    const cases = await createCases(file, kindSchema.parse(name), count);
    const instanceDir = join(dir, 'instance');
    importRecords(file, instanceDir);
    const { session, stop } = await startInstance({ dir: instanceDir, port: 0, signal: createStopSignal() });
    try {
      return await matchAll(session, cases, withCountry);
    } finally {
      await stop();
    }
  },
};
