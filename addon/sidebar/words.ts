// Numbers, times and names as people read them.
import { type Family, families } from '../../shared/families.ts';
import { operations } from '../../shared/operations.ts';

const SUBJECTS = { company: 'Companies', employee: 'Employees', job: 'Jobs', post: 'Posts' } as const;

/** `1240` → `1,240`. */
export function count(number: number): string {
  return number.toLocaleString('en');
}

/** `1 row`, `20 rows`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** `Companies, clean`. */
export function familyLabel(family: Family): string {
  const { subject, variant } = families[family];
  return subject === 'post' ? SUBJECTS.post : `${SUBJECTS[subject]}, ${variant}`;
}

/** The families that can be searched, with previews. */
export const searchFamilies: readonly Family[] = [
  ...new Set(operations.filter(({ name }) => name === 'preview').map(({ family }) => family)),
];

/** Credits for one page of a family's preview. */
export function pageCredits(family: Family): number {
  return operations.find((one) => one.name === 'preview' && one.family === family)?.credits ?? 0;
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** `3 days ago`, `just now`. */
export function ago(iso: string, now = Date.now()): string {
  const seconds = (now - Date.parse(iso)) / 1000;
  for (const [unit, size] of UNITS) {
    if (seconds >= size) return `${counted(Math.floor(seconds / size), unit)} ago`;
  }
  return 'just now';
}

/** `A1:B2` of `My sheet`. */
export function placeLabel(sheet: string, range: string): string {
  return range === '' ? sheet : `${sheet} · ${range}`;
}
