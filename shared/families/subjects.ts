// What families are about. Several families may have the same subject.

const DAY_S = 86_400;

export interface SubjectFacts {
  /** What people call one record. */
  label: string;
  /** The path segments of a profile URL behind which the shorthand name stands. */
  profileSegments: readonly string[];
  /** Seconds for which a bought record is fresh. */
  freshForS: number;
  /** What the service says where there is no such record. */
  missing: string;
  /** A column of ids under such a heading probably holds ids of this subject, unless a later subject's matches, too. */
  idHeading: RegExp;
}

const table = {
  company: {
    label: 'Company',
    profileSegments: ['company', 'school', 'showcase'],
    freshForS: 30 * DAY_S,
    missing: 'Company not found',
    idHeading: /(?:)/,
  },
  employee: {
    label: 'Employee',
    profileSegments: ['in', 'pub'],
    freshForS: 14 * DAY_S,
    missing: 'Member not found',
    idHeading: /employee|member|person|people|profile|contact/i,
  },
  job: {
    label: 'Job posting',
    profileSegments: [],
    freshForS: DAY_S,
    missing: 'Job not found',
    idHeading: /job/i,
  },
  post: {
    label: 'Post',
    profileSegments: [],
    freshForS: 7 * DAY_S,
    missing: 'Post not found',
    idHeading: /post/i,
  },
} as const satisfies Record<string, SubjectFacts>;

export type Subject = keyof typeof table;

export const subjects: Readonly<Record<Subject, SubjectFacts>> = table;
