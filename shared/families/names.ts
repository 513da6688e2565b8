// The names of the families.

/** Family names, in display order. Each name is also the path segment in the service's URLs. */
export const familyNames = [
  'company_clean',
  'company_base',
  'company_multi_source',
  'employee_clean',
  'employee_base',
  'employee_multi_source',
  'job_base',
  'job_multi_source',
  'employee_post',
] as const;

export type Family = (typeof familyNames)[number];
