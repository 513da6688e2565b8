// The sample job postings and posts: the same everywhere, of companies and people that exist, plausible.
import { describe, expect, test } from 'vitest';
import { indexMapping } from '../../../../shared/index-fields/index.ts';
import { companyAt } from '../../../../worker/provider/sample/companies.ts';
import { employeeAt } from '../../../../worker/provider/sample/employees.ts';
import { SAMPLE_FAMILIES, sample, sampleCounts } from '../../../../worker/provider/sample/index.ts';
import { jobAt } from '../../../../worker/provider/sample/jobs.ts';
import { postAt } from '../../../../worker/provider/sample/posts.ts';
import { hashText } from '../../../../worker/provider/sample/random.ts';
import {
  COMPANIES,
  COMPANY_BY_ID,
  COUNTS,
  differences,
  employees,
  LAST_DAY,
  perMille,
  SEAMS,
  SEED,
  strings,
} from './small.ts';

const JOBS = Array.from({ length: COUNTS.job_base }, (_, index) =>
  jobAt(SEED, index, { companies: COMPANIES }),
);
const SETTING = { employees: COUNTS.employee_clean, companies: COMPANIES };
const POSTS = Array.from({ length: COUNTS.employee_post }, (_, index) => postAt(SEED, index, SETTING));
const PERSON_BY_URL = new Map(
  employees().map(({ clean }) => [clean.websites_professional_network, clean] as const),
);

describe('job postings', () => {
  test('a posting depends on seed, number and the number of companies only', () => {
    jobAt(SEED + 7, 3, { companies: 9000 });
    expect(jobAt(SEED, 777, { companies: COMPANIES })).toEqual(JOBS[777]);
    const print = JOBS.slice(0, 500).reduce((hash, job) => hashText(JSON.stringify(job), hash), 0);
    expect(print.toString(16)).toBe('265c6aef');
  });

  test('numbers out of range are refused', () => {
    for (const index of [-1, 0.5, 10_000_000])
      expect(() => jobAt(SEED, index, { companies: 5 })).toThrow(RangeError);
    expect(() => jobAt(SEED, 0, { companies: 0 })).toThrow(RangeError);
  });

  test('identifiers and numbers are unique whole numbers of 31 bits', () => {
    for (const ids of [JOBS.map(({ id }) => id), JOBS.map((job) => job.professional_network_job_id)]) {
      expect(new Set(ids).size).toBe(JOBS.length);
      expect(ids.every((id) => Number.isInteger(id) && id > 0 && id < 2 ** 31)).toBe(true);
    }
  });

  test('the company exists, with the same name and addresses', () => {
    for (const job of JOBS) {
      const company = COMPANY_BY_ID.get(job.company_id);
      expect([job.company_name, job.company_url, job.job_company_website]).toEqual([
        company?.name,
        company?.websites_professional_network_canonical,
        company?.websites_main,
      ]);
      expect(job.created.slice(0, 4) >= (company?.founded ?? '0')).toBe(true);
    }
  });

  test('times are in order, from August 2020 on; what is open was read within a day', () => {
    for (const job of JOBS) {
      expect(job.created >= '2020-08-01 00:00:00').toBe(true);
      expect(job.created <= job.last_updated && job.last_updated.slice(0, 10) <= LAST_DAY).toBe(true);
      if (job.application_active === 1)
        expect([job.last_updated.slice(0, 10), job.deleted]).toEqual([LAST_DAY, 0]);
    }
    expect(perMille(JOBS, (job) => job.application_active === 1)).toBeGreaterThan(60);
    expect(perMille(JOBS, (job) => job.deleted === 1)).toBeGreaterThan(80);
    for (let year = 2020; year <= 2026; year += 1)
      expect(
        JOBS.some((job) => job.created.startsWith(String(year))),
        String(year),
      ).toBe(true);
  });

  test('fields are those of the index mapping', () => {
    expect(differences(JOBS, indexMapping('job_base').properties)).toEqual([]);
  });

  test('values are missing about as often as in life', () => {
    const bounds: readonly [string, number, number, (job: (typeof JOBS)[number]) => boolean][] = [
      ['description', 1, 25, (job) => job.description === null],
      ['seniority', 60, 130, (job) => job.seniority === null],
      ['employment type', 20, 60, (job) => job.employment_type === null],
      ['salary', 600, 780, (job) => job.salary === null],
      ['applicants', 260, 390, (job) => job.applicants_count === null],
      ['external address', 360, 500, (job) => job.external_url === null],
    ];
    for (const [what, low, high, missing] of bounds) {
      const share = perMille(JOBS, missing);
      expect(share, what).toBeGreaterThanOrEqual(low);
      expect(share, what).toBeLessThanOrEqual(high);
    }
  });

  test('a few descriptions hold control characters, none of them a zero, and nothing else does', () => {
    const control = /[\p{Cc}]/u;
    const littered = JOBS.filter((job) => control.test((job.description ?? '').replaceAll('\n', '')));
    expect(littered.length).toBeGreaterThan(2);
    expect(littered.length).toBeLessThan(JOBS.length / 20);
    for (const job of JOBS) {
      expect(job.description ?? '').not.toContain('\u0000');
      for (const text of strings({ ...job, description: '' })) expect(text).not.toMatch(control);
    }
  });

  test('they are written in several languages and scripts, without seams', () => {
    const marks = [
      /m\/w\/d/,
      /H\/F/,
      /Ofrecemos|ofrecemos/,
      /Benefícios|Oferecemos/,
      /\p{Script=Hiragana}/u,
      /\p{Script=Arabic}/u,
      /\p{Script=Hangul}/u,
      /岗位|任职/,
    ];
    for (const mark of marks)
      expect(
        JOBS.some((job) => mark.test(job.title + (job.description ?? ''))),
        String(mark),
      ).toBe(true);
    expect(perMille(JOBS, (job) => / (and|the|for) /.test(job.description ?? ''))).toBeGreaterThan(550);
    for (const text of JOBS.flatMap(strings)) expect(text).not.toMatch(SEAMS);
    const texts = JOBS.map((job) => job.description);
    expect(new Set(texts).size / texts.length).toBeGreaterThan(0.95);
  });
});

describe('posts', () => {
  test('a post depends on seed, number and the size of the sample only', () => {
    postAt(SEED + 7, 3, { employees: 90, companies: 9000 });
    expect(postAt(SEED, 555, SETTING)).toEqual(POSTS[555]);
    const print = POSTS.slice(0, 300).reduce((hash, post) => hashText(JSON.stringify(post), hash), 0);
    expect(print.toString(16)).toBe('296ac43e');
  });

  test('numbers out of range are refused', () => {
    for (const index of [-1, 0.5, 4_000_000]) expect(() => postAt(SEED, index, SETTING)).toThrow(RangeError);
    for (const count of [0, -3, 0.5])
      expect(() => postAt(SEED, 0, { employees: count, companies: 5 })).toThrow(RangeError);
  });

  test('a sample of a single employee has posts too', () => {
    const person = employeeAt(SEED, 0, { companies: 1 }).clean;
    for (let index = 0; index < 30; index += 1) {
      const post = postAt(SEED, index, { employees: 1, companies: 1 });
      expect(post.author_profile_url).toBe(person.websites_professional_network);
    }
  });

  test('identifiers are texts of 19 digits beyond 2^53, unique, and tell the day', () => {
    expect(new Set(POSTS.map(({ id }) => id)).size).toBe(POSTS.length);
    for (const post of POSTS) {
      expect(post.id).toMatch(/^[1-9]\d{18}$/);
      expect(BigInt(post.id) > 2n ** 53n && BigInt(post.id) < 2n ** 63n).toBe(true);
      const day = new Date(Number(BigInt(post.id) >> 22n)).toISOString().slice(0, 10);
      expect(day).toBe(post.date_published);
      expect(post.url).toContain(post.id);
    }
  });

  test('authors are employees of the sample, as they are', () => {
    for (const post of POSTS) {
      const author = PERSON_BY_URL.get(post.author_profile_url);
      expect([post.author_name, post.author_headline, post.employee_parent_id]).toEqual([
        author?.full_name,
        author?.headline,
        String(author?.id),
      ]);
      expect(author?.is_deleted).toBe(0);
    }
    const authors = new Map<string, number>();
    for (const { employee_parent_id: id } of POSTS) authors.set(id, (authors.get(id) ?? 0) + 1);
    for (const post of POSTS)
      expect(post.author_posts_count).toBeGreaterThanOrEqual(authors.get(post.employee_parent_id) ?? 0);
  });

  test('mentioned people and commenters are employees too, and a mention stands in the text', () => {
    let mentions = 0;
    for (const post of POSTS) {
      for (const { full_name: name, url } of post.mentions) {
        mentions += 1;
        const person = PERSON_BY_URL.get(url);
        expect(person?.full_name).toBe(name);
        expect(post.article_body).toContain(person?.name_first ?? 'nobody');
        expect(url).not.toBe(post.author_profile_url);
      }
      expect(post.comments.length).toBeLessThanOrEqual(post.comment_count);
      for (const comment of post.comments) {
        expect(PERSON_BY_URL.get(comment.author_profile_url)?.full_name).toBe(comment.author_name);
        expect(comment.date_published >= post.date_published).toBe(true);
        expect(comment.date_published <= LAST_DAY).toBe(true);
      }
    }
    expect(mentions).toBeGreaterThan(20);
  });

  test('who tells of a new position holds it since a few weeks', () => {
    let told = 0;
    for (const post of POSTS) {
      const title = /I’m starting a new position as (.+?) at (.+?)!/.exec(post.article_body ?? '');
      if (title === null) continue;
      told += 1;
      const month = post.date_published.slice(0, 7);
      const before = new Date(`${month}-01T00:00:00Z`);
      before.setUTCMonth(before.getUTCMonth() - 1);
      const recent = [month, before.toISOString().slice(0, 7)];
      const positions = PERSON_BY_URL.get(post.author_profile_url)?.experience ?? [];
      expect(positions.some((one) => recent.includes(one.date_from ?? ''))).toBe(true);
    }
    expect(told).toBeGreaterThan(1);
  });

  test('dates are in order, tags stand in the text, fields are those of the index mapping', () => {
    for (const post of POSTS) {
      expect(post.created_at.slice(0, 10) >= post.date_published).toBe(true);
      expect(post.created_at.slice(0, 10) <= LAST_DAY).toBe(true);
      for (const tag of post.hashtags) expect(post.article_body).toContain(tag);
    }
    expect(differences(POSTS, indexMapping('employee_post').properties)).toEqual([]);
  });

  test('texts have a natural length, several scripts, few repeats and no seams', () => {
    const texts = POSTS.map((post) => post.article_body).filter((text) => text !== null);
    expect(new Set(texts).size / texts.length).toBeGreaterThan(0.93);
    expect(perMille(texts, (text) => text.length < 200)).toBeGreaterThan(200);
    expect(perMille(texts, (text) => text.length > 400)).toBeGreaterThan(35);
    for (const script of ['Hiragana', 'Hangul', 'Arabic', 'Cyrillic'])
      expect(
        texts.some((text) => new RegExp(`\\p{Script=${script}}`, 'u').test(text)),
        script,
      ).toBe(true);
    for (const text of POSTS.flatMap(strings)) expect(text).not.toMatch(SEAMS);
  });
});

describe('the whole sample', () => {
  test('2,000 companies bring 10,000 employees, 5,000 job postings and 3,000 posts', () => {
    expect(sampleCounts(2000)).toEqual({
      company_clean: 2000,
      company_base: 2000,
      employee_clean: 10_000,
      employee_base: 10_000,
      job_base: 5000,
      employee_post: 3000,
    });
  });

  test('it comes record by record: all families in their numbers, or only those that are wanted', () => {
    const counts = new Map<string, number>();
    for (const { family } of sample({ seed: SEED, companies: 5 }))
      counts.set(family, (counts.get(family) ?? 0) + 1);
    expect(Object.fromEntries(counts)).toEqual(sampleCounts(5));
    expect([...counts.keys()]).toEqual([...SAMPLE_FAMILIES]);
    const [first] = sample({ seed: SEED, companies: 5 });
    expect(first).toEqual({ family: 'company_clean', record: companyAt(SEED, 0).clean });
    const only = [...sample({ seed: SEED, companies: 5, families: ['employee_base'] })];
    expect(only).toHaveLength(25);
    expect(only[7]).toEqual({ family: 'employee_base', record: employeeAt(SEED, 7, { companies: 5 }).base });
  });

  test('a number of companies out of range is refused', () => {
    for (const companies of [0, -1, 1.5, 2_000_001])
      expect(() => sample({ seed: SEED, companies }).next()).toThrow(RangeError);
  });
});
