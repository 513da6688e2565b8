// The machine-readable description of the service: complete, and of use to programs.
import { describe, expect, it } from 'vitest';
import { operations } from '../../../shared/operations.ts';
import { call } from './client.ts';

describe('the description', () => {
  type Described = {
    operationId?: string;
    parameters?: { name: string; in: string; required: boolean }[];
    requestBody?: { required?: boolean };
    responses: Record<string, object>;
  };
  type Description = { info: { version: string }; paths: Record<string, Record<string, Described>> };

  async function description(): Promise<Description> {
    return (await call('/cdapi/openapi.json', { headers: { apikey: '' } })).json();
  }

  it('names every path that answers, without a key', async () => {
    const { info, paths } = await description();
    expect(info.version).toBe('1.0');
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(operations.map(({ path }) => path)));
    expect(Object.keys(paths)).toHaveLength(operations.length + 2);
  });

  it('is what generators of clients need: names, bodies that are required, parameters of each path', async () => {
    const all = Object.entries((await description()).paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => ({ path, method, ...described })),
    );
    const names = all.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(all.length);
    expect(names).not.toContain(undefined);
    for (const { path, method, parameters = [], requestBody } of all) {
      expect(requestBody?.required, path).toBe(method === 'post' ? true : undefined);
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      expect(
        inPath.map(({ name }) => `{${name}}`),
        path,
      ).toEqual(path.match(/\{\w+\}/g) ?? []);
      expect(inPath.every(({ required }) => required)).toBe(true);
    }
  });

  it('refers to parts that it has', async () => {
    const text = JSON.stringify(await description());
    const { components } = JSON.parse(text) as { components: Record<string, Record<string, object>> };
    const references = [...new Set([...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)])];
    expect(references.length).toBeGreaterThan(10);
    for (const [, kind = '', name = ''] of references) expect(components[kind]).toHaveProperty([name]);
  });
});
