// The generated digests of mail hosts and top-level domains: with all members and few wrong members.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDigestSet, encodeDigests } from '../../shared/keys/digest-set.ts';
import { mailHostDigests, topLevelDigests } from '../../shared/keys/known-hosts.ts';
import { companyHosts } from '../../worker/commands/build/known-hosts/mail-hosts.ts';
import { listMailHosts, listTopLevelDomains } from '../../worker/commands/build/known-hosts/render.ts';

describe('the digests of known hosts', () => {
  it('hold all members', async () => {
    const isMailHost = createDigestSet(mailHostDigests);
    const isTopLevel = createDigestSet(topLevelDigests);
    expect([...(await listMailHosts())].filter((host) => !isMailHost(host))).toEqual([]);
    expect((await listTopLevelDomains()).filter((domain) => !isTopLevel(domain))).toEqual([]);
  });

  it('hold no companies that the lists name by mistake', () => {
    expect(companyHosts.filter(createDigestSet(mailHostDigests))).toEqual([]);
  });

  it('take fewer than 1 of 20,000 other hosts for a mail host', () => {
    const isMailHost = createDigestSet(mailHostDigests);
    const hosts = Array.from({ length: 200_000 }, (_, at) => `company-${at}.example`);
    expect(hosts.filter(isMailHost).length).toBeLessThan(10);
  });
});

describe('a digest set', () => {
  it('has its members, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.constantFrom(1, 16, 4096), (texts, buckets) => {
        const has = createDigestSet(encodeDigests(texts, buckets));
        expect(texts.every(has)).toBe(true);
        expect(createDigestSet(encodeDigests([], buckets))('acme.example')).toBe(false);
      }),
    );
  });
});
