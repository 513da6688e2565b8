// The records of sample employees, job postings and posts as the service returns them: field names from the
// contract's lists and the index mappings.
import type { Department, Level } from './people/vocabulary.ts';

/** A position of a clean employee; the company's fields are those of its clean record. */
export interface CleanExperience {
  title: string;
  description: string | null;
  /** 1 is the latest */
  order_in_profile: number;
  is_current: 0 | 1;
  company_id: number;
  company_name: string;
  company_shorthand_name: string;
  company_professional_network_url: string;
  company_website: string | null;
  company_industry: string | null;
  company_categories_and_keywords: string[];
  company_type: string | null;
  /** the year, as text */
  company_founded: string | null;
  company_size_range: string | null;
  company_employees_count: number | null;
  company_followers: number | null;
  company_location_hq_full_address: string | null;
  company_location_hq_country: string | null;
  company_location_hq_country_iso_2: string | null;
  company_location_hq_country_iso_3: string | null;
  company_location_hq_state: string | null;
  company_location_hq_city: string | null;
  company_location_hq_regions: string[];
  /** `YYYY-MM` */
  date_from: string | null;
  /** `YYYY-MM`; absent where the position is held at present */
  date_to?: string | null;
  /** from the first to the last month, or to the month of `last_updated` */
  duration_months: number | null;
  department: Department;
  management_level: Level;
  location: string | null;
}

/** What an item of any list of a profile begins with, in clean records. */
export interface CleanItem {
  /** 1 is the first */
  order_in_profile: number;
}

/** A school of a clean employee; dates are years. */
export interface CleanEducation extends CleanItem {
  institution_name: string;
  institution_url: string | null;
  degree: string | null;
  program_name: string | null;
  date_from: string | null;
  date_to: string | null;
  description: string | null;
  activities_and_societies: string | null;
}

/** A certificate; dates are `YYYY-MM`. */
export interface Certification {
  title: string;
  issuer: string;
  issuer_url: string | null;
  certificate_id: string | null;
  certificate_url: string | null;
  date_from: string | null;
  date_to: string | null;
}

/** A language with the level at which it is spoken. */
export interface SpokenLanguage {
  language: string;
  proficiency: string | null;
}

/** A course. */
export interface Course {
  title: string;
  organizer: string | null;
}

/** An award; the date is `YYYY-MM`, of awards of a school `YYYY`. */
export interface Award {
  title: string;
  issuer: string | null;
  description: string | null;
  date: string | null;
}

/** What somebody wrote about the person. */
export interface Recommendation {
  recommendation: string;
  referee_full_name: string;
}

/** What the person liked, shared or commented on. */
export interface Activity {
  activity_url: string;
  title: string;
  action: string;
}

/** One clean employee record. */
export interface EmployeeClean {
  id: number;
  full_name: string;
  name_first: string;
  name_middle: string | null;
  name_last: string;
  websites_professional_network: string;
  shorthand_names: string[];
  picture_url: string | null;
  follower_count: number | null;
  connections_count: number | null;
  skills: string[];
  headline: string | null;
  description: string | null;
  company_id: number | null;
  job_title: string | null;
  job_description: string | null;
  department: Department | null;
  management_level: Level | null;
  is_decision_maker: 0 | 1;
  is_working: 0 | 1;
  is_deleted: 0 | 1;
  /** months in which at least one position was held */
  total_experience_duration_months: number | null;
  location_raw_address: string | null;
  location_full: string | null;
  location_country: string | null;
  location_country_iso_2: string | null;
  location_country_iso_3: string | null;
  location_state: string | null;
  location_city: string | null;
  location_regions: string[];
  /** `YYYY-MM-DD` */
  last_updated: string;
  experience: CleanExperience[];
  education: CleanEducation[];
  languages: (CleanItem & SpokenLanguage)[];
  certifications: (CleanItem & Certification)[];
  courses: (CleanItem & Course)[];
  awards: (CleanItem & Award)[];
  recommendations: (CleanItem & Recommendation)[];
  activity: (CleanItem & Activity)[];
}

/** What an item of any list of a profile begins with, in base records. */
export interface BaseItem {
  order_in_profile: number;
  deleted: 0 | 1;
}

/** A position of a base employee. */
export interface BaseExperience extends BaseItem {
  title: string;
  company_id: number;
  company_name: string;
  company_url: string;
  company_website: string | null;
  company_industry: string | null;
  company_size: string | null;
  company_employees_count: number | null;
  /** `YYYY-MM` */
  date_from: string | null;
  date_to: string | null;
  is_current: 0 | 1;
  description: string | null;
  location: string | null;
}

/** A school of a base employee; degree and subject are one text. */
export interface BaseEducation extends BaseItem {
  institution_name: string;
  institution_url: string | null;
  program_name: string | null;
  date_from: string | null;
  date_to: string | null;
  description: string | null;
  activities_and_societies: string | null;
}

/** One base employee record. */
export interface EmployeeBase {
  id: number;
  parent_id: number;
  is_parent: 0 | 1;
  full_name: string;
  first_name: string;
  last_name: string;
  headline: string | null;
  summary: string | null;
  /** `YYYY-MM-DD HH:MM:SS`, as the two that follow */
  created_at: string;
  updated_at: string;
  checked_at: string;
  profile_url: string;
  profile_photo_url: string | null;
  location: string | null;
  industry: string | null;
  country: string | null;
  country_iso_2: string | null;
  country_iso_3: string | null;
  /** Service description: "Base employee collect examples select `region` and `industry`". */
  region: string | null;
  regions: { region: string }[];
  deleted: 0 | 1;
  is_hidden: 0 | 1;
  recommendations_count: number | null;
  connections_count: number | null;
  follower_count: number | null;
  experience_count: number;
  shorthand_name: string;
  shorthand_names: { shorthand_name: string }[];
  historical_ids: { id: number }[];
  experience: BaseExperience[];
  education: BaseEducation[];
  certifications: (BaseItem & Certification)[];
  languages: (BaseItem & SpokenLanguage)[];
  skills: (BaseItem & { skill: string })[];
  awards: (BaseItem & Award)[];
  courses: (BaseItem & Course)[];
  organizations: (BaseItem & {
    name: string;
    position: string | null;
    description: string | null;
    date_from: string | null;
    date_to: string | null;
  })[];
  patents: (BaseItem & {
    title: string;
    status: string;
    inventors: string | null;
    description: string | null;
    patent_number: string;
    date: string | null;
  })[];
  projects: (BaseItem & {
    name: string;
    description: string | null;
    date_from: string | null;
    date_to: string | null;
  })[];
  publications: (BaseItem & {
    title: string;
    publisher: string | null;
    authors: string | null;
    description: string | null;
    date: string | null;
  })[];
  recommendations: (BaseItem & Recommendation)[];
  volunteering_positions: (BaseItem & {
    organization_name: string;
    role: string;
    cause: string | null;
    description: string | null;
    date_from: string | null;
    date_to: string | null;
  })[];
  activity: (BaseItem & Activity)[];
}

/** One job posting. */
export interface JobBase {
  id: number;
  /** `YYYY-MM-DD HH:MM:SS` */
  created: string;
  last_updated: string;
  /** an age such as `2 weeks ago`, as read when the posting was first seen */
  time_posted: string | null;
  title: string;
  /** now and then with control characters in it */
  description: string | null;
  seniority: string | null;
  employment_type: string | null;
  location: string | null;
  country: string | null;
  url: string;
  hash: string;
  company_id: number;
  company_name: string;
  company_url: string;
  job_company_website: string | null;
  external_url: string | null;
  redirected_url: string | null;
  deleted: 0 | 1;
  application_active: 0 | 1;
  salary: string | null;
  applicants_count: string | null;
  professional_network_job_id: number;
  job_industry_collection: { job_industry_list: { industry: string } }[];
  job_functions_collection: string[];
}

/** One post of an employee. */
export interface EmployeePost {
  /** 19 digits, beyond 2^53 */
  id: string;
  employee_parent_id: string;
  author_name: string;
  author_profile_url: string;
  author_headline: string | null;
  author_posts_count: number;
  url: string;
  /** `YYYY-MM-DD` */
  date_published: string;
  /** `YYYY-MM-DD HH:MM:SS` */
  created_at: string;
  article_body: string | null;
  image_url: string | null;
  hashtags: string[];
  mentions: { full_name: string; url: string }[];
  reaction_count: number;
  comment_count: number;
  comments: {
    author_name: string;
    author_profile_url: string;
    author_headline: string | null;
    comment: string;
    reaction_count: number;
    /** `YYYY-MM-DD` */
    date_published: string;
  }[];
}
