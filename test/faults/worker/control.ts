// A Worker that runs one test command per request.
import type { Env } from '../../../worker/env.ts';
import { ensureTeam } from '../../../worker/gateway/auth/tokens.ts';
import { systemClock } from '../../../worker/lib/clock.ts';
import { sweepJobs } from '../../../worker/queue/jobs.ts';
import { type Command, commandSchema, type ObjectBinding } from './commands.ts';
import { listLiveObjects, recordEnd, TABLE_NAMES } from './live-objects.ts';

/** Methods that objects.ts adds to the real classes. */
interface TestMethods {
  evict: () => Promise<void>;
  dump: () => Promise<string>;
}

function hasTestMethods(namespace: object): namespace is { getByName: (name: string) => TestMethods } {
  return 'getByName' in namespace;
}

function getObject(env: Env, object: ObjectBinding, name: string): TestMethods {
  const namespace: object = env[object];
  if (!hasTestMethods(namespace)) throw new Error(`no objects ${object}`);
  return namespace.getByName(name);
}

async function evict(env: Env, object: ObjectBinding, name: string): Promise<void> {
  recordEnd(object, name);
  try {
    await getObject(env, object, name).evict();
  } catch {
    // The caller of an aborted object gets an error.
  }
}

async function dumpKv({ RECORDS }: Env): Promise<Record<string, string | null>> {
  const { keys } = await RECORDS.list();
  const entries = keys.map(async ({ name }) => [name, await RECORDS.get(name)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

async function dumpSql({ DB }: Env): Promise<unknown[]> {
  const { results } = await DB.prepare(TABLE_NAMES).all<{ name: string }>();
  const tables = await Promise.all(results.map(({ name }) => DB.prepare(`SELECT * FROM "${name}"`).all()));
  return tables.map((table) => table.results);
}

async function run(command: Command, env: Env): Promise<unknown> {
  switch (command.run) {
    case 'sql': {
      const statement = env.DB.prepare(command.statement).bind(...command.values);
      return (await statement.all()).results;
    }
    case 'team': {
      const { id, token, caps } = command;
      return ensureTeam(env, { id, name: id }, token, { caps, ratePerMinute: 1_000_000 }, Date.now());
    }
    case 'evict': {
      const names = listLiveObjects(command.object);
      await Promise.all(names.map((name) => evict(env, command.object, name)));
      return names;
    }
    case 'dump_objects': {
      const names = listLiveObjects(command.object);
      return Promise.all(names.map((name) => getObject(env, command.object, name).dump()));
    }
    case 'dump_sql':
      return dumpSql(env);
    case 'dump_kv':
      return dumpKv(env);
    case 'sweep':
      return sweepJobs({ env, platform: systemClock }, command.after_start);
  }
}

export default {
  async fetch(request, env) {
    if (request.method !== 'POST') return new Response('ready');
    const command = commandSchema.parse(await request.json());
    try {
      return Response.json((await run(command, env)) ?? null);
    } catch (error) {
      return Response.json({ error: String(error) }, { status: 500 });
    }
  },
} satisfies ExportedHandler<Env>;
