// The index fields of the families, and the host that is taken out of an address.

import { describe, expect, it } from 'vitest';
import { indexFields } from '../../../shared/families/registry.ts';
import { extractDomain } from '../../../shared/index-fields/domain.ts';
import type { Properties } from '../../../shared/index-fields/mapping.ts';

describe('the domain of an address', () => {
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
    'of %j is none',
    (address) => {
      expect(extractDomain(address)).toBeUndefined();
    },
  );

  it('is none of a text that is far too long', () => {
    expect(extractDomain('a.'.repeat(1_000_000))).toBeUndefined();
    expect(extractDomain('@'.repeat(1_000_000))).toBeUndefined();
  });
});

/** Every field with its path, variants included. */
function flat(properties: Properties, prefix = ''): [path: string, kind: string][] {
  return Object.entries(properties).flatMap(([name, property]): [string, string][] => {
    const path = prefix + name;
    const substitute = 'null_value' in property ? ` ${property.null_value}` : '';
    const stored = 'index' in property && property.index === false ? ' stored' : '';
    return [
      [path, property.type + substitute + stored],
      ...('properties' in property ? flat(property.properties, `${path}.`) : []),
      ...('fields' in property ? flat(property.fields ?? {}, `${path}.`) : []),
    ];
  });
}

describe('index fields', () => {
  it.each([
    ['company_clean', 'name', 'text'],
    ['company_clean', 'type', 'keyword NULL'],
    ['company_clean', 'founded', 'keyword'],
    ['company_clean', 'followers', 'integer -1'],
    ['company_clean', 'websites_main.exact', 'keyword NULL'],
    ['company_clean', 'websites_resolved.domain_only', 'text'],
    ['company_clean', 'specialities.exact', 'keyword'],
    ['company_clean', 'enriched_b2b', 'integer'],
    ['company_clean', 'logo', 'binary'],
    ['company_clean', 'funding_rounds.last_round_money_raised', 'integer -1'],
    ['company_clean', 'locations_full.regions', 'nested'],
    ['company_clean', 'locations_full.regions.region', 'keyword NULL'],
    ['company_clean', 'locations_full.city.exact', 'keyword NULL'],
    ['company_clean', 'updates.followers', 'integer'],
    ['job_base', 'time_posted', 'text stored'],
    ['job_base', 'salary', 'text stored'],
    ['job_base', 'deleted', 'byte'],
    ['job_base', 'company_url.exact', 'keyword'],
    ['job_base', 'job_functions_collection.exact', 'keyword NULL'],
    ['job_base', 'job_industry_collection.job_industry_list.industry', 'text'],
    ['job_base', 'job_company_website.domain_only', 'text'],
    ['employee_clean', 'experience.description', 'text'],
    ['employee_post', 'id', 'keyword'],
  ] as const)('of %s: %s is %s', (family, path, kind) => {
    expect(Object.fromEntries(flat(indexFields[family].properties))[path]).toBe(kind);
  });
});
