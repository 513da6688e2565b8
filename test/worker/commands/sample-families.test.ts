// The families of the sample: consistent with each other and with themselves.
import { describe, expect, it } from 'vitest';
import { DECIDING_LEVELS } from '../../../worker/commands/sample/career.ts';
import { SIZE_RANGES } from '../../../worker/commands/sample/company.ts';
import { INDUSTRIES } from '../../../worker/commands/sample/industries.ts';
import {
  COMPANIES,
  companies,
  companyById,
  LAST_DAY,
  people,
  percentOf,
  personByUrl,
  records,
} from './sample-records.ts';

describe('companies', () => {
  it('tell the same in both variants', () => {
    for (const { clean, base } of companies) {
      expect(base).toMatchObject({
        id: clean.id,
        name: clean.name,
        website: clean.websites_main_original,
        size: clean.size_range,
        employees_count: clean.size_employees_count,
        industry: clean.industry,
        description: clean.description,
        founded: clean.founded === null ? null : Number(clean.founded),
        headquarters_country_parsed: clean.location_hq_country,
        canonical_url: clean.websites_professional_network_canonical,
        source_id: Number(clean.professional_network_source_id),
      });
      expect(base?.last_updated.slice(0, 10)).toBe(clean.last_updated);
      expect(base?.company_specialties_collection.map(({ specialty }) => specialty)).toEqual(
        clean.specialities,
      );
      expect(base?.company_locations_collection.map((place) => place.location_address)).toEqual(
        clean.locations_full.map((place) => place.location_address),
      );
      expect(base?.company_updates_collection.map(({ urn }) => urn)).toEqual(
        (clean.updates ?? []).map(({ urn }) => urn),
      );
    }
  });

  it('have the size of their employees, one headquarters, and dates in order', () => {
    for (const { clean, base } of companies) {
      const range = SIZE_RANGES.find(({ label }) => label === clean.size_range);
      const count = clean.size_employees_count;
      if (range !== undefined && count !== null) expect(count >= range.low && count <= range.high).toBe(true);
      expect(clean.locations_full.filter(({ is_primary }) => is_primary)).toHaveLength(
        clean.location_hq_country === null ? 0 : 1,
      );
      expect(clean.locations_full[0]?.city ?? null).toBe(clean.location_hq_city);
      expect(clean.created_at <= clean.last_updated && clean.last_updated <= LAST_DAY).toBe(true);
      expect((clean.founded ?? '1900') <= clean.created_at.slice(0, 4)).toBe(true);
      for (const item of [
        ...(base?.company_similar_collection ?? []),
        ...(base?.company_updates_collection ?? []),
      ]) {
        expect(item.created >= (base?.created ?? '') && item.created <= item.last_updated).toBe(true);
      }
    }
  });

  it('refer to companies and employees of the sample', () => {
    const urls = new Set(companies.map(({ base }) => base?.canonical_url));
    const similar = companies.flatMap(({ base }) => base?.company_similar_collection ?? []);
    expect(similar.length).toBeGreaterThan(100);
    expect(similar.filter(({ url }) => !urls.has(url))).toEqual([]);
    for (const { base } of companies) {
      for (const { url } of base?.company_featured_employees_collection ?? []) {
        expect(personByUrl.get(url)?.experience[0]?.company_id).toBe(base?.id);
      }
    }
  });

  it('are described by words of their industry', () => {
    const english = records.company_clean.filter(({ description }) =>
      / (?:the|and|to|are|for) /.test(description ?? ''),
    );
    expect(english.length).toBeGreaterThan(COMPANIES / 3);
    for (const { industry, description } of english) {
      const products = INDUSTRIES.find(({ name }) => name === industry)?.products ?? [];
      expect(products.some((product) => description?.toLowerCase().includes(product))).toBe(true);
    }
  });
});

describe('employees', () => {
  it('have worked at companies that exist, with their data, after these were founded', () => {
    for (const { clean } of people) {
      expect(clean.experience.length).toBeGreaterThan(0);
      for (const job of clean.experience) {
        const company = companyById.get(job.company_id);
        expect(job).toMatchObject({
          company_name: company?.name,
          company_website: company?.websites_main_original,
          company_industry: company?.industry,
          company_size_range: company?.size_range,
          company_location_hq_country: company?.location_hq_country,
        });
        expect(job.date_from >= (company?.founded ?? '')).toBe(true);
      }
    }
  });

  it('have careers in the order of time, and say of the present what the experience says', () => {
    for (const { clean } of people) {
      clean.experience.forEach((job, at) => {
        expect(job.order_in_profile).toBe(at + 1);
        expect(job.date_to === undefined || job.date_from <= job.date_to).toBe(true);
        expect(job.date_from <= LAST_DAY && (job.date_to ?? '') <= LAST_DAY).toBe(true);
        const before = clean.experience[at + 1];
        if (before !== undefined) expect((before.date_to ?? '9999') <= job.date_from).toBe(true);
      });
      const current = clean.experience.find(({ is_current }) => is_current === 1);
      expect(clean.is_working).toBe(current === undefined ? 0 : 1);
      expect(clean.job_title).toBe(current?.title ?? null);
      expect(clean.company_id).toBe(current?.company_id ?? null);
      expect(clean.is_decision_maker).toBe(DECIDING_LEVELS.includes(current?.management_level ?? '') ? 1 : 0);
    }
  });

  it('tell the same in both variants', () => {
    for (const { clean, base } of people) {
      expect(base).toMatchObject({
        id: clean.id,
        full_name: clean.full_name,
        headline: clean.headline,
        summary: clean.description,
        profile_url: clean.websites_professional_network,
        country: clean.location_country,
        region: clean.location_regions[0] ?? null,
        experience_count: clean.experience.length,
      });
      expect(base?.experience.map(({ title, date_from, date_to }) => [title, date_from, date_to])).toEqual(
        clean.experience.map(({ title, date_from, date_to }) => [title, date_from, date_to ?? null]),
      );
      expect(base?.skills.map(({ skill }) => skill)).toEqual(clean.skills);
      expect((base?.created_at ?? '') <= (base?.updated_at ?? '')).toBe(true);
    }
  });
});

describe('job postings', () => {
  it('are of companies that exist', () => {
    for (const job of records.job_base) {
      const company = companyById.get(job.company_id);
      expect(job).toMatchObject({
        company_name: company?.name,
        company_url: company?.websites_professional_network,
        job_company_website: company?.websites_main_original,
        job_industry_collection: [{ job_industry_list: { industry: company?.industry } }],
      });
    }
  });

  // Service: "Records span from August 2020 to the present. Active postings are revisited within 24 hours."
  it('span from August 2020 on, and active ones were visited within a day', () => {
    for (const job of records.job_base) {
      expect(job.created >= '2020-08-01' && job.created <= job.last_updated).toBe(true);
      if (job.application_active === 1) expect(job.last_updated.slice(0, 10)).toBe(LAST_DAY);
    }
    expect(percentOf(records.job_base, ({ application_active }) => application_active === 1)).toBeGreaterThan(
      15,
    );
  });
});

describe('posts', () => {
  it('are by employees of the sample, and mention and interest such', () => {
    for (const post of records.employee_post) {
      const author = personByUrl.get(post.author_profile_url);
      expect(post).toMatchObject({
        employee_parent_id: String(author?.id),
        author_name: author?.full_name,
        author_headline: author?.headline,
      });
      for (const { url, full_name } of post.mentions) expect(personByUrl.get(url)?.full_name).toBe(full_name);
      for (const comment of post.comments) {
        expect(personByUrl.get(comment.author_profile_url)?.full_name).toBe(comment.author_name);
        expect(comment.date_published >= post.date_published).toBe(true);
      }
      for (const tag of post.hashtags) expect(post.article_body ?? tag).toContain(tag);
      expect(post.date_published <= post.created_at && post.date_published <= LAST_DAY).toBe(true);
    }
  });
});
