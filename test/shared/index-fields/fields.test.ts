// Index fields of the families, and domains of URLs.
import { describe, expect, it } from 'vitest';
import { indexFields } from '../../../shared/families/registry.ts';
import { extractDomain } from '../../../shared/index-fields/indexed-url.ts';
import type { Properties } from '../../../shared/index-fields/mapping.ts';

describe('the domain of a URL', () => {
  it.each([
    ['https://www.Example.com/path?q=1#x', 'example.com'],
    ['http://example.com:8080', 'example.com'],
    ['example.com/about', 'example.com'],
    ['//cdn.example.com/x', 'cdn.example.com'],
    ['https://user:secret@example.com/', 'example.com'],
    ['EXAMPLE.COM.', 'example.com'],
    ['www.co.uk', 'co.uk'],
    ['https://bücher.example/', 'bücher.example'],
  ])('of %s is %s', (address, domain) => {
    expect(extractDomain(address)).toBe(domain);
  });

  it.each(['', 'Acme GmbH', 'localhost', 'https://[::1]/', 'a..b', 'example.com and more'])(
    'of %j is undefined',
    (address) => {
      expect(extractDomain(address)).toBeUndefined();
    },
  );

  it('of very long text is undefined', () => {
    expect(extractDomain('a.'.repeat(1_000_000))).toBeUndefined();
    expect(extractDomain('@'.repeat(1_000_000))).toBeUndefined();
  });
});

/** Lists all fields and sub-fields with their paths. */
function flattenFields(properties: Properties, prefix = ''): [path: string, kind: string][] {
  return Object.entries(properties).flatMap(([name, property]): [string, string][] => {
    const path = prefix + name;
    const substitute = 'null_value' in property ? ` ${property.null_value}` : '';
    const stored = 'index' in property && property.index === false ? ' stored' : '';
    return [
      [path, property.type + substitute + stored],
      ...('properties' in property ? flattenFields(property.properties, `${path}.`) : []),
      ...('fields' in property ? flattenFields(property.fields ?? {}, `${path}.`) : []),
    ];
  });
}

describe('index fields', () => {
  it.each([
    ['company_clean', 'name', 'text'],
    ['company_clean', 'type', 'keyword NULL'],
    ['company_clean', 'followers', 'integer -1'],
    ['company_clean', 'websites_main.exact', 'keyword NULL'],
    ['company_clean', 'websites_resolved.domain_only', 'text'],
    ['company_clean', 'locations_full.regions', 'nested'],
    ['job_base', 'time_posted', 'text stored'],
    ['job_base', 'deleted', 'byte'],
    ['job_base', 'job_industry_collection.job_industry_list.industry', 'text'],
    ['employee_post', 'id', 'keyword'],
  ] as const)('of %s: %s is %s', (family, path, kind) => {
    expect(Object.fromEntries(flattenFields(indexFields[family].properties))[path]).toBe(kind);
  });
});
