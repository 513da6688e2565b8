// Reads the settings of a deployment, `.deploy/<name>/settings.json`, and turns them into variables of the Worker.
import * as z from 'zod';
import { adminRoles } from '../../../shared/api/admin-roles.ts';
import { defined } from '../../../shared/lib/defined.ts';
import { readAssistantSettings } from '../../assistant/settings.ts';
import type { Env } from '../../env.ts';
import { readLifetimes } from '../../gateway/cache/freshness.ts';
import { readConfiguredRate } from '../../gateway/provider-throttle/pace.ts';
import { readLowBalance } from '../../operations/operator-settings.ts';
import { readAccessApplication } from '../../routes/console/access.ts';
import { readOptionalFile } from '../stored-file.ts';
import { UserError } from '../user-error.ts';

const text = z.string().min(1);

const settingsSchema = z
  .strictObject({
    fresh_for: z.record(text, text),
    keep_for: text,
    provider_rate_per_s: z.int(),
    low_balance: z.int(),
    request_log: z.enum(['all', 'notable']),
    log_destination: z.string().regex(/^[\w-]{1,100}$/, 'is not the name of a destination'),
    access: z.strictObject({
      team_domain: text,
      audience: text,
      roles: z.record(text, z.enum(adminRoles)).exactOptional(),
    }),
    assistant: z.strictObject({ model: text, url: text.exactOptional() }),
  })
  .partial()
  .extend({ version: z.literal(1) });

export type Settings = z.output<typeof settingsSchema>;

export const exampleSettings = {
  version: 1,
  fresh_for: { company: '30d', job: '12h' },
  keep_for: '365d',
  provider_rate_per_s: 5,
  low_balance: 1000,
  request_log: 'notable',
  log_destination: 'grafana-logs',
  access: {
    team_domain: 'acme.cloudflareaccess.com',
    audience: '32eafc7626e7',
    roles: { 'ada@acme.com': 'owner', Finance: 'finance' },
  },
  assistant: { model: '@cf/meta/llama-3.3-70b-instruct-fp8-fast' },
} satisfies Required<Settings>;

const formatPairs = (pairs: Readonly<Record<string, string>>): string =>
  Object.entries(pairs)
    .map((pair) => pair.join('='))
    .join(', ');

export const toVariables = ({ access, assistant, ...settings }: Settings) =>
  defined({
    FRESH_FOR: settings.fresh_for && formatPairs(settings.fresh_for),
    KEEP_FOR: settings.keep_for,
    PROVIDER_RATE_PER_S: settings.provider_rate_per_s?.toString(),
    OPERATOR_LOW_BALANCE: settings.low_balance?.toString(),
    REQUEST_LOG: settings.request_log,
    ACCESS_TEAM_DOMAIN: access?.team_domain,
    ACCESS_AUDIENCE: access?.audience,
    ACCESS_ROLES: access?.roles && formatPairs(access.roles),
    ASSISTANT_MODEL: assistant?.model,
    ASSISTANT_URL: assistant?.url,
  } satisfies Partial<Record<keyof Env, string | undefined>>);
type Variables = ReturnType<typeof toVariables>;

/** The Worker's own readers, which throw for a wrong value. */
const checks: readonly (readonly [field: keyof Settings, check: (variables: Variables) => unknown])[] = [
  ['keep_for', ({ FRESH_FOR: _, ...variables }) => readLifetimes(variables)],
  ['fresh_for', readLifetimes],
  ['provider_rate_per_s', readConfiguredRate],
  ['low_balance', readLowBalance],
  ['access', readAccessApplication],
  // Its key is a secret, and its binding an option.
  [
    'assistant',
    (variables) =>
      variables.ASSISTANT_URL && readAssistantSettings({ ...variables, ASSISTANT_KEY: 'unknown' }, false),
  ],
];

/**
 * Parses the settings file.
 * @param file - its path, for the sentence
 * @throws UserError that names the file, the field and an example
 */
export function parseSettings(file: string, json: string): Settings {
  const fail = (field: string, message: string): UserError => {
    const [, example] = Object.entries(exampleSettings).find(([name]) => name === field) ?? [];
    const hint =
      example === undefined
        ? `Fields: ${Object.keys(exampleSettings).join(', ')}.`
        : `Example: "${field}": ${JSON.stringify(example)}`;
    return new UserError(`${file}, ${field}: ${message.replace(/\.?$/, '.')} ${hint}`);
  };
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw fail('version', `this is not JSON (${error instanceof Error ? error.message : ''})`);
  }
  const parsed = settingsSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const unknown = issue?.code === 'unrecognized_keys' ? issue.keys : [];
    const [field = unknown[0] ?? 'version', ...rest] = issue?.path ?? [];
    throw fail(String(field), [...rest, issue?.message].join(': '));
  }
  const variables = toVariables(parsed.data);
  for (const [field, check] of checks) {
    try {
      check(variables);
    } catch (error) {
      throw fail(field, error instanceof Error ? error.message : String(error));
    }
  }
  return parsed.data;
}

/** Reads the settings file; absent, every setting has its default. @throws UserError if it is wrong */
export async function readSettings(file: string): Promise<Settings> {
  const json = await readOptionalFile(file);
  return json === undefined ? { version: 1 } : parseSettings(file, json);
}
