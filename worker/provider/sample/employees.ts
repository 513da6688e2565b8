// Sample employees: fictional, seeded, consistent with the sample companies, each a pure function of seed and number.
import { baseEmployee } from './people/base.ts';
import { cleanEmployee } from './people/clean.ts';
import { profileAt } from './people/profile.ts';
import type { EmployeeBase, EmployeeClean } from './people-types.ts';

/** One employee in both variants. */
export interface SampleEmployee {
  clean: EmployeeClean;
  base: EmployeeBase;
}

/** How large the data set is. */
export interface EmployeeSetting {
  /** how many companies there are; employees work and have worked at these, five to a company on average */
  companies: number;
}

/**
 * Employee number `index`. Identifiers grow with the index.
 *
 * @param seed a whole number; other seeds give other people
 * @param index the number of the employee, from 0 to 9,999,999
 * @param setting how large the data set is
 * @returns both variants of the record, in agreement with each other and with `companyAt`
 * @throws `RangeError` when a number is out of range
 */
export function employeeAt(seed: number, index: number, setting: EmployeeSetting): SampleEmployee {
  const profile = profileAt(seed, index, setting.companies);
  return { clean: cleanEmployee(profile), base: baseEmployee(profile) };
}
