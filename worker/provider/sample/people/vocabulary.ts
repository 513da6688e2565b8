// The words that people's records are sorted by: roles, areas of work, levels, departments, subjects of study.
import type { Language, Sector, Trade } from '../vocabulary.ts';

/** Kinds of occupation; every position and every job posting is of one of them. */
export const ROLES = [
  'software',
  'data',
  'sysadmin',
  'product',
  'support',
  'mechanical',
  'electrical',
  'quality',
  'production',
  'maintenance',
  'civil',
  'site',
  'architect',
  'electrician',
  'property',
  'cook',
  'host',
  'agronomist',
  'foodtech',
  'nurse',
  'physician',
  'physio',
  'vet',
  'research',
  'laboratory',
  'trainer',
  'lawyer',
  'tax',
  'consultant',
  'recruiter',
  'adviser',
  'risk',
  'store',
  'buyer',
  'designer',
  'driver',
  'dispatcher',
  'warehouse',
  'teacher',
  'lecturer',
  'social',
  'curator',
  'editor',
  'producer',
  'events',
  'geologist',
  'sales',
  'marketing',
  'accountant',
  'hr',
  'office',
  'projects',
  'operations',
] as const;

/** One kind of occupation. */
export type Role = (typeof ROLES)[number];

/** Areas of work that share sentences in languages other than English. */
export const AREAS = [
  'build',
  'make',
  'sell',
  'serve',
  'count',
  'care',
  'teach',
  'study',
  'move',
  'shape',
  'lead',
] as const;

/** One area of work. */
export type Area = (typeof AREAS)[number];

/** What the head of a team is head of. */
export const FIELDS = [
  'development',
  'it',
  'data',
  'product',
  'service',
  'engineering',
  'quality',
  'production',
  'maintenance',
  'construction',
  'kitchen',
  'agriculture',
  'nursing',
  'medicine',
  'research',
  'law',
  'finance',
  'consulting',
  'staff',
  'stores',
  'purchasing',
  'design',
  'logistics',
  'education',
  'social',
  'culture',
  'editorial',
  'events',
  'sales',
  'marketing',
  'projects',
  'operations',
] as const;

/** One such field. */
export type Field = (typeof FIELDS)[number];

/** Departments, as records name them. */
export type Department =
  | 'Administrative'
  | 'C-Suite'
  | 'Consulting'
  | 'Customer Service'
  | 'Design'
  | 'Education'
  | 'Engineering and Technical'
  | 'Finance & Accounting'
  | 'General Management'
  | 'Human Resources'
  | 'Legal'
  | 'Marketing'
  | 'Medical'
  | 'Operations'
  | 'Other'
  | 'Product'
  | 'Project Management'
  | 'Real Estate'
  | 'Research'
  | 'Sales'
  | 'Trades';

/** Management levels, as records name them. Contract, "Records". */
export const LEVELS = [
  'Intern',
  'Specialist',
  'Senior',
  'Manager',
  'Head',
  'Director',
  'President/Vice President',
  'C-Level',
  'Partner',
  'Founder',
  'Owner',
] as const;

/** One management level. */
export type Level = (typeof LEVELS)[number];

/** Levels at which one decides about money and people. */
export const DECIDING_LEVELS: ReadonlySet<Level> = new Set<Level>([
  'Head',
  'Director',
  'President/Vice President',
  'C-Level',
  'Partner',
  'Founder',
  'Owner',
]);

/** Subjects of study. */
export const SUBJECTS = [
  'computing',
  'mathematics',
  'mechanics',
  'electronics',
  'construction',
  'architecture',
  'business',
  'economics',
  'law',
  'medicine',
  'nursing',
  'therapy',
  'veterinary',
  'biology',
  'chemistry',
  'food',
  'farming',
  'geology',
  'teaching',
  'psychology',
  'socialwork',
  'design',
  'media',
  'literature',
  'history',
  'tourism',
  'logistics',
] as const;

/** One subject. */
export type Subject = (typeof SUBJECTS)[number];

/** What a role is, asks for and does (British English). */
export interface RoleFacts {
  role: Role;
  area: Area;
  field: Field;
  department: Department;
  /** job functions and how postings name them */
  functions: readonly string[];
  /** what people without rank are called; `title@trade,sector` where only some have such people */
  titles: readonly string[];
  /** what the first in a team is called; likewise */
  leads: readonly string[];
  /** as in "Head of Engineering" */
  name: string;
  /** titles of heads and directors where they are not made of the name; likewise */
  heads?: readonly string[];
  /** titles at board level; empty = none */
  chiefs: readonly string[];
  /** sectors and trades in which the role is at home, the first two above all; empty = none in particular */
  fits: readonly (Sector | Trade)[];
  /** how often it is drawn where it is at home */
  weight: number;
  /** how many employees a company elsewhere needs to have the role */
  staff: number;
  /** how far one gets: 1 senior, 2 manager, 3 all the way */
  ceiling: 1 | 2 | 3;
  subjects: readonly Subject[];
  /** how often one has studied for it, per mille */
  academic: number;
  skills: readonly string[];
  /** what one does, each beginning with its only verb in the imperative */
  duties: readonly string[];
  /** what one has achieved, beginning with a verb in the past */
  wins: readonly string[];
  /** what a job posting asks for */
  wants: readonly string[];
  /** yearly pay of a specialist in the United States, thousands of dollars */
  pay: number;
}

/** A text for men and one for women, parted by `||`; one alone is for both. */
export type Gendered = string;

/** Kinds of post that an employee writes. */
export const POST_KINDS = ['start', 'hiring', 'event', 'lesson', 'team', 'milestone'] as const;

/** One kind of post. */
export type PostKind = (typeof POST_KINDS)[number];

/** Levels of schooling, by how a degree is called. */
export interface Degrees {
  trade: string;
  bachelor: string;
  master: string;
  doctor: string;
}

/** Languages that people say they speak, in the order in which each voice names them. */
export const TONGUES = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
  'pl',
  'tr',
  'uk',
  'ar',
  'zh',
  'ja',
  'ko',
  'hi',
] as const satisfies readonly Language[];

/**
 * How people of one language other than English write about their work. Slots: `{title}` `{company}`
 * `{city}` `{in}` (a phrase for "in that city") `{does}` (the company's field) `{years}` `{person}` `{skill}`.
 */
export interface Voice {
  language: Exclude<Language, 'en'>;
  /** what stands between two sentences */
  gap: string;
  /** patterns: `{t}` a title, `{f}` a field */
  ranks: Readonly<Record<'intern' | 'junior' | 'senior' | 'lead' | 'head' | 'director', Gendered>>;
  /** titles at the top */
  top: Readonly<Record<'chief' | 'partner' | 'founder' | 'owner', Gendered>>;
  titles: Readonly<Record<Role, Gendered>>;
  fields: Readonly<Record<Field, string>>;
  subjects: Readonly<Record<Subject, string>>;
  degrees: Degrees;
  /** names of the languages, in the order of `TONGUES`, parted by `; ` */
  tongues: string;
  /** "Greater {city} area" */
  surroundings: string;
  headlines: readonly string[];
  /** first sentences of what people say about themselves */
  about: readonly string[];
  /** further ones; `#10 ` in front of what only people who lead others say */
  more: readonly string[];
  duties: Readonly<Record<Area, readonly string[]>>;
  job: {
    /** what is added to a title, such as " (m/w/d)" */
    suffixes: readonly string[];
    intros: readonly string[];
    headings: Readonly<Record<'duties' | 'wants' | 'offers', readonly string[]>>;
    wants: readonly string[];
    offers: readonly string[];
    closers: readonly string[];
  };
  posts: Readonly<Record<PostKind, readonly string[]>>;
  /** what some posts end with */
  closings: readonly string[];
  /** comments under posts; `text@kind` where one fits some kinds only */
  comments: readonly string[];
  /** what colleagues write about a person */
  praise: readonly string[];
  skills: readonly string[];
}
