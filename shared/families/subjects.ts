// Subjects: the kinds of thing that records describe. Several families may share a subject.
import { DAY_S } from '../lib/durations.ts';

export interface SubjectInfo {
  /** Name of one record in user interfaces. */
  label: string;
  /** Path segments that precede the shorthand name in a profile URL. */
  profileSegments: readonly string[];
  /** Whose records they are, if they belong to somebody: erasing the owner erases them. */
  owner?: 'company' | 'employee';
  /** Seconds for which a bought record is fresh. */
  freshForS: number;
  /** The service's message for a missing record. */
  notFoundMessage: string;
  /** Headings of id columns that suggest this subject. The last matching subject wins. */
  idHeadingPattern: RegExp;
}

const table = {
  company: {
    label: 'Company',
    profileSegments: ['company', 'school', 'showcase'],
    freshForS: 30 * DAY_S,
    notFoundMessage: 'Company not found',
    idHeadingPattern: /(?:)/,
  },
  employee: {
    label: 'Employee',
    profileSegments: ['in', 'pub'],
    freshForS: 14 * DAY_S,
    notFoundMessage: 'Member not found',
    idHeadingPattern: /employee|member|person|people|profile|contact/i,
  },
  job: {
    label: 'Job posting',
    profileSegments: [],
    owner: 'company',
    freshForS: DAY_S,
    notFoundMessage: 'Job not found',
    idHeadingPattern: /job/i,
  },
  post: {
    label: 'Post',
    profileSegments: [],
    owner: 'employee',
    freshForS: 7 * DAY_S,
    notFoundMessage: 'Post not found',
    idHeadingPattern: /post/i,
  },
} as const satisfies Record<string, SubjectInfo>;

export type Subject = keyof typeof table;

export const subjectNames = ['company', 'employee', 'job', 'post'] as const satisfies readonly Subject[];

export const subjects: Readonly<Record<Subject, SubjectInfo>> = table;
