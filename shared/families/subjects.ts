// What families are about. Several families may have the same subject.

const DAY_S = 86_400;

export interface SubjectInfo {
  /** What people call one record. */
  label: string;
  /** The path segments of a profile URL behind which the shorthand name stands. */
  profileSegments: readonly string[];
  /** Seconds for which a bought record is fresh. */
  freshForS: number;
  /** What the service says where there is no such record. */
  notFoundMessage: string;
  /** A column of ids under such a heading probably holds ids of this subject, unless a later subject's matches, too. */
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
    freshForS: DAY_S,
    notFoundMessage: 'Job not found',
    idHeadingPattern: /job/i,
  },
  post: {
    label: 'Post',
    profileSegments: [],
    freshForS: 7 * DAY_S,
    notFoundMessage: 'Post not found',
    idHeadingPattern: /post/i,
  },
} as const satisfies Record<string, SubjectInfo>;

export type Subject = keyof typeof table;

export const subjects: Readonly<Record<Subject, SubjectInfo>> = table;
