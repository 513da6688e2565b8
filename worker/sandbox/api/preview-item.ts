// Builds preview items: a small fixed set of fields for each family, with the score.

import type { Family } from '../../../shared/families/index.ts';
import { previewFields } from '../../../shared/families/registry.ts';
import { isObject } from '../../../shared/lib/is-object.ts';
import { getStoredFamily } from '../record-store.ts';
import { toShortFloat } from '../search/short-float.ts';

type DataRecord = Readonly<Record<string, unknown>>;

function listExperiences(record: DataRecord): DataRecord[] {
  const { experience } = record;
  return Array.isArray(experience) ? experience.filter(isObject) : [];
}

/** Finds the job that a base employee's preview shows. Contract, "Records", employee_base preview. */
function findCurrentBaseJob(record: DataRecord): DataRecord {
  const current = listExperiences(record).find(
    ({ order_in_profile, deleted, is_current }) =>
      order_in_profile === 1 &&
      (deleted === 0 || deleted === false) &&
      (is_current === 1 || is_current === true),
  );
  return current ?? {};
}

/** Finds the job that a clean employee's preview shows: the first without an end date. */
function findCurrentCleanJob(record: DataRecord): DataRecord {
  const open = listExperiences(record).filter(({ date_to }) => date_to === undefined || date_to === null);
  const [first] = open.toSorted((a, b) => Number(a.order_in_profile ?? 0) - Number(b.order_in_profile ?? 0));
  return first ?? {};
}

/** Families whose preview fields differ from the record's fields of the same name. */
const sources: Readonly<Partial<Record<Family, (record: DataRecord) => DataRecord>>> = {
  company_clean: (record) => ({ ...record, website_main: record.websites_main }),
  employee_base: (record) => {
    const { title, company_name, company_url, company_website, company_industry } =
      findCurrentBaseJob(record);
    return { ...record, title, company_name, company_url, company_website, company_industry };
  },
  employee_clean: (record) => {
    const job = findCurrentCleanJob(record);
    return {
      ...record,
      company_name: job.company_name,
      company_professional_network_url: job.company_professional_network_url,
      company_website: job.company_website,
      company_industry: job.company_industry,
      company_location_hq_full_address: job.company_location_hq_full_address,
      company_location_hq_country: job.company_location_hq_country,
    };
  },
};

/**
 * Builds the preview item of a record.
 * @returns all preview fields of the family, null if the record has none
 */
export function buildPreviewItem(family: Family, record: DataRecord, score: number): Record<string, unknown> {
  const source = (sources[getStoredFamily(family)] ?? ((whole: DataRecord) => whole))(record);
  const fields = previewFields[family];
  return Object.fromEntries(
    fields.map((field) => [field, field === '_score' ? toShortFloat(score) : (source[field] ?? null)]),
  );
}
