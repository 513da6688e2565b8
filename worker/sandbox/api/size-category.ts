// The service's size categories, by number of employees.

const categories = [
  { upTo: 10, name: '1-10 employees' },
  { upTo: 50, name: '11-50 employees' },
  { upTo: 200, name: '51-200 employees' },
  { upTo: 500, name: '201-500 employees' },
  { upTo: 1000, name: '501-1,000 employees' },
  { upTo: 5000, name: '1,001-5,000 employees' },
  { upTo: 10_000, name: '5,001-10,000 employees' },
] as const;
const LARGEST = '10,001+ employees';

/**
 * Returns the category of a company.
 * @param employees - at least 1
 */
export function getSizeCategory(employees: number): string {
  return categories.find(({ upTo }) => employees <= upTo)?.name ?? LARGEST;
}
