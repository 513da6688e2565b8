// What a test does behind the gateway's back: a Worker with the same bindings that runs one command a request.

import { sweepDataRequests } from '../../../worker/data-requests/workflow-instances.ts';
import { addTeamWithToken, ensureTeam } from '../../../worker/gateway/auth/tokens.ts';
import { type Command, commandSchema, type ObjectBinding } from './commands.ts';
import type { FaultsEnv } from './env.ts';
import { listLiveObjects, recordEnd, TABLE_NAMES } from './living.ts';

/** Objects with a way to end them and to look into them, which only this harness gives them. */
interface Opened {
  getByName: (name: string) => { evict: () => Promise<void>; stored: () => Promise<string> };
}

async function evict(env: FaultsEnv, object: ObjectBinding, name: string): Promise<void> {
  const namespace: object = env[object];
  if (!isOpened(namespace)) return;
  recordEnd(object, name);
  try {
    await namespace.getByName(name).evict();
  } catch {
    // Whoever calls an object that ends hears of its end as an error.
  }
}

function isOpened(namespace: object): namespace is Opened {
  return 'getByName' in namespace;
}

async function stored(env: FaultsEnv, object: ObjectBinding): Promise<string> {
  const namespace: object = env[object];
  if (!isOpened(namespace)) return '';
  const texts = await Promise.all(listLiveObjects(object).map((name) => namespace.getByName(name).stored()));
  return texts.join('\n');
}

async function kvAll({ RECORDS }: FaultsEnv): Promise<Record<string, string | null>> {
  const { keys } = await RECORDS.list();
  const all = keys.map(async ({ name }) => [name, await RECORDS.get(name)] as const);
  return Object.fromEntries(await Promise.all(all));
}

async function sqlAll({ DB }: FaultsEnv): Promise<string> {
  const { results } = await DB.prepare(TABLE_NAMES).all<{ name: string }>();
  const tables = await Promise.all(results.map(({ name }) => DB.prepare(`SELECT * FROM "${name}"`).all()));
  return JSON.stringify(tables.map((table) => table.results));
}

async function run(command: Command, env: FaultsEnv): Promise<unknown> {
  switch (command.run) {
    case 'kv_get':
      return env.RECORDS.get(command.key);
    case 'kv_get_many':
      return Object.fromEntries(await env.RECORDS.get(command.keys, 'text'));
    case 'kv_all':
      return kvAll(env);
    case 'kv_put':
      return env.RECORDS.put(
        command.key,
        command.value,
        command.ttl_s === undefined ? {} : { expirationTtl: command.ttl_s },
      );
    case 'kv_delete':
      return env.RECORDS.delete(command.key);
    case 'sql':
      return (
        await env.DB.prepare(command.statement)
          .bind(...command.values)
          .all()
      ).results;
    case 'team': {
      const { id, name, token, caps, rate_per_minute: ratePerMinute } = command;
      const grant = ratePerMinute === undefined ? {} : { ratePerMinute };
      if (caps === undefined) return addTeamWithToken(env.DB, { id, name }, token, Date.now(), grant);
      const limits = { caps, ratePerMinute: ratePerMinute ?? 1_000_000 };
      return ensureTeam(env, { id, name }, token, limits, Date.now());
    }
    case 'evict': {
      const { object, name } = command;
      const names = name === undefined ? listLiveObjects(object) : [name];
      await Promise.all(names.map((one) => evict(env, object, one)));
      return names;
    }
    case 'living':
      return listLiveObjects(command.object);
    case 'stored':
      return stored(env, command.object);
    case 'sql_all':
      return sqlAll(env);
    case 'sweep':
      return sweepDataRequests(env, command.after_start);
    case 'probe_wake':
      return env.PROBE.getByName(command.name).wake(command.in_ms);
    case 'probe_work':
      await env.PROBE.getByName(command.name).work(command.ms);
      await fetch(env.DIARY, { method: 'POST', body: `${command.name} answered` });
      return;
    case 'probe_notes':
      return env.PROBE.getByName(command.name).notes();
  }
}

export default {
  async fetch(request, env) {
    if (request.method !== 'POST') return new Response('ready');
    const command = commandSchema.parse(await request.json());
    try {
      return Response.json((await run(command, env)) ?? null);
    } catch (error) {
      return Response.json(
        { error: error instanceof Error ? error.message : String(error) },
        { status: 500 },
      );
    }
  },
} satisfies ExportedHandler<FaultsEnv>;
