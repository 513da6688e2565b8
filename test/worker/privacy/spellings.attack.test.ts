// Attacks on an erasure by keys that it did not know: other spellings, and keys that another answer reveals later.
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import type { Family } from '../../../shared/families/index.ts';
import type { RecordKey } from '../../../worker/gateway/cache/cache-keys.ts';
import { erase } from '../../../worker/privacy/erase.ts';
import { ServiceHarness } from '../data-requests/service-harness.ts';
import { GatewayHarness } from '../gateway/harness.ts';
import { createGateway, type Gateway } from '../harness.ts';

let people = 0;

/** Erases somebody at a new provider, which knows them under any key. */
async function createErasedWorld(key: Pick<RecordKey, 'kind'> & { of: 'id' | 'name' | 'host' }) {
  people += 1;
  const person = { id: 880_000 + people, name: `erased-one-${people}`, host: `erased-one-${people}.example` };
  const record = {
    id: person.id,
    shorthand_names: [person.name],
    websites_main: person.host,
  };
  const harness = new GatewayHarness(() => Response.json(record));
  const gateway = createGateway(() => Response.json(record), harness.identity);
  const family: Family = key.kind === 'website' ? 'company_clean' : 'employee_clean';
  const erased: RecordKey = { family, kind: key.kind, value: String(person[key.of]) };
  await erase(erased, harness.createErasureContext());
  return { ...person, gateway };
}

/** Reads through the drop-in API. @returns the problem, and whether the provider was called */
async function read(gateway: Gateway, path: string): Promise<[string | null, boolean]> {
  const before = gateway.requestedKeys.length;
  const { headers } = await gateway.request(`/cdapi/v2/${path}`, { headers: { apikey: env.TEAM_TOKEN } });
  return [headers.get('x-problem'), gateway.requestedKeys.length > before];
}

it('an erased id is spelt in 12 other ways: each is refused before it is bought', async () => {
  const { gateway, id } = await createErasedWorld({ kind: 'id', of: 'id' });
  const wide = [...String(id)].map((digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)).join('');
  const digits = String(id).replace(/^(.)/, '$1_');
  const escaped = [...String(id)].map((digit) => `%3${digit}`).join('');
  for (const text of [
    ...[`${id}`, ` ${id}`, `${id} `, `0${id}`, `+${id}`, `${id}.0`, digits, wide, escaped],
    ...[`\u200b${id}`, `${id}/`, `/${id}`, `x/../${id}`],
  ])
    expect([text, ...(await read(gateway, `employee_base/collect/${encodeURIComponent(text)}`))]).toEqual([
      text,
      'erased',
      false,
    ]);
});

it('an erased shorthand name is spelt in 14 other ways: each is refused before it is bought', async () => {
  const { gateway, name } = await createErasedWorld({ kind: 'shorthand_name', of: 'name' });
  for (const text of [
    ...[name, name.toUpperCase(), `${name}/`, `/${name}`, `${name}//`, ` ${name}`, `${name}?x`, `${name}#x`],
    ...[
      `@${name}`,
      `${name}.`,
      `"${name}"`,
      `in/${name}`,
      `${name}\\`,
      name.replace('e', '%2565'),
      `./${name}`,
    ],
  ])
    expect([text, ...(await read(gateway, `employee_clean/collect/${encodeURIComponent(text)}`))]).toEqual([
      text,
      'erased',
      false,
    ]);
});

it('an erased website is spelt in 9 other ways: each is refused before it is bought', async () => {
  const { gateway, host } = await createErasedWorld({ kind: 'website', of: 'host' });
  for (const text of [
    ...[host, `http://user@${host}`, `${host}%20`, `${host}\\`, `https:${host}`, `ftp://${host}`],
    ...[`https://https://${host}`, `${host},`, `"${host}"`, host.replace('e', '%65')],
  ])
    expect([
      text,
      ...(await read(gateway, `company_clean/enrich?website=${encodeURIComponent(text)}`)),
    ]).toEqual([text, 'erased', false]);
});

it('a name of an erased person that a purchase reveals is bought again in other families: refused without a call', async () => {
  const { gateway, id, name } = await createErasedWorld({ kind: 'id', of: 'id' });
  // Nobody could know.
  expect(await read(gateway, `employee_clean/collect/${name}`)).toEqual(['erased', true]);
  for (const family of ['employee_clean', 'employee_base', 'employee_multi_source'])
    expect(await read(gateway, `${family}/collect/${name}`)).toEqual(['erased', false]);
  expect(await read(gateway, `employee_base/collect/${id}`)).toEqual(['erased', false]);
});

it('an id of an erased company that a bulk order reveals is ordered or looked up again: refused without a call', async () => {
  const host = 'erased-in-bulk.example';
  const answer = new GatewayHarness(() => Response.json({ id: 5 }));
  await erase({ family: 'company_clean', kind: 'website', value: host }, answer.createErasureContext());
  const file = { id: 890_005, name: 'Gone', websites_main: host };
  const harness = new ServiceHarness(
    {
      file: () =>
        new Response(new Blob([JSON.stringify(file)]).stream().pipeThrough(new CompressionStream('gzip'))),
    },
    answer.identity,
  );
  for (const charged of [10, 0]) {
    const { id } = await harness.orderByIds([String(file.id)]);
    await harness.runSteps(id);
    expect(await harness.getRow(id)).toMatchObject({ rows: 0, charged });
  }
  expect(harness.countCalls('create')).toBe(1);
  const gateway = createGateway(() => Response.json(file), answer.identity);
  expect(await read(gateway, `company_base/collect/${file.id}`)).toEqual(['erased', false]);
});
